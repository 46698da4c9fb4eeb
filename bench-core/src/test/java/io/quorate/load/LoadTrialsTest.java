package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.ViolationCount;
import io.quorate.measure.RunClock;
import io.quorate.scenario.Limit;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.RequestLimit;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadTrialsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final StoreClient MEMORY = MemoryStore.STORE.clients().get(0).start();
  private static final String WRITES =
      """
      title: Writes
      operation: put
      requests: 20_000
      keys: {size: 16, count: 50}
      values: {size: 8}
      load: {clients: 4}
      databases: [memory]
      """;

  private Load load;

  @AfterAll
  static void closeMemory() {
    MEMORY.close();
  }

  @BeforeEach
  void prepare() {
    Scenario scenario = ScenarioReader.read("writes.yaml", WRITES, 1);
    load = new Load(scenario, scenario.databases().get(0), RunClock.start());
    load.connectTo(
        new Connector(
            MEMORY, List.of(new Endpoint("127.0.0.1", 131)), Duration.ofSeconds(5), Access.PLAIN));
    load.prepare();
  }

  private static List<RequestLimit> limits(String text) {
    return List.of(RequestLimit.of(Limit.parse(text).orElseThrow()).orElseThrow());
  }

  private static LoadModel rate(long perSecond) {
    return new LoadModel.Open(perSecond, LoadModel.Arrivals.UNIFORM, 1_000);
  }

  @Test
  void aTrialMakesEachRequestOnceAndTheNextOneGoesOnFromThere() {
    try (LoadTrials trials = load.trials()) {
      for (int made = 1; made <= 2; made++) {
        RunningTrial trial = trials.start(rate(1_000), limits("max <= 100 s"), 0, 1);
        trial.measure();

        assertThat(trial.awaitEnd(PATIENCE_NANOS)).isTrue();
        trial.stop();
        assertThat(trial.counts(1).get(0)).containsExactly(new ViolationCount(1_000, 0));
        assertThat(trial.intended(1)).isEqualTo(1_000);
        assertThat(trial.sendingSeconds()).isEqualTo(1);
        assertThat(trial.responses().getTotalCount()).isEqualTo(1_000);
        assertThat(trial.lag().getTotalCount()).isBetween(1L, 1_000L);
        assertThat(trials.requestsLeft()).isEqualTo(20_000 - made * 1_000);
      }
    }
  }

  @Test
  void anotherOneMayBeginBeforeTheRequestsOfAWholeOneHaveEnded() {
    LoadModel.Open open = new LoadModel.Open(500, LoadModel.Arrivals.UNIFORM, 1_000);
    try (LoadTrials trials = load.trials()) {
      RunningTrial first = trials.startWhole(open, limits("max <= 100 s"), 1);
      assertThat(trials.requestsLeft()).isEqualTo(19_500);
      RunningTrial second = trials.start(open, limits("max <= 100 s"), 0, 1);

      assertThat(second.awaitEnd(PATIENCE_NANOS)).isTrue();
      assertThat(first.awaitEnd(PATIENCE_NANOS)).isTrue();
      assertThat(first.intended(1)).isEqualTo(500);
      assertThat(second.intended(1)).isEqualTo(500);
      assertThat(trials.requestsLeft()).isEqualTo(19_000);
    }
  }

  @Test
  void aStoreIsMadeLargerByKeysThatNoRequestUses() {
    load.preload(0, 2);
    load.preload(2, 3);
    Connection connection = load.connector().open(1, () -> false).get(0);

    assertThat(has(connection, "p000000000000000")).isTrue();
    assertThat(has(connection, "p000000000000002")).isTrue();
    assertThat(has(connection, "p000000000000003")).isFalse();
    connection.close();
  }

  private static boolean has(Connection connection, String key) {
    RecordedCompletion completion = new RecordedCompletion();
    connection.submit(
        Request.get(key.getBytes(StandardCharsets.US_ASCII), ReadConsistency.LINEARIZABLE),
        completion);
    return completion.outcome().startsWith("found:");
  }

  @Test
  void everyRequestIsLateWhereNoneCanBeInTime() {
    try (LoadTrials trials = load.trials()) {
      RunningTrial trial = trials.start(rate(500), limits("p50 <= 0.001 us"), 0, 1);

      assertThat(trial.awaitEnd(PATIENCE_NANOS)).isTrue();
      assertThat(trial.counts(1).get(0)).containsExactly(new ViolationCount(500, 500));
    }
  }

  @Test
  void aTrialThatIsStoppedSendsNoMoreRequests() {
    try (LoadTrials trials = load.trials()) {
      RunningTrial trial = trials.start(rate(100), limits("max <= 100 s"), 0, 100);
      trial.stop();

      assertThat(trial.awaitEnd(PATIENCE_NANOS)).isTrue();
      // the whole trial has 10,000 requests
      assertThat(trials.requestsLeft()).isGreaterThan(10_000L);
    }
  }

  @Test
  void clientsOfAClosedLoopShareTheConnections() {
    try (LoadTrials trials = load.trials()) {
      RunningTrial trial =
          trials.start(new LoadModel.Closed(6, OptionalLong.empty()), limits("errors = 0"), 0, 1);

      assertThat(trial.awaitEnd(PATIENCE_NANOS)).isTrue();
      assertThat(trials.requestsLeft()).isZero();
      assertThat(ViolationCount.sum(trial.counts(1).get(0)))
          .isEqualTo(new ViolationCount(20_000, 0));
    }
  }
}
