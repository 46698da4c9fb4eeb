// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.capacity.TrialsJournal;
import io.quorate.run.capacity.CapacityMeasurement;
import io.quorate.run.options.RunSettings;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityIT {
  private static final String NOT_TO_BE_USED = "Do not use this run: ";

  /**
   * With more requests between snapshots than a search makes: how many warm it up depends on the
   * speed of the machine, and with the 10,000 of etcd one came, or not, in the trial.
   */
  private static final String SCENARIO =
      """
      title: Writes
      operation: put
      requests: 1_000
      warm-up: 10
      cold-start: true
      keys: {size: 16, count: 100}
      values: {size: 8}
      load: {clients: 1}
      members: 1
      databases: {etcd: {settings: {snapshot-count: 1_000_000}}}
      """;

  /** A search of which the last trial and the overload are missing. */
  private static final String WITH_CURVE =
      """
      {"search":{"scenario":"writes","limits":["max <= 100 s"],"search":"quick","start":64,"load":"rate","preloadBytes":0,"plan":%s}}
      {"trial":{"number":1,"stage":"bracket","load":64,"verdict":"fail","violatingPart":0.3,REST}}
      {"trial":{"number":2,"stage":"bracket","load":29,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":3,"stage":"narrow","load":41,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":4,"stage":"narrow","load":51,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":5,"stage":"confirm","load":52,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":6,"stage":"confirm","load":75,"verdict":"fail","violatingPart":0.3,REST}}
      {"trial":{"number":7,"stage":"confirm","load":54,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":8,"stage":"confirm","load":56,"verdict":"fail","violatingPart":0.3,REST}}
      {"trial":{"number":9,"stage":"confirm","load":58,"verdict":"fail","violatingPart":0.3,REST}}
      {"trial":{"number":10,"stage":"confirm","load":52,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":12,"stage":"curve","load":5,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":13,"stage":"curve","load":16,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":14,"stage":"curve","load":27,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":15,"stage":"curve","load":38,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":16,"stage":"curve","load":49,"verdict":"spoiled","violatingPart":0.0,REST}}
      {"trial":{"number":17,"stage":"curve","load":49,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":18,"stage":"curve","load":59,"verdict":"pass","violatingPart":0.0,REST}}
      {"trial":{"number":11,"st\
      """;

  /** The same, of which the last one of the curve is missing, too. */
  private static final String INTERRUPTED =
      WITH_CURVE.replaceFirst("\\{\"trial\":\\{\"number\":18.*\n", "");

  /** The values of a trial that do not matter to the search. */
  private static final String REST =
      """
      "wholeSeconds":10.0,"measuredSeconds":8,"intendedPerSecond":50.0,"succeededPerSecond":50.0,\
      "latencies":{},"failed":0,"dropped":0,"loadGeneratorCores":0.1,"servers":{"waitsMillis":{}}\
      """;

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    write(SCENARIO);
  }

  private void write(String scenario) throws IOException {
    Files.writeString(directory.resolve("writes.yaml"), scenario, UTF_8);
  }

  private InProcessRun capacity(String... more) {
    return InProcessRun.run(directory, arguments(more));
  }

  private String[] arguments(String... more) {
    String[] arguments = new String[4 + more.length];
    arguments[0] = "capacity";
    arguments[1] = directory.resolve("writes.yaml").toString();
    arguments[2] = "--results";
    arguments[3] = directory.resolve("results").toString();
    System.arraycopy(more, 0, arguments, 4, more.length);
    return arguments;
  }

  @Test
  @RequiresDatabase("etcd")
  void aSearchWithoutItsLastTrialGoesOnWhereItWas() throws Exception {
    writeInterrupted(WITH_CURVE);

    InProcessRun ended = capacity(goOn());

    boolean disturbed = disturbance(ended.output()).isPresent();
    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(disturbed ? 4 : 0);
    SearchRecord journal = checkSearch(ended.output(), ended.onlyRun("writes"));
    assertThat(journal.curve().get(6).step()).isEmpty();
    checkFilesOfTrials(ended.onlyRun("writes").resolve("etcd/trials"), 4);
    assertThat(Files.readString(ended.onlyRun("writes").resolve("index.html"), UTF_8))
        .contains(disturbed ? ": no verdict, as " : "54 writes/s");
  }

  @Test
  @Nightly // the smaller one: aSearchWithoutItsLastTrialGoesOnWhereItWas
  @RequiresDatabase("etcd")
  void anInterruptedSearchGoesOnWhereItWas() throws Exception {
    writeInterrupted(INTERRUPTED);

    QuorateProcess ended = QuorateProcess.run(directory, Map.of(), arguments(goOn()));

    assertThat(ended.exitCode())
        .as(ended.output())
        .isEqualTo(disturbance(ended.output()).isPresent() ? 4 : 0);
    assertThat(ended.output()).contains("trial 18  curve    59/s for 15 s: passed");
    SearchRecord journal = checkSearch(ended.output(), ended.onlyRun("writes"));
    assertThat(journal.curve().get(6).step()).hasValue(3);
    checkFilesOfTrials(ended.onlyRun("writes").resolve("etcd/trials"), 5);
  }

  private String[] goOn() {
    return new String[] {
      "--quick", "--threshold", "max <= 100 s", "--resume", directory.resolve("earlier").toString()
    };
  }

  /** Returns why this run must not be used, as other tests measured at the same time. */
  private static Optional<String> disturbance(String output) {
    return output
        .replace("\n  ", " ")
        .lines()
        .filter(line -> line.startsWith(NOT_TO_BE_USED))
        .map(line -> line.substring(NOT_TO_BE_USED.length(), line.length() - 1))
        .findFirst();
  }

  private static SearchRecord checkSearch(String output, Path run) throws IOException {
    assertThat(output.replace("\n  ", " "))
        .contains("capacity search: max <= 100 s, starting at 64/s; 10 trials are reused")
        .contains("trial 11  confirm  54/s for 10 s: passed")
        .contains("capacity search: 11 trials")
        .contains(
            disturbance(output)
                .map(": no verdict, as "::concat)
                .orElse("54 writes/s within max <= 100 s (held 2 of 2; 56 failed 1 of 1)"))
        .contains("after 3 s at 81/s, at 43/s: within the thresholds again 0 s after the overload");
    DatabaseDirectory etcd = new DatabaseDirectory(run.resolve("etcd"));
    SearchRecord journal = TrialsJournal.read(etcd).get(0);
    assertThat(journal.trials()).hasSize(11);
    assertThat(journal.trials().get(10).intendedPerSecond()).isEqualTo(54);
    assertThat(journal.trials().get(10).violatingPart()).isZero();
    assertThat(journal.trials().get(10).serverCores()).isPresent();
    assertThat(journal.trials().get(10).servers().busiestCores()).isPresent();
    assertThat(journal.trials().get(10).servers().waitsMillis())
        .containsOnlyKeys("the WAL's fsync", "the backend's commit");
    assertThat(journal.trials().get(10).servers().stalls()).hasValue(0);
    assertThat(journal.curve()).extracting(TrialRow::load).endsWith(49L, 49L, 59L).hasSize(7);
    assertThat(journal.curvePoints()).extracting(TrialRow::isSpoiled).containsOnly(false);
    assertThat(journal.recovery())
        .hasValueSatisfying(it -> assertThat(it.overload()).isEqualTo(81));
    assertThat(Files.readString(TrialsJournal.file(etcd), UTF_8))
        .contains(
            "{\"conclusion\":{\"outcome\":\"found\",\"holds\":{\"load\":54,\"passed\":2,\"trials\":2},\"fails\":{\"load\":56,\"passed\":0,\"trials\":1},\"trials\":11}}\n");
    assertThat(journal.trials().get(9).step()).isEmpty();
    assertThat(journal.trials().get(10).step()).hasValue(2);
    return journal;
  }

  /**
   * Checks the steps: what warms up, a trial, perhaps one of the curve, an overload and a load
   * after it.
   */
  private static void checkFilesOfTrials(Path trials, int steps) throws IOException {
    List<String> log = Files.readAllLines(trials.resolve("latency.hlog"), UTF_8);
    for (int step = 1; step <= steps; step++) {
      assertThat(log)
          .anyMatch(startsWith("Tag=step=%d;op=put,".formatted(step)))
          .anyMatch(startsWith("Tag=step=%d;op=put;time=service,".formatted(step)))
          .anyMatch(startsWith("Tag=step=%d;time=lag,".formatted(step)));
    }
    assertThat(log).filteredOn(startsWith("Tag=step=2;op=put,")).hasSizeBetween(2, 5);
    assertThat(Files.readAllLines(trials.resolve("steps.csv"), UTF_8)).hasSize(steps + 1);
    assertThat(trials.resolve("errors.csv")).exists();
    assertThat(trials.resolve("seconds.csv")).exists();
    for (String file :
        List.of("1-server-system-metrics-steps.csv", "client-system-metrics-steps.csv")) {
      assertThat(Files.readAllLines(trials.resolve(file), UTF_8).stream().skip(1))
          .extracting(line -> line.split(",")[0] + " " + line.split(",")[1])
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(1, steps)
                  .boxed()
                  .flatMap(step -> Stream.of(step + " begin", step + " end"))
                  .toList());
    }
  }

  private static Predicate<String> startsWith(String text) {
    return line -> line.startsWith(text);
  }

  /** Writes a search of the scenario as it is now. */
  private void writeInterrupted(String journal) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("scenario", directory.resolve("writes.yaml").toString());
    properties.setProperty("capacity.thresholds", "max <= 100 s");
    properties.setProperty("capacity.search", "quick");
    RunSettings settings = RunSettings.of(properties);
    Map<String, String> plan =
        CapacityMeasurement.plan(
            settings,
            settings.readScenario(),
            Stores.byId("etcd").orElseThrow(),
            settings.capacityGoal().orElseThrow());
    Path earlier = Files.createDirectories(directory.resolve("earlier/etcd"));
    Files.writeString(
        earlier.resolve("trials.jsonl"),
        journal.formatted(new ObjectMapper().writeValueAsString(plan)).replace("REST", REST),
        UTF_8);
  }

  @Test
  @RequiresDatabase("etcd")
  void theSearchOfAnotherPlanCannotGoOnAndNothingIsStarted() throws Exception {
    writeInterrupted(INTERRUPTED);
    write(SCENARIO.replace("size: 8", "size: 1024"));

    InProcessRun ended =
        capacity(
            "--quick",
            "--threshold",
            "max <= 200 s",
            "--resume",
            directory.resolve("earlier").toString());

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains(
            directory.resolve("earlier/etcd")
                + ": cannot continue this search, because its plan differs:\n"
                + "  scenario, line 7: was 'values: {size: 8}', is now 'values: {size: 1024}'\n"
                + "  thresholds: was 'max <= 100 s', is now 'max <= 200 s'\n"
                + "Repeat the command and the scenario of that run, or start a new search without"
                + " --resume");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  @RequiresDatabase("etcd")
  void aJournalThatWasChangedOrDamagedIsRefusedBeforeAnythingIsStarted() throws Exception {
    writeInterrupted(INTERRUPTED);
    Path journal = directory.resolve("earlier/etcd/trials.jsonl");
    String text = Files.readString(journal, UTF_8);
    Files.writeString(journal, text.replace("\"load\":41", "\"load\":43"), UTF_8);

    InProcessRun changed = capacity(goOn());

    assertThat(changed.exitCode()).isEqualTo(1);
    assertThat(changed.output())
        .isEqualTo(
            directory.resolve("earlier/etcd")
                + ": cannot continue this search: found trial 3 (narrow, 43/s), expected trial 3"
                + " (narrow, 41/s) after the trials before it. Start a new search without"
                + " --resume\n");

    Files.writeString(journal, text.replace("\"load\":41", "\"load\":\"many\""), UTF_8);

    InProcessRun damaged = capacity(goOn());

    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.output())
        .startsWith(journal + ":4:")
        .contains("trial.load: found the text 'many', expected a whole number");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void aLimitOnAnOperationThatTheScenarioDoesNotHaveIsRefused() throws Exception {
    InProcessRun ended = capacity("--threshold", "get p99 < 5 ms", "--threshold", "put p99 < 5 ms");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains(
            "threshold: found 'get p99 < 5 ms', but scenario writes has no get: its operation is"
                + " put")
        .doesNotContain("found 'put");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void aLimitInTheFileOnAnOperationThatItDoesNotHaveIsRefusedWithItsPlace() throws Exception {
    write(SCENARIO + "capacity:\n  thresholds: [get p99 < 5 ms]\n");

    InProcessRun ended = capacity();

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains(
            "writes.yaml:12:16: found a threshold of get, which the scenario does not have, expected"
                + " put");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void withoutLimitsNothingIsStarted() throws Exception {
    InProcessRun ended = capacity("--quick");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains("scenario writes has no thresholds. A search needs thresholds");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void theSearchOfARunThatIsNotThereCannotGoOn() throws Exception {
    InProcessRun ended = capacity("--threshold", "errors = 0", "--resume", "nowhere");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains("capacity.resume: found '" + directory.resolve("nowhere") + "', expected the")
        .contains("expected the directory of a capacity search");
    assertThat(directory.resolve("results")).doesNotExist();

    Path run = Files.createDirectories(directory.resolve("run/etcd"));
    Files.writeString(run.resolve("manifest.json"), "{}");
    InProcessRun noSearch = capacity("--threshold", "errors = 0", "--resume", "run");

    assertThat(noSearch.exitCode()).isEqualTo(1);
    assertThat(noSearch.output())
        .contains("run', expected the directory of a capacity search, which has trials.jsonl");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void noCapacityOfAMatrixIsSearched() throws Exception {
    InProcessRun ended =
        InProcessRun.run(directory, "capacity", "version-upgrade", "--threshold", "errors = 0");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.output())
        .contains("found a matrix of runs or repeats, of which no capacity can");
    assertThat(directory.resolve("results")).doesNotExist();
  }
}
