// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.ServerActivity;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchLogTest {
  private static final Optional<Bound> HOLDS = Optional.of(new Bound(8_200, 2, 2));
  private static final Optional<Bound> FAILS = Optional.of(new Bound(8_600, 1, 3));

  private final List<String> said = new ArrayList<>();
  @TempDir private Path temporary;
  private DatabaseDirectory directory;

  @BeforeEach
  void begin() {
    directory = new DatabaseDirectory(temporary);
  }

  private SearchLog log(CapacityGoal.Load load, int known) {
    List<SloLimit> limits =
        Stream.of("p99 <= 20 ms", "errors = 0")
            .map(each -> SloLimit.parse(each).orElseThrow())
            .toList();
    return SearchLog.begin(
        directory,
        new SearchRecord.Header(
            "writes", limits, CapacityGoal.Search.FULL, 4_000, load, 0, Optional.empty(), Map.of()),
        known,
        said::add);
  }

  @Test
  void saysWhatIsSearched() {
    log(CapacityGoal.Load.RATE, 0);
    log(CapacityGoal.Load.CLIENTS, 3);

    assertThat(said)
        .containsExactly(
            "capacity search: p99 <= 20 ms and errors = 0, starting at 4,000/s",
            "capacity search: p99 <= 20 ms and errors = 0, starting at 4,000 clients; 3 trials are"
                + " reused");
  }

  @Test
  void saysHowTheSearchEndedAndRecordsIt() {
    SearchResult found = new SearchResult(Outcome.FOUND, HOLDS, FAILS, 14);
    log(CapacityGoal.Load.RATE, 0).add(found);
    log(CapacityGoal.Load.CLIENTS, 0)
        .add(new SearchResult(Outcome.NONE_FAILS, HOLDS, Optional.empty(), 1));

    assertThat(said).contains("capacity search: 14 trials", "capacity search: 1 trial");
    assertThat(TrialsJournal.read(directory).get(0).conclusion()).hasValue(found);
  }

  @Test
  void saysWhenAStoreHasRecovered() {
    SearchLog log = log(CapacityGoal.Load.RATE, 0);
    log.add(new OverloadRecovery(1_500, 5, 800, 9, OptionalInt.of(4)));
    log.add(new OverloadRecovery(1_500, 5, 800, 30, OptionalInt.empty()));

    assertThat(said)
        .contains(
            "after 5 s at 1,500/s, at 800/s: within the thresholds again 4 s after the overload",
            "after 5 s at 1,500/s, at 800/s: not within the thresholds for 30 s after the overload");
  }

  @Test
  void tellsEachTrialInALine() {
    log(CapacityGoal.Load.RATE, 0)
        .add(
            new TrialRow(
                3,
                Trial.Stage.NARROW,
                8_200,
                30.1,
                20,
                TrialVerdict.PASS,
                Optional.empty(),
                OptionalDouble.of(0.25),
                0.0025,
                8_200,
                8_200,
                new TrialLatencies(
                    OptionalLong.of(1_234_000),
                    OptionalLong.of(12_345_678),
                    Optional.empty(),
                    OptionalLong.of(20_000_000)),
                0,
                0,
                OptionalLong.empty(),
                0.4,
                OptionalDouble.of(1.1),
                OptionalDouble.of(0.75),
                new ServerActivity(
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    Map.of(),
                    OptionalInt.empty()),
                OptionalInt.of(4)));

    assertThat(said)
        .endsWith(
            "trial 3  narrow   8,200/s for 20 s: passed, p99 12.3 ms, 0.25% violate a threshold");
    assertThat(TrialsJournal.read(directory).get(0).trials()).hasSize(1);
  }
}
