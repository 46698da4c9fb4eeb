// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.EventCounts;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.WatchMeasurement;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Steps whose puts are watched, on the in-memory map. */
class WatchedLoadTest {
  private static final StoreClient MEMORY = MemoryStore.STORE.clients().get(0).start();

  @AfterAll
  static void closeMemory() {
    MEMORY.close();
  }

  private static String scenario(String keys, String load, String watch) {
    return """
    title: Watched
    operation: put
    requests: 2_000
    warm-up: 10
    cold-start: true
    keys: %s
    values: {size: 16}
    watch: %s
    load: %s
    databases: [memory]
    """
        .formatted(keys, watch, load);
  }

  private static Load load(String text, StoreClient client, int port) {
    Scenario scenario = ScenarioReader.read("watched.yaml", text, 1);
    Load load = new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
    load.connectTo(
        new Connector(
            client, List.of(new Endpoint("127.0.0.1", port)), Duration.ofSeconds(5), Access.PLAIN));
    load.prepare();
    return load;
  }

  private static WatchMeasurement run(RunningStep step) throws Exception {
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(60, TimeUnit.SECONDS);
    WatchRecorder watch = step.recorder().watch().orElseThrow();
    watch.firstInterval();
    watch.medianInterval();
    watch.lastInterval();
    StepMeasurement measured = step.recorder().measurement();
    assertThat(measured.errors()).isEmpty();
    return measured.watch().orElseThrow();
  }

  @Test
  void every_put_to_one_key_is_an_event_for_each_watcher_none_lost_and_none_twice()
      throws Exception {
    Load load =
        load(
            scenario("{size: 8, count: 1}", "{clients: 4}", "{watchers: [1, 7], streams: 3}"),
            MEMORY,
            301);
    assertThat(load.steps()).hasSize(2);
    WatchMeasurement one = run(load.steps().get(0));
    WatchMeasurement seven = run(load.steps().get(1));

    assertThat(one.streams()).isEqualTo(1);
    assertThat(one.counts().expected()).isEqualTo(1_000);
    assertThat(one.counts().delivered()).isEqualTo(1_000);
    assertThat(seven.streams()).isEqualTo(3);
    assertThat(seven.counts().expected()).isEqualTo(7_000);
    assertThat(seven.counts().delivered()).isEqualTo(7_000);
    assertThat(seven.counts())
        .extracting(
            EventCounts::lost,
            EventCounts::coalesced,
            EventCounts::duplicated,
            EventCounts::reordered,
            EventCounts::interruptions)
        .containsOnly(0L);
    assertThat(seven.first().getTotalCount()).isEqualTo(1_000);
    assertThat(seven.median().getTotalCount()).isEqualTo(1_000);
    assertThat(seven.last().getTotalCount()).isEqualTo(1_000);
    for (double percentile : new double[] {0, 50, 99, 100}) {
      long median = seven.median().getValueAtPercentile(percentile);
      assertThat(seven.first().getValueAtPercentile(percentile)).isLessThanOrEqualTo(median);
      assertThat(seven.last().getValueAtPercentile(percentile)).isGreaterThanOrEqualTo(median);
    }
    assertThat(seven.createdNanos()).isPositive();
  }

  @Test
  void puts_that_each_create_a_key_are_known_by_it_at_a_rate_too() throws Exception {
    Load load =
        load(
            scenario(
                "{size: 8, distribution: random}",
                "{rate: 20_000/s, connections: 3}",
                "{watchers: 2, streams: 1}"),
            MEMORY,
            302);
    WatchMeasurement measured = run(load.steps().get(0));
    assertThat(measured.counts().expected()).isEqualTo(4_000);
    assertThat(measured.counts().delivered()).isEqualTo(4_000);
    assertThat(measured.counts().duplicated()).isZero();
  }

  @Test
  void updates_and_creations_are_events_and_reads_and_removals_are_not() throws Exception {
    String mix = "mix: {optimistic-update: 4, optimistic-create: 2, optimistic-delete: 1, get: 3}";
    Load load =
        load(
            scenario(
                    "{size: 8, count: 50, distribution: uniform}",
                    "{clients: 4}",
                    "{watchers: 2, streams: 2}")
                .replace("operation: put", mix),
            MEMORY,
            303);
    WatchMeasurement measured = run(load.steps().get(0));
    StepMeasurement step = load.steps().get(0).recorder().measurement();
    long changes =
        step.operations().get(0).successes().count() + step.operations().get(1).successes().count();

    assertThat(changes).isBetween(1_100L, 1_300L);
    assertThat(measured.counts().expected()).isEqualTo(2 * changes);
    assertThat(measured.counts().delivered()).isEqualTo(2 * changes);
    assertThat(measured.counts().duplicated()).isZero();
  }

  @Test
  void a_stream_that_cannot_be_opened_fails_the_step() {
    Load load =
        load(
            scenario("{size: 8, count: 1}", "{clients: 1}", "{watchers: 1}")
                .replace("warm-up: 10", "warm-up: 0"),
            new StoreClient() {
              @Override
              public Connection open(DriverSettings settings) {
                return MEMORY.open(settings);
              }

              @Override
              public Subscriptions subscribe(DriverSettings settings) {
                throw new QuorateException("no stream today");
              }

              @Override
              public void close() {}
            },
            303);
    assertThatThrownBy(() -> run(load.steps().get(0))).hasMessageContaining("no stream today");
    assertThat(load.steps().get(0).failure()).contains("no stream today");
  }

  @Test
  void a_watch_that_is_refused_fails_the_step_with_the_reason() {
    Load load =
        load(
            scenario("{size: 8, count: 1}", "{clients: 1}", "{watchers: 3}")
                .replace("warm-up: 10", "warm-up: 0"),
            new StoreClient() {
              @Override
              public Connection open(DriverSettings settings) {
                return MEMORY.open(settings);
              }

              @Override
              public Subscriptions subscribe(DriverSettings settings) {
                return new Refusing();
              }

              @Override
              public void close() {}
            },
            304);
    assertThatThrownBy(() -> run(load.steps().get(0)))
        .hasMessageContaining("starting 3 watches: too many watches");
  }

  /** Refuses every watch. */
  private static final class Refusing implements Subscriptions {
    @Override
    public void watch(Watch watch, WatchListener listener) {
      listener.failed("too many watches");
    }

    @Override
    public void unwatch(WatchListener listener) {}

    @Override
    public void close() {}
  }
}
