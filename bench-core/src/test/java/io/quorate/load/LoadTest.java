// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.SilentPort;
import io.quorate.store.StoreClient;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadTest {
  private static final StoreClient MEMORY = MemoryStore.STORE.clients().get(0).start();
  private final StoreClient etcd = EtcdStore.STORE.clients().get(0).start();

  @AfterEach
  void closeClient() {
    etcd.close();
  }

  @AfterAll
  static void closeMemory() {
    MEMORY.close();
  }

  private static final String WRITES =
      """
      title: Writes
      operation: write
      requests: 1000
      warm-up: 100
      cold-start: true
      keys: {size: 16}
      values: {size: 8}
      load: {steps: [1, 4]}
      databases: [memory]
      """;

  private static Load load(String text) {
    Scenario scenario = ScenarioReader.read("writes.yaml", text, 1);
    return new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
  }

  private static Load connected(String text, int port) {
    Load load = load(text);
    load.connectTo(
        new Connector(
            MEMORY, List.of(new Endpoint("127.0.0.1", port)), Duration.ofSeconds(5), Access.PLAIN));
    return load;
  }

  private static StepMeasurement run(RunningStep step) throws Exception {
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
    return step.recorder().measurement();
  }

  @Test
  void the_warm_up_leaves_nothing_and_the_steps_create_every_key() throws Exception {
    Load load = connected(WRITES, 101);
    load.prepare();
    for (RunningStep step : load.steps()) {
      StepMeasurement measured = run(step);
      assertThat(measured.successes().count()).isEqualTo(500);
      assertThat(measured.errors()).isEmpty();
    }
    assertThat(load.preparation()).isEmpty();
  }

  @Test
  void each_key_of_a_warm_up_with_more_requests_than_keys_is_removed_once() {
    AtomicInteger removed = new AtomicInteger();
    AtomicInteger missing = new AtomicInteger();
    Load load = load(WRITES.replace("warm-up: 100", "warm-up: 3500"));
    load.connectTo(
        new Connector(
            counting(removed, missing),
            List.of(new Endpoint("127.0.0.1", 104)),
            Duration.ofSeconds(5),
            Access.PLAIN));

    load.prepare();

    assertThat(removed).hasValue(1000);
    assertThat(missing).hasValue(0);
  }

  /** Each round of the warm-up begins with an empty key space, so that no key is created twice. */
  @Test
  void a_warm_up_by_time_removes_its_keys_after_each_round() {
    AtomicInteger removed = new AtomicInteger();
    AtomicInteger missing = new AtomicInteger();
    Load load = load(WRITES.replace("cold-start: true", "cold-start: false"));
    load.connectTo(
        new Connector(
            counting(removed, missing),
            List.of(new Endpoint("127.0.0.1", 106)),
            Duration.ofSeconds(5),
            Access.PLAIN));

    load.prepare();

    assertThat(removed.get()).isGreaterThan(1000);
    assertThat(missing).hasValue(0);
    assertThat(load.mostKeys()).isEqualTo(2000);
  }

  /** Returns the in-memory map, which counts the keys that were removed, or were not there. */
  private static StoreClient counting(AtomicInteger removed, AtomicInteger missing) {
    return new StoreClient() {
      @Override
      public Connection open(DriverSettings settings) {
        Connection memory = MEMORY.open(settings);
        return new Connection() {
          @Override
          public void submit(Request request, Completion completion) {
            // a warm-up at full speed would keep the processors from other tests
            LockSupport.parkNanos(500_000);
            memory.submit(
                request, request instanceof Request.Delete ? counted(completion) : completion);
          }

          @Override
          public void close() {
            memory.close();
          }
        };
      }

      private Completion counted(Completion completion) {
        return new Completion() {
          @Override
          public void answered(Answer answer) {
            (answer instanceof Answer.Missing ? missing : removed).incrementAndGet();
            completion.answered(answer);
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            completion.failed(kind, message);
          }
        };
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void keys_of_an_earlier_run_are_refused_where_requests_create_them() throws Exception {
    Load first = connected(WRITES, 102);
    run(first.steps().get(0));

    assertThatThrownBy(connected(WRITES, 102)::prepare)
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("the servers already contain keys that this run would create");
  }

  @Test
  void keys_of_an_earlier_run_are_welcome_where_requests_work_on_them() throws Exception {
    String updates = WRITES.replace("{size: 16}", "{size: 16, count: 50}");
    connected(updates, 103).prepare();
    Load again = connected(updates, 103);
    again.prepare();

    assertThat(run(again.steps().get(0)).errors()).isEmpty();
  }

  @Test
  void a_cancelled_load_opens_no_connection_any_more() throws Exception {
    Load load = load(WRITES); // no one says where the servers are: to connect would wait for ever
    load.cancel();

    RunningStep step = load.steps().get(1);
    step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
    assertThat(step.hasStarted()).isFalse();
  }

  @Test
  void after_the_first_refusal_no_further_connection_is_tried() throws Exception {
    try (SilentPort silent = new SilentPort()) {
      Connector nobody =
          new Connector(etcd, List.of(silent.endpoint()), Duration.ofSeconds(5), Access.PLAIN);

      assertThatThrownBy(() -> nobody.open(100_000, () -> false))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining(silent.endpoint().toString());
    }
  }
}
