// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.SloLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exit code of a run whose report has none of its own. */
class CapacityExitCodeTest {
  private static final List<SloLimit> LIMITS =
      Stream.of("p99 <= 20 ms").map(each -> SloLimit.parse(each).orElseThrow()).toList();
  private static final Optional<Bound> HOLDS = Optional.of(new Bound(104, 2, 2));
  private static final Optional<Bound> FAILS = Optional.of(new Bound(108, 0, 2));
  private static final int OK = 0;

  @TempDir private Path results;
  private RunDirectory run;

  @BeforeEach
  void create() {
    run = RunDirectory.create(results, "writes", 1, Instant.EPOCH);
  }

  private DatabaseDirectory database(String id) throws IOException {
    DatabaseDirectory database = run.createDatabase(id);
    Files.createFile(database.manifest());
    return database;
  }

  private void search(String id, Outcome outcome, Optional<Bound> holds) throws IOException {
    TrialsJournal.begin(
            database(id),
            new SearchRecord.Header(
                "writes",
                LIMITS,
                CapacityGoal.Search.QUICK,
                100,
                CapacityGoal.Load.RATE,
                0,
                Optional.empty(),
                Map.of()))
        .add(new SearchResult(outcome, holds, FAILS, 9));
  }

  @Test
  void isZeroWhereEachSearchFoundACapacity() throws IOException {
    search("etcd", Outcome.FOUND, HOLDS);
    search("consul", Outcome.LIMITED_BY_LOAD_GENERATOR, HOLDS);

    assertThat(ScenarioRun.exitCode(run, OK)).isZero();
  }

  @Test
  void isThreeWhereOneSearchIsUnstable() throws IOException {
    search("etcd", Outcome.FOUND, HOLDS);
    search("consul", Outcome.UNSTABLE, HOLDS);

    assertThat(ScenarioRun.exitCode(run, OK)).isEqualTo(3);
  }

  @Test
  void isThreeWhereNoLoadHolds() throws IOException {
    search("etcd", Outcome.NONE_PASSES, Optional.empty());

    assertThat(ScenarioRun.exitCode(run, OK)).isEqualTo(3);
  }

  @Test
  void isThatOfTheReportWithoutASearch() throws IOException {
    database("etcd");

    assertThat(ScenarioRun.exitCode(run, OK)).isZero();
    assertThat(ScenarioRun.exitCode(run, 3)).isEqualTo(3);
  }
}
