// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.capacity.ViolationCount;
import io.quorate.measure.RunClock;
import io.quorate.measure.SloRecorder;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrialStepsTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final StoreClient MEMORY = MemoryStore.STORE.clients().get(0).start();
  private static final String WRITES =
      """
      title: Writes
      operation: put
      requests: 20_000
      cold-start: true
      keys: {size: 16, count: 50}
      values: {size: 8}
      load: {clients: 4}
      databases: [memory]
      """;

  private static final StepObserver NEXT_SECOND =
      new StepObserver() {
        @Override
        public void begins(int step) {
          Instant now = Instant.now();
          Instant next = now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
          LockSupport.parkNanos(Duration.between(now, next).toNanos());
        }

        @Override
        public void hasEnded(int step) {}
      };

  private Load load;
  private List<Connection> connections;

  @AfterAll
  static void closeMemory() {
    MEMORY.close();
  }

  @BeforeEach
  void prepare() {
    Scenario scenario = ScenarioReader.read("writes.yaml", WRITES, 1);
    load = new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
    load.connectTo(
        new Connector(
            MEMORY, List.of(new Endpoint("127.0.0.1", 131)), Duration.ofSeconds(5), Access.PLAIN));
    load.prepare();
    connections = load.connector().open(4, () -> false);
  }

  private static List<ServiceLevel> limits(String text) {
    return List.of(ServiceLevel.of(SloLimit.parse(text).orElseThrow()).orElseThrow());
  }

  private static LoadModel rate(long perSecond) {
    return new LoadModel.Open(perSecond, LoadModel.Arrivals.CONSTANT, 1_000);
  }

  /** Starts a trial, which begins with a second of the clock as those of a search do. */
  private RunningStep start(LoadModel model, String limit, int seconds) {
    SloRecorder slo = new SloRecorder(limits(limit), 0);
    RunningStep trial = load.addTrial(model, seconds, connections, slo, NEXT_SECOND);
    trial.start();
    return trial;
  }

  private static ViolationCount violations(RunningStep trial, int seconds) {
    trial.awaitEnd(PATIENCE_NANOS);
    assertThat(trial.hasEnded()).isTrue();
    return ViolationCount.sum(
        trial.recorder().slo().orElseThrow().violations(0, seconds, false).get(0));
  }

  @Test
  void a_step_whose_end_cannot_be_recorded_fails() {
    assertThat(failureOf(new QuorateException("no space left"))).contains("no space left");
    assertThat(failureOf(new IllegalStateException())).contains("java.lang.IllegalStateException");
  }

  private Optional<String> failureOf(RuntimeException thrown) {
    SloRecorder slo = new SloRecorder(limits("max <= 100 s"), 0);
    RunningStep trial =
        load.addTrial(
            rate(100),
            1,
            connections,
            slo,
            new StepObserver() {
              @Override
              public void begins(int step) {}

              @Override
              public void hasEnded(int step) {
                throw thrown;
              }
            });
    trial.start();
    trial.awaitEnd(PATIENCE_NANOS);
    return trial.failure();
  }

  @Test
  void aTrialMakesEachRequestOnceAndTheNextOneGoesOnFromThere() {
    for (int made = 1; made <= 2; made++) {
      RunningStep trial = start(rate(1_000), "max <= 100 s", 1);

      // the first request comes a little after the beginning of the second
      assertThat(violations(trial, 2)).isEqualTo(new ViolationCount(1_000, 0));
      SloRecorder slo = trial.recorder().slo().orElseThrow();
      assertThat(slo.intended(0, 1)).isBetween(500L, 1_000L);
      assertThat(slo.responses().getTotalCount()).isEqualTo(1_000);
      assertThat(slo.lag().getTotalCount()).isEqualTo(1_000);
      assertThat(trial.number()).isEqualTo(made);
      assertThat(load.trials()).hasSize(made).endsWith(trial);
      assertThat(load.requestsLeft()).isEqualTo(20_000 - made * 1_000);
    }
  }

  @Test
  void connectionsStayOpenAndStepsAreThoseOfTheScenario() {
    violations(start(rate(100), "max <= 100 s", 1), 2);

    assertThat(has(connections.get(0), "none")).isFalse();
    assertThat(load.steps()).hasSize(1);
    assertThat(load.presentClients()).isEqualTo(4);
  }

  @Test
  void anotherOneMayBeginBeforeTheRequestsOfTheFirstHaveEnded() {
    RunningStep first = start(rate(500), "max <= 100 s", 1);
    assertThat(load.requestsLeft()).isEqualTo(19_500);
    RunningStep second = start(rate(500), "max <= 100 s", 1);

    assertThat(violations(second, 2).intended()).isEqualTo(500);
    assertThat(violations(first, 2).intended()).isEqualTo(500);
    assertThat(load.requestsLeft()).isEqualTo(19_000);
  }

  @Test
  void aStoreIsMadeLargerByKeysThatNoRequestUses() {
    load.preload(0, 2, connections);
    load.preload(2, 3, connections);
    Connection connection = load.connector().open(1, () -> false).get(0);

    assertThat(has(connection, "p000000000000000")).isTrue();
    assertThat(has(connection, "p000000000000002")).isTrue();
    assertThat(has(connection, "p000000000000003")).isFalse();
    connection.close();
  }

  private static boolean has(Connection connection, String key) {
    RecordedCompletion completion = new RecordedCompletion();
    connection.submit(
        new Request.Get(key.getBytes(StandardCharsets.US_ASCII), ReadConsistency.LINEARIZABLE),
        completion);
    return completion.outcome().startsWith("found:");
  }

  @Test
  void everyRequestIsLateWhereNoneCanBeInTime() {
    RunningStep trial = start(rate(500), "p50 <= 0.001 us", 1);

    assertThat(violations(trial, 2)).isEqualTo(new ViolationCount(500, 500));
  }

  @Test
  void aTrialThatIsStoppedSendsNoMoreRequestsAndGivesTheRestBack() {
    RunningStep trial = start(rate(100), "max <= 100 s", 100);
    trial.cancel();

    violations(trial, 1);
    // the whole trial has 10,000 requests
    assertThat(load.requestsLeft()).isGreaterThan(10_000L);
  }

  @Test
  void clientsOfAClosedLoopShareTheConnections() {
    RunningStep trial = start(new LoadModel.Closed(6, OptionalLong.empty()), "errors = 0", 60);

    assertThat(violations(trial, 60)).isEqualTo(new ViolationCount(20_000, 0));
    assertThat(load.requestsLeft()).isZero();
  }

  @Test
  void aClosedLoopEndsByTime() {
    RunningStep trial = start(new LoadModel.Closed(1, OptionalLong.of(100)), "errors = 0", 1);

    assertThat(violations(trial, 3).intended()).isBetween(1L, 102L);
    assertThat(load.requestsLeft()).isGreaterThan(19_000L);
  }
}
