package io.quorate.results.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.EventCounts;
import io.quorate.measure.Latencies;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.WatchMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.scenario.WatchLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchCsvTest {
  private static final String TEXT =
      """
      STEP,WATCHERS,STREAMS,CREATED-NANOSECONDS,EXPECTED,DELIVERED,COALESCED,LOST,DUPLICATED,REORDERED,BEFORE-ACKNOWLEDGEMENT,INTERRUPTIONS,DRAIN-NANOSECONDS
      1,1,1,1500000,10,10,0,0,0,0,4,0,20000
      2,100,10,30000000,1000,900,60,40,2,3,500,5,10000000000
      """;

  private static final List<Step> STEPS =
      List.of(
          Steps.closed(1, 1, 10).watchedBy(new WatchLoad(1, 1)),
          Steps.closed(1, 1, 10).watchedBy(new WatchLoad(100, 10)));

  private static final EventCounts FIRST = new EventCounts(10, 10, 0, 0, 0, 0, 4, 0);
  private static final EventCounts SECOND = new EventCounts(1000, 900, 60, 40, 2, 3, 500, 5);

  @TempDir Path directory;

  private static StepMeasurement step(WatchMeasurement watch) {
    Histogram none = new Histogram(3);
    return new StepMeasurement(
        1, 0, Latencies.NONE, none, List.of(), Optional.empty(), List.of(), Optional.of(watch));
  }

  private static WatchMeasurement watch(
      int watchers, int streams, long created, EventCounts counts, long drain) {
    Histogram none = new Histogram(3);
    return new WatchMeasurement(watchers, streams, created, counts, drain, none, none, none);
  }

  private List<WatchRow> read(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("watch.csv"), text);
    return WatchCsv.read(file, STEPS);
  }

  @Test
  void a_row_is_written_for_each_step_and_read_again() throws IOException {
    String written =
        WatchCsv.text(
                List.of(
                    step(watch(1, 1, 1_500_000, FIRST, 20_000)),
                    step(watch(100, 10, 30_000_000, SECOND, 10_000_000_000L))))
            .toString();
    assertThat(written).isEqualTo(TEXT);
    assertThat(read(written))
        .containsExactly(
            new WatchRow(1, 1, 1, 1_500_000, FIRST, 20_000),
            new WatchRow(2, 100, 10, 30_000_000, SECOND, 10_000_000_000L));
  }

  @Test
  void a_complete_run_has_no_more_events_than_its_latencies_account_for() throws IOException {
    RunDirectory run = RunDirectory.create(directory, "quick", 1, Manifests.START);
    DatabaseDirectory etcd = WatchedSteps.write(run, "etcd");
    assertThat(DatabaseRun.readIntact(etcd.path()).watches())
        .extracting(WatchRow::watchers)
        .containsExactly(1, 10);

    Path file = etcd.path().resolve("watch.csv");
    Files.writeString(file, Files.readString(file).replace("40,30,6,4", "50,45,1,4"));
    assertThatThrownBy(() -> DatabaseRun.readIntact(etcd.path()))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            file
                + ": found 45 events of step 2 that were delivered, expected at most 10 for each of"
                + " the 4 puts with an event in latency.hlog");
  }

  @Test
  void events_that_do_not_add_up_are_refused_with_their_position() {
    assertThatThrownBy(() -> read(TEXT.replace("900,60,40", "900,60,41")))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            directory.resolve("watch.csv")
                + ":3: found 1000 expected events, expected 1001, those that were delivered,"
                + " coalesced and lost");
  }

  @Test
  void other_watchers_and_steps_than_those_of_the_manifest_are_refused() {
    assertThatThrownBy(() -> read(TEXT.replace("2,100,10", "2,100,9")))
        .hasMessageEndingWith(
            "watch.csv:3: found 100 watchers on 9 streams, expected 100 watchers on 10 streams as"
                + " in manifest.json");
    assertThatThrownBy(() -> read(TEXT.replace("\n2,100", "\n3,100")))
        .hasMessageEndingWith(
            "watch.csv:3: found step 3, expected one row for each step of manifest.json");
  }
}
