// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import io.quorate.results.DatabaseDirectory;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialsJournalTest {
  private static final List<SloLimit> LIMITS =
      Stream.of("p99 <= 20 ms", "errors = 0")
          .map(each -> SloLimit.parse(each).orElseThrow())
          .toList();
  private static final SearchRecord.Header HEADER =
      new SearchRecord.Header(
          "writes",
          LIMITS,
          CapacityGoal.Search.QUICK,
          500,
          CapacityGoal.Load.RATE,
          0,
          Optional.empty(),
          Map.of());
  private static final SearchRecord.Header ANOTHER =
      new SearchRecord.Header(
          "writes",
          LIMITS.subList(1, 2),
          CapacityGoal.Search.FULL,
          50,
          CapacityGoal.Load.CLIENTS,
          100_000_000,
          Optional.of(new CapacityGoal.Unit("node", Duration.ofSeconds(6))),
          Map.of("scenario", "title: Writes\n", "client", "http2"));
  private static final ServerActivity IDLE =
      new ServerActivity(
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          Map.of(),
          OptionalInt.empty());
  private static final ServerActivity BUSY =
      new ServerActivity(
          OptionalDouble.of(0.9),
          OptionalDouble.of(0.5),
          OptionalDouble.of(0.1),
          Map.of("WAL fsync", 8.5),
          OptionalInt.of(2));
  private static final TrialRow PASSED =
      new TrialRow(
          1,
          Trial.Stage.BRACKET,
          500,
          11.5,
          8,
          TrialVerdict.PASS,
          Optional.empty(),
          OptionalDouble.of(0.25),
          0.0025,
          500,
          499.5,
          new TrialLatencies(
              OptionalLong.of(1_000_000),
              OptionalLong.of(2_000_000),
              Optional.of(new PercentileInterval(1_900_000, 2_200_000)),
              OptionalLong.of(3_000_000)),
          0,
          0,
          OptionalLong.of(50_000),
          0.5,
          OptionalDouble.of(1.25),
          OptionalDouble.of(0.75),
          BUSY,
          OptionalInt.of(3));
  private static final TrialRow DROWNED =
      new TrialRow(
          2,
          Trial.Stage.BRACKET,
          1_000,
          5,
          0,
          TrialVerdict.FAIL,
          Optional.of("drowned: cut short"),
          OptionalDouble.empty(),
          1,
          0,
          0,
          TrialLatencies.of(new Histogram(2)),
          7,
          9,
          OptionalLong.empty(),
          0.5,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          IDLE,
          OptionalInt.of(4));

  @TempDir private Path temporary;
  private DatabaseDirectory directory;

  @BeforeEach
  void begin() {
    directory = new DatabaseDirectory(temporary);
  }

  private String text() throws IOException {
    return Files.readString(TrialsJournal.file(directory), UTF_8);
  }

  @Test
  void hasALineForTheSearchForEachTrialAndForTheOutcome() throws IOException {
    TrialsJournal journal = TrialsJournal.begin(directory, HEADER);
    journal.add(PASSED);
    journal.add(DROWNED);
    journal.add(
        new SearchResult(
            Outcome.NONE_FAILS, Optional.of(new Bound(500, 2, 2)), Optional.empty(), 2));

    assertThat(text())
        .isEqualTo(
            """
            {"search":{"scenario":"writes","limits":["p99 <= 20 ms","errors = 0"],"search":"quick","start":500,"load":"rate","preloadBytes":0,"plan":{}}}
            {"trial":{"number":1,"stage":"bracket","load":500,"wholeSeconds":11.5,"measuredSeconds":8,"verdict":"pass","usedPart":0.25,"violatingPart":0.0025,"intendedPerSecond":500.0,"succeededPerSecond":499.5,"latencies":{"p50Nanos":1000000,"p99Nanos":2000000,"p99Interval":{"lowNanos":1900000,"highNanos":2200000},"p999Nanos":3000000},"failed":0,"dropped":0,"lagP99Nanos":50000,"loadGeneratorCores":0.5,"serverCores":1.25,"machineBusy":0.75,"servers":{"busiestCores":0.9,"diskBusy":0.5,"networkBusy":0.1,"waitsMillis":{"WAL fsync":8.5},"standstills":2},"step":3}}
            {"trial":{"number":2,"stage":"bracket","load":1000,"wholeSeconds":5.0,"measuredSeconds":0,"verdict":"fail","remark":"drowned: cut short","violatingPart":1.0,"intendedPerSecond":0.0,"succeededPerSecond":0.0,"latencies":{},"failed":7,"dropped":9,"loadGeneratorCores":0.5,"servers":{"waitsMillis":{}},"step":4}}
            {"conclusion":{"outcome":"none-fails","holds":{"load":500,"passed":2,"trials":2},"trials":2}}
            """);
  }

  @Test
  void isReadAsItWasWritten() {
    SearchResult none = new SearchResult(Outcome.UNSTABLE, Optional.empty(), Optional.empty(), 2);
    SearchResult one =
        new SearchResult(
            Outcome.LIMITED_BY_LOAD_GENERATOR,
            Optional.of(new Bound(500, 2, 3)),
            Optional.of(new Bound(520, 1, 3)),
            1);
    OverloadRecovery recovery = new OverloadRecovery(750, 5, 400, 30, OptionalInt.of(4));
    TrialRow onCurve = curve(2, 500, TrialVerdict.PASS);
    TrialsJournal journal = TrialsJournal.begin(directory, HEADER);
    journal.add(PASSED);
    journal.add(DROWNED);
    journal.add(none);
    TrialsJournal second = TrialsJournal.begin(directory, ANOTHER);
    second.add(PASSED);
    second.add(one);
    second.add(onCurve);
    second.add(recovery);

    assertThat(TrialsJournal.read(directory))
        .containsExactly(
            new SearchRecord(
                HEADER, List.of(PASSED, DROWNED), Optional.of(none), List.of(), Optional.empty()),
            new SearchRecord(
                ANOTHER,
                List.of(PASSED),
                Optional.of(one),
                List.of(onCurve),
                Optional.of(recovery)));
    assertThat(TrialsJournal.read(directory).get(1).seconds()).isEqualTo(23);
  }

  private static TrialRow curve(int number, long load, TrialVerdict verdict) {
    return new TrialRow(
        number,
        Trial.Stage.CURVE,
        load,
        PASSED.wholeSeconds(),
        PASSED.measuredSeconds(),
        verdict,
        PASSED.remark(),
        PASSED.usedPart(),
        PASSED.violatingPart(),
        PASSED.intendedPerSecond(),
        PASSED.succeededPerSecond(),
        PASSED.latencies(),
        PASSED.failed(),
        PASSED.dropped(),
        PASSED.lagP99Nanos(),
        PASSED.loadGeneratorCores(),
        PASSED.serverCores(),
        PASSED.machineBusy(),
        PASSED.servers(),
        PASSED.step());
  }

  @Test
  void theCurveHasTheLastTrialOfEachLoad() {
    TrialsJournal journal = TrialsJournal.begin(directory, HEADER);
    journal.add(curve(1, 500, TrialVerdict.SPOILED));
    journal.add(curve(2, 500, TrialVerdict.PASS));
    journal.add(curve(3, 600, TrialVerdict.SPOILED));
    journal.add(curve(4, 600, TrialVerdict.SPOILED));

    SearchRecord read = TrialsJournal.read(directory).get(0);
    assertThat(read.curvePoints())
        .containsExactly(curve(2, 500, TrialVerdict.PASS), curve(4, 600, TrialVerdict.SPOILED));
    assertThat(read.curvePoints()).extracting(TrialRow::isSpoiled).containsExactly(false, true);
  }

  @Test
  void isOfNoSearchIfItIsNotThere() {
    assertThat(TrialsJournal.read(directory)).isEmpty();
  }

  @Test
  void aLastLineThatIsNotCompleteIsLeftOut() throws IOException {
    TrialsJournal.begin(directory, HEADER).add(PASSED);
    Files.writeString(
        TrialsJournal.file(directory),
        "{\"trial\":{\"number\":2,\"sta",
        UTF_8,
        StandardOpenOption.APPEND);

    assertThat(TrialsJournal.read(directory).get(0).trials()).containsExactly(PASSED);
  }

  @Test
  void saysWhichLineIsWrong() throws IOException {
    TrialsJournal.begin(directory, HEADER).add(PASSED);
    Path file = TrialsJournal.file(directory);
    Files.writeString(file, "{\"trial\":{\"number\":\"two\"}}\n", UTF_8, StandardOpenOption.APPEND);

    assertThatThrownBy(() -> TrialsJournal.read(directory))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(
            file + ":3:20: trial.number: found the text 'two', expected a whole");

    Files.writeString(file, "{}\n", UTF_8);
    assertThatThrownBy(() -> TrialsJournal.read(directory))
        .hasMessage(file + ":1:2: expected search, trial, conclusion or recovery");

    Files.writeString(
        file,
        "{\"recovery\":{\"overload\":1,\"overloadSeconds\":1,\"load\":1,\"watchedSeconds\":1}}\n",
        UTF_8);
    assertThatThrownBy(() -> TrialsJournal.read(directory))
        .hasMessage(file + ":1: found another line, expected one with search");
  }
}
