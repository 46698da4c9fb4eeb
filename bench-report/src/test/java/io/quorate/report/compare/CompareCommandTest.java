// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.format.ConsoleText;
import io.quorate.format.StrictJson;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.report.ComparisonSentences;
import io.quorate.report.SyntheticRun;
import io.quorate.results.Canary;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.FaultPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareCommandTest {
  private static final int SECONDS = 4;

  @TempDir Path directory;

  private record Ended(int exitCode, String out, String err) {}

  private Ended compare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    if (all.stream().noneMatch(each -> each.startsWith("--ignore") || each.equals("--anyway"))) {
      all.add("--ignore=load"); // the number of requests of synthetic runs depends on their seed
    }
    if (!all.contains("--output")) {
      all.addAll(List.of("--output", directory.resolve("compared").toString()));
    }
    int exitCode =
        new CommandLine(new CompareCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  if (!(failure instanceof QuorateException)) {
                    throw failure;
                  }
                  err.write(failure.getMessage());
                  return 1;
                })
            .execute(all.toArray(String[]::new));
    assertThat(out.toString().lines())
        .filteredOn(line -> !line.contains(directory.toString()) && !all.contains("--markdown"))
        .allMatch(line -> line.length() <= ConsoleText.WIDTH);
    Path output = Path.of(all.get(all.indexOf("--output") + 1));
    if (Files.exists(output.resolve("index.html"))
        && !Files.exists(output.resolve("comparison-2.json"))) {
      assertThat(problems(output)).isEmpty();
    }
    // lines that were broken at blanks are whole again
    return new Ended(exitCode, out.toString().replaceAll("\n  (?=\\S)", " "), err.toString());
  }

  private static List<String> problems(Path output) {
    try {
      return ComparisonSentences.problems(output);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void a_change_that_is_smaller_than_that_of_the_machine_decides_nothing() throws IOException {
    String before = runs("before", 1000, 1004, 996, 1002, 998);
    String after = runs("after", 700, 703, 698, 701, 699);
    List<String> words = List.of(before, after, "--fail-on", "throughput >= -5%", "--output");
    canaries("before", 1_740_000, 1_760_000);
    canaries("after", 1_450_000, 1_470_000);
    assertThat(compare(words, "little").exitCode()).isEqualTo(3);

    canaries("after", 1_200_000, 1_470_000);
    Ended ended = compare(words, "much");
    assertThat(ended.exitCode()).as(ended.err).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern(
            "gate INCONCLUSIVE: throughput >= -5%: .*: not compared: the canaries moved more:"
                + " canary load by 47%")
        .containsPattern("canary load +1,750,000/s +1,335,000/s +-24%");

    canaries("before", 1_200_000, 1_470_000);
    assertThat(compare(words, "turns").exitCode()).as("both were one series").isEqualTo(3);

    for (String side : List.of("before", "after")) {
      canaries("before");
      canaries("after");
      canaries(side, 1_000_000, 1_500_000);
      assertThat(compare(words, "only-" + side).exitCode()).as(side).isEqualTo(4);
    }
  }

  private Ended compare(List<String> words, String output) {
    List<String> all = new ArrayList<>(words);
    all.add(directory.resolve(output).toString());
    return compare(all.toArray(String[]::new));
  }

  private void canaries(String side, double... requestsPerSecond) throws IOException {
    Path series = directory.resolve(side);
    Files.deleteIfExists(series.resolve(Canary.FILE));
    for (double each : requestsPerSecond) {
      new Canary(Manifests.START, each, 0.13, 11.7).append(series);
    }
  }

  @Test
  void a_run_that_ended_early_decides_nothing() throws IOException {
    String before = runs("before", 1_000, 1_010, 1_020, 1_030);
    String after = runs("after", 2_000, 2_010, 2_020, 2_030);
    try (Stream<Path> files = Files.walk(Path.of(after))) {
      for (Path each : files.filter(file -> file.endsWith("manifest.json")).toList()) {
        String text = Files.readString(each);
        Files.writeString(each, text.replace("\"complete\"", "\"ended-early\""));
      }
    }

    Ended ended = compare(before, after, "--fail-on", "p99 <= +10%");

    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.out())
        .contains("what ended early, or goes on, covers a part of its load and is not compared")
        .doesNotContain("slower", "faster");
  }

  /** Writes a run for each number of requests per second. */
  private String runs(String name, int... requestsPerSecond) {
    Path side = directory.resolve(name);
    for (int each : requestsPerSecond) {
      new SyntheticRun(List.of("etcd"), SECONDS, each, List.of(10), SECONDS).write(side);
    }
    return side.toString();
  }

  private String text(String file) {
    try {
      return Files.readString(directory.resolve("compared").resolve(file));
    } catch (IOException missing) {
      throw new AssertionError(missing);
    }
  }

  @Test
  void a_lower_throughput_is_slower_and_breaks_a_rule() {
    String before = runs("before", 1000, 1004, 996, 1002, 998);
    String after = runs("after", 700, 703, 698, 701, 699);
    Ended ended =
        compare(before, after, "--fail-on", "throughput >= -5%", "--fail-on", "p99:+900%");

    assertThat(ended.exitCode()).as(ended.err).isEqualTo(3);
    assertThat(ended.out)
        .containsPattern("throughput +1,044/s +734/s +-29% +-32% to -23% +slower")
        .containsPattern(
            "gate FAILED: throughput >= -5%: etcd 3.6.16, 10 clients, put: -29% \\(medians 1,044/s"
                + " and 734/s, with 95% confidence >= -3[0-9]%, <= -2[0-9]%\\): slower")
        .contains("gate passed: p99 <= +900%")
        .contains("page    " + directory.resolve("compared/index.html"));
    assertThat(text("junit.xml"))
        .contains("tests=\"2\" failures=\"1\"")
        .contains("name=\"throughput &gt;= -5%\"")
        .contains("<failure type=\"threshold\" message=\"-29% (medians 1,044/s and 734/s");
    assertThat(text("comparison.md"))
        .startsWith("### Quorate: 3 slower, 5 same, 1 too close to call")
        .contains("| throughput |");
    assertThat(text("comparison.json"))
        .contains("\"metric\" : \"throughput\"")
        .contains("\"verdict\" : \"worse\"")
        .contains("\"outcome\" : \"failed\"");
    assertThat(text("index.html"))
        .contains("<h1>etcd 3.6.16: 3 slower, 5 same, 1 too close to call</h1>")
        .contains("<tr class=\"bad\"><th scope=\"row\">throughput</th>")
        .containsPattern("aria-label=\"-29% \\(-32% to -23%\\)\">.*<circle cx=\"[0-9.]+%\"")
        .contains("server CPU per request")
        .contains("baseline etcd")
        .contains("candidate etcd");
  }

  @Test
  void a_percentile_without_any_success_fails_and_one_of_few_requests_is_open() {
    String before = runs("before", 6000, 6040, 5960, 6020);
    String few = runs("few", 1000, 1004, 996, 1002);
    Path failed = directory.resolve("failed");
    for (int i = 0; i < 4; i++) {
      new SyntheticRun(List.of("etcd"), SECONDS, 0, List.of(10), 0).write(failed);
    }
    String rule = "p99.9 <= +20%";

    Ended open = compare(before, few, "--fail-on", rule);
    assertThat(open.exitCode()).as(open.out + open.err).isEqualTo(4);
    assertThat(open.out).contains("the candidate has too few requests for this percentile");

    String other = directory.resolve("other").toString();
    Ended none = compare(before, failed.toString(), "--fail-on", rule, "--output", other);
    assertThat(none.exitCode()).as(none.out + none.err).isEqualTo(3);
    assertThat(none.out).contains("the candidate has no such value");
  }

  @Test
  void a_rule_for_all_operations_leaves_out_those_with_too_few_requests() {
    for (String side : List.of("before", "after")) {
      for (int i = 0; i < 4; i++) {
        int rate = 500 + side.length();
        SyntheticRun.mixed(List.of("etcd"), SECONDS, rate).write(directory.resolve(side));
      }
    }
    String before = directory.resolve("before").toString();
    String after = directory.resolve("after").toString();

    Ended ended = compare(before, after, "--anyway", "--fail-on", "p99 <= +900%");

    assertThat(ended.exitCode()).as(ended.out + ended.err).isZero();
    assertThat(ended.out)
        .containsPattern("gate passed: p99 <= .*, all operations: ")
        .doesNotContain("INCONCLUSIVE");
    String other = directory.resolve("other").toString();
    Ended own = compare(before, after, "--fail-on", "put p99 <= +900%", "--output", other);
    assertThat(own.exitCode()).as(own.out + own.err).isEqualTo(4);

    Path many = directory.resolve("many");
    for (int i = 0; i < 4; i++) {
      SyntheticRun.mixed(List.of("etcd"), SECONDS, 8000).write(many);
    }
    String third = directory.resolve("third").toString();
    Ended fewer =
        compare(many.toString(), after, "--anyway", "--fail-on", "p99 <= +900%", "--output", third);
    assertThat(fewer.exitCode()).as("the candidate lost most of its puts").isEqualTo(4);
  }

  @Test
  void equal_runs_pass_every_rule() {
    String before = runs("before", 1000, 1004, 996, 1002, 998);
    String after = runs("after", 999, 1005, 997, 1001, 1003);
    Ended ended =
        compare(before, after, "--fail-on", "throughput >= -20%", "--fail-on", "errors <= +0");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isZero();
    assertThat(ended.out).doesNotContain("slower").doesNotContain("FAILED");
    assertThat(text("junit.xml")).contains("failures=\"0\"").contains("skipped=\"0\"");
  }

  @Test
  void a_rule_that_the_noise_leaves_open_has_its_own_exit_code() {
    String before = runs("before", 1000, 600, 1400, 800, 1200);
    String after = runs("after", 900, 500, 1300, 700, 1000);
    Ended ended = compare(before, after, "--fail-on", "throughput >= -5%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out).contains("gate INCONCLUSIVE: throughput >= -5%");
    assertThat(text("junit.xml")).contains("skipped=\"1\"").contains("<skipped message=");
  }

  @Test
  void one_run_of_each_side_is_decided_as_on_its_page_but_not_by_a_gate() {
    Ended ended =
        compare(runs("before", 1000), runs("after", 500), "--fail-on", "throughput >= -5%");
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern("throughput .* -50% +slower")
        .containsPattern("p50 .* too close to call")
        .contains("/s): slower; but a gate needs 4 runs of each side\n")
        .contains(
            "warning: 1 run in the baseline and 1 run in the candidate: differences of up to 10%"
                + " count as ties; larger ones may still be noise. An interval and a gate need 4 of"
                + " each. Repeat")
        .contains("Repeat them with: ./quorate run synthetic --repeats 6\n");
  }

  @Test
  void the_hint_to_repeat_has_the_file_and_the_options_of_the_run() throws IOException {
    Path run =
        new SyntheticRun(List.of("etcd", "zookeeper"), SECONDS, 1000, List.of(10), SECONDS)
            .write(directory.resolve("after"));
    new RunPlan("my.yaml", "", Map.of("scenario", "perf/my.yaml", "clients", "7"))
        .write(new RunDirectory(run));
    Ended ended = compare(runs("before", 900), run + ":etcd");
    assertThat(ended.out)
        .as(ended.err)
        .contains("with: ./quorate run perf/my.yaml --database etcd --clients 7 --repeats 6\n");
  }

  /** Writes runs of an open loop that are sent late by these times, in microseconds. */
  private String late(String name, int... lags) {
    Path side = directory.resolve(name);
    for (int each : lags) {
      Duration lag = Duration.ofNanos(1_000L * each);
      SyntheticRun.open(lag, List.of("etcd"), SECONDS, 1000, 500).write(side);
    }
    return side.toString();
  }

  @Test
  void a_rule_that_only_the_delay_of_the_load_generator_broke_is_undecided() {
    String before = late("before", 0, 0, 0, 0, 0);
    Ended ended = compare(before, late("after", 100, 100, 100, 100), "--fail-on", "p50:+5%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern(
            "gate INCONCLUSIVE: p50 <= \\+5%: .*: slower; but [0-9.]+ ms without the load"
                + " generator's delay\n");
    assertThat(text("junit.xml")).contains("<skipped message=", "load generator's delay");
  }

  @Test
  void a_value_of_which_more_than_a_tenth_is_delay_is_not_compared() {
    String before = late("before", 0, 0, 0, 0, 0);
    String after = late("after", 1_000, 1_000, 1_000, 1_000, 1_000);
    Ended ended = compare(before, after, "--fail-on", "p50:+10%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern(
            "gate INCONCLUSIVE: p50 <= \\+10%: .*: not compared; but [0-9.]+ ms without the load"
                + " generator's delay\n");
    assertThat(text("junit.xml")).contains("<skipped message=", "load generator's delay");
  }

  @Test
  void a_gate_decides_what_the_delay_of_the_load_generator_cannot_explain() {
    String before = late("before", 1_000, 0, 0, 0);
    Path slow = directory.resolve("slow");
    for (int i = 0; i < 4; i++) {
      SyntheticRun.open(Duration.ZERO, List.of("etcd"), SECONDS, 400, 500).write(slow);
    }
    Ended broken = compare(before, slow.toString(), "--fail-on", "p50:+10%");
    assertThat(broken.exitCode()).as(broken.out + broken.err).isEqualTo(3);
    assertThat(broken.out)
        .containsPattern("gate FAILED: p50 .*: also without the load generator's delay\n");

    String other = directory.resolve("other").toString();
    Ended kept = compare(slow.toString(), before, "--fail-on", "p50 <= +10%", "--output", other);
    assertThat(kept.exitCode()).as(kept.out + kept.err).isZero();
    assertThat(kept.out)
        .containsPattern("gate passed: p50 .*: also without the load generator's delay\n");
  }

  @Test
  void runs_that_are_mostly_delay_or_cold_decide_nothing() throws IOException {
    String before = late("before", 0, 0, 0, 0, 0);
    Ended ended =
        compare(before, late("after", 900_000, 910_000, 890_000, 900_000), "--fail-on", "p99:+10%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern(
            "gate INCONCLUSIVE: p99 <= \\+10%: .*: not compared: other processes or the load"
                + " generator's delay took too much of the time\n")
        .doesNotContain("slower");

    String cold = late("cold", 1_000, 1_000, 1_000, 1_000);
    makeCold(Path.of(cold));
    String output = directory.resolve("other").toString();
    ended = compare(before, cold, "--fail-on", "p99:+900%", "--output", output);
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .contains("not compared (a)\n", "\n(a) the load generator's code was not warm\n");
  }

  private static void makeCold(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      for (Path file : files.filter(each -> each.endsWith("manifest.json")).toList()) {
        Files.writeString(
            file,
            Files.readString(file).replace("\"onFailure\"", "\"coldStart\" : true, \"onFailure\""));
      }
    }
  }

  /** Writes runs of two databases in pairs, the second at half of the throughput. */
  private MatrixDirectory pairs(String name, int count) throws IOException {
    MatrixDirectory series = new MatrixDirectory(directory.resolve(name));
    Map<String, Integer> rates = Map.of("etcd", 1000, "zookeeper", 500);
    for (Map.Entry<String, Integer> each : rates.entrySet()) {
      Path cell = Files.createDirectories(series.cells().resolve(each.getKey()));
      for (int i = 1; i <= count; i++) {
        Path run =
            new SyntheticRun(
                    List.of(each.getKey()), SECONDS, each.getValue() + i, List.of(10), SECONDS)
                .write(directory.resolve("made"));
        Files.move(run, cell.resolve(Integer.toString(i)));
      }
    }
    List<MatrixManifest.Cell> cells =
        Stream.of("etcd", "zookeeper")
            .map(id -> new MatrixManifest.Cell(id, Map.of("database", id)))
            .toList();
    Files.writeString(
        series.manifest(),
        StrictJson.text(
            new MatrixManifest(
                "pairs",
                "Pairs",
                "",
                Manifests.START,
                BuildInfo.ofThisBuild(),
                1,
                count,
                List.of("database"),
                cells,
                Map.of(MatrixManifest.UNTIL, "decided"),
                "title: Synthetic\n")));
    return series;
  }

  @Test
  void a_pair_with_a_run_that_says_nothing_is_left_out() throws IOException {
    MatrixDirectory series = pairs("series", 8);
    makeCold(series.cells().resolve("zookeeper/2"));
    String rule = "throughput >= -20%";

    Ended ended = compare(series + ":etcd", series + ":zookeeper", "--anyway", "--fail-on", rule);

    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(3);
    assertThat(ended.out)
        .contains("7 runs, then 7 runs")
        .containsPattern(
            "gate FAILED: throughput .*: slower; left out: 1 pair \\(the load generator's code"
                + " was not warm\\)\n");
  }

  @Test
  void pairs_of_several_series_are_all_counted() throws IOException {
    Path both = pairs("both/1", 4).path().getParent();
    pairs("both/2", 4);

    Ended ended =
        compare(both + ":etcd", both + ":zookeeper", "--anyway", "--fail-on", "throughput >= -20%");

    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(3);
    assertThat(ended.out).contains("8 runs, then 8 runs");
  }

  @Test
  void without_a_candidate_the_noise_is_shown() {
    Ended ended = compare(runs("before", 1000, 1001, 999, 1000, 998, 1002, 1000, 1001));
    assertThat(ended.exitCode()).as(ended.err).isZero();
    assertThat(ended.out).contains("etcd 3.6.16: 4 runs, then 4 runs").contains("same");
    assertThat(text("index.html"))
        .contains("<h1>Noise of etcd 3.6.16: 7 same, 2 too close to call</h1>");
    assertThat(compare(runs("one", 1000), "--output", "x").err)
        .contains("found one run of etcd, expected two or more");
  }

  @Test
  void a_rule_or_a_band_needs_a_candidate() {
    String before = runs("before", 1000, 1001);
    for (String option : List.of("--fail-on=p99:+10%", "--aa=other", "--fail-on=errors:+0")) {
      Ended ended = compare(before, option);
      assertThat(ended.exitCode()).isEqualTo(2);
      assertThat(ended.err)
          .startsWith(option.replaceAll("=.*", "") + ": found no candidate, expected one after");
      assertThat(directory.resolve("compared")).doesNotExist();
    }
  }

  @Test
  void a_baseline_of_eight_runs_has_a_band() {
    String before = runs("before", 1000, 1050, 1000, 1050, 1000, 1050, 1000, 1050);
    Ended ended = compare(before, runs("after", 1040, 1041, 1039, 1040, 1042));
    assertThat(ended.out)
        .contains("A/A")
        .containsPattern("throughput .*\u00b18\\.9% +too close to call \\(a\\)\n")
        .doesNotContain("within the A/A band");
    String other = directory.resolve("other").toString();
    Ended asked =
        compare(
            runs("five", 1000, 1002, 998, 1001, 999),
            runs("after"),
            "--aa",
            before,
            "--output",
            other);
    assertThat(asked.out).containsPattern("throughput .*\u00b18\\.9%");
  }

  private static void replace(String side, String text, String other) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(side))) {
      for (Path file : files.filter(each -> each.endsWith("manifest.json")).toList()) {
        assertThat(file).content().contains(text);
        Files.writeString(file, Files.readString(file).replace(text, other));
      }
    }
  }

  private static void beginEarlier(String side) throws IOException {
    String start = "\"start\" : \"" + Manifests.START.toString().substring(0, 4);
    replace(side, start, "\"start\" : \"2021");
  }

  @Test
  void sides_that_ran_in_blocks_fail_no_gate_unless_asked() throws IOException {
    String before = runs("before", 1000, 1004, 996, 1002, 998);
    String after = runs("after", 700, 703, 698, 701, 699);
    beginEarlier(before);

    Ended ended = compare(before, after, "--fail-on", "throughput >= -5%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .startsWith("warning: the sides ran in blocks, one after the other: a change may be drift")
        .containsPattern(
            "gate INCONCLUSIVE: throughput >= -5%: .*: slower; but the sides ran in blocks"
                + " \\(--ignore=order lets it fail\\)\n");
    assertThat(text("comparison.md").lines().findFirst().orElseThrow())
        .contains("(sides ran in blocks: a change may be drift)");
    int other = 0;
    for (String option : List.of("--ignore=load,order", "--anyway")) {
      String output = directory.resolve("other" + other++).toString();
      ended = compare(before, after, "--fail-on", "throughput >= -5%", option, "--output", output);
      assertThat(ended.exitCode()).as(option).isEqualTo(3);
    }
  }

  @Test
  void other_hardware_limits_or_seeds_are_refused() throws IOException {
    String before = runs("before", 1000, 1000);
    String after = runs("after", 1001, 1003);
    replace(
        after,
        "\"memoryBytes\" : 8000000000",
        "\"cpuModel\" : \"Z80\", \"memoryBytes\" : 16000000000, \"disk\" : \"ext4 on vda\","
            + " \"container\" : \"cpu.max 150000 100000\"");
    replace(after, "\"seed\" : ", "\"seed\" : 9");
    Ended ended = compare(before, after);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err)
        .containsPattern("seed: [0-9]+ in the baseline, 9[0-9]+ in the candidate")
        .contains("cpu: unknown in the baseline, Z80 in the candidate")
        .contains("memory: 7 GiB in the baseline, 15 GiB in the candidate")
        .contains("file-system: unknown in the baseline, ext4 in the candidate")
        .contains("container: no limits in the baseline, cpu.max 150000 100000 in the candidate")
        .contains("--ignore=seed,cpu,memory,file-system,container to compare");
  }

  @Test
  void equal_values_in_all_runs_are_a_result() throws IOException {
    String before = runs("before", 1000, 1000, 1000, 1000, 1000);
    beginEarlier(before);
    String rule = "throughput >= -5%";
    String ignore = "--ignore=load,order";
    Ended equal = compare(before, runs("same", 1000, 1000, 1000), "--fail-on", rule, ignore);
    assertThat(equal.exitCode()).as(equal.out + equal.err).isEqualTo(4);
    String four = runs("same", 1000);
    String output = directory.resolve("four").toString();
    equal = compare(before, four, "--fail-on", rule, ignore, "--output", output);
    assertThat(equal.exitCode()).as(equal.out + equal.err).isZero();
    String after = runs("after", 700, 700, 700, 700);
    output = directory.resolve("after-four").toString();
    Ended slower = compare(before, after, "--fail-on", rule, ignore, "--output", output);
    assertThat(slower.exitCode()).as(slower.out + slower.err).isEqualTo(3);
  }

  @Test
  void runs_of_other_conditions_are_refused_with_what_differs() throws IOException {
    String before = runs("before", 1000, 1000);
    Path after = directory.resolve("after");
    new SyntheticRun(List.of("etcd"), SECONDS, 1000, List.of(10, 20), SECONDS).write(after);
    Ended ended = compare(before, after.toString(), "--ignore=host");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err)
        .contains("after cannot be compared with " + before + ":")
        .contains("load: 10 clients, ")
        .contains("or pass --ignore=load to compare them all the same.");
    assertThat(directory.resolve("compared")).doesNotExist();

    Ended wrong = compare(before, after.toString(), "--ignore=weather");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err).contains("--ignore: found 'weather', expected some of operations, load,");
    assertThat(compare(before, after.toString(), "--ignore=load").exitCode()).isZero();
    assertThat(text("index.html")).contains("Not comparable");
  }

  @Test
  void other_databases_have_nothing_in_common() {
    Path after = directory.resolve("after");
    new SyntheticRun(List.of("zookeeper", "consul"), SECONDS, 1000, List.of(10), SECONDS)
        .write(after);
    Path before = directory.resolve("before");
    new SyntheticRun(List.of("etcd", "zetcd"), SECONDS, 1000, List.of(10), SECONDS).write(before);
    Ended ended = compare(before.toString(), after.toString(), "--anyway");
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err)
        .contains("databases: found etcd, zetcd in the baseline and zookeeper, consul");
  }

  @Test
  void a_database_of_one_side_only_is_named() {
    Path before =
        new SyntheticRun(List.of("etcd", "zookeeper"), SECONDS, 1000, List.of(10), SECONDS)
            .write(directory.resolve("before"));
    Ended ended = compare(before.toString(), runs("after", 900));
    assertThat(ended.exitCode()).as(ended.err).isZero();
    assertThat(ended.out).contains("warning: Left out: zookeeper is only in the baseline.");
  }

  @Test
  void columns_of_one_run_are_compared() {
    Path run =
        new SyntheticRun(List.of("etcd", "zookeeper"), SECONDS, 1000, List.of(10), SECONDS)
            .write(directory.resolve("both"));
    Ended ended = compare(run + ":etcd", run + ":zookeeper");
    assertThat(ended.exitCode()).as(ended.err).isZero();
    assertThat(ended.out).contains("etcd 3.6.16 \u2192 ZooKeeper 3.6.16: 1 run, then 1 run");
    assertThat(compare(run + ":consul", run + ":etcd").err)
        .contains("found no complete, readable run of 'consul', expected one or more");
  }

  @Test
  void each_step_and_each_operation_has_its_values_and_its_machines() {
    Path run =
        new SyntheticRun(List.of("etcd"), SECONDS, 1000, List.of(10, 20), SECONDS)
            .write(directory.resolve("steps"));
    Path other =
        new SyntheticRun(List.of("etcd"), SECONDS, 1100, List.of(10, 20), SECONDS)
            .write(directory.resolve("others"));
    Ended ended = compare(run.toString(), other.toString());
    assertThat(ended.out)
        .contains("\nstep 1: 10 clients, put\n", "\nstep 2: 20 clients, put\n")
        .containsPattern(
            "step 2: 20 clients, put\n(?:.+\n)+server CPU per request +[0-9,]+ us +[0-9,]+ us")
        .doesNotContain("clients, machines")
        .containsPattern("\nmachines\n.*\nserver CPU .*\nserver memory ");
  }

  @Test
  void nothing_is_overwritten_and_what_is_missing_is_said() {
    String before = runs("before", 1000);
    assertThat(compare(before, runs("another", 900), "--output", before).err)
        .contains("already exists. Pass a new directory. Nothing was written");
    assertThat(compare(directory.resolve("none").toString(), before).err)
        .contains("none: is not a directory. Pass the directory of a run");
    assertThat(compare(before, before, "--fail-on", "x").err)
        .contains("--fail-on: found the rule 'x', expected a rule such as 'p99 <= +10%'");
    assertThat(
            compare(
                    before,
                    directory.resolve("another").toString(),
                    "--fail-on",
                    "server-memory <= +1%",
                    "--fail-on",
                    "dropped:+1")
                .err)
        .contains("gate 'dropped <= +1': found no such value in these runs, expected one of");
  }

  @Test
  void a_run_is_never_on_both_sides() {
    String before = runs("before", 1000, 1001, 999, 1002, 998, 700, 701, 699, 702, 698);
    String after = runs("after", 700, 701, 699, 702, 698);
    Ended ended = compare(before, after, "--fail-on", "throughput >= -5%");
    assertThat(ended.out).contains("etcd 3.6.16: 5 runs, then 5 runs");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(compare(after, after, "--output", directory.resolve("x").toString()).err)
        .contains("has the same runs as");
  }

  @Test
  void a_rule_of_an_operation_is_applied_to_a_run_of_one_operation() {
    String before = runs("before", 1000, 1001, 999, 1002, 998);
    String after = runs("after", 700, 701, 699, 702, 698);
    assertThat(compare(before, after, "--fail-on", "put throughput >= -5%").exitCode())
        .isEqualTo(3);
  }

  @Test
  void a_failed_run_of_the_candidate_does_not_pass_a_gate() throws IOException {
    String before = runs("before", 1000, 1001, 999, 1002, 998);
    String after = runs("after", 1010, 1011, 1009, 1012, 1008, 1007);
    fail(Path.of(after), 1);
    Ended ended = compare(before, after, "--fail-on", "errors <= +0");
    assertThat(ended.out)
        .contains("is not complete (failed).")
        .contains("gate INCONCLUSIVE: errors <= +0")
        .contains("not all runs of the candidate are complete and readable");
    assertThat(ended.exitCode()).isEqualTo(4);

    Path both = directory.resolve("both");
    new SyntheticRun(List.of("etcd", "zookeeper"), SECONDS, 1000, List.of(10), SECONDS).write(both);
    Path broken = directory.resolve("broken");
    new SyntheticRun(List.of("etcd", "zookeeper"), SECONDS, 900, List.of(10), SECONDS)
        .write(broken);
    fail(broken.resolve("synthetic"), 1);
    Ended failed =
        compare(
            both.toString(),
            broken.toString(),
            "--fail-on",
            "errors <= +0",
            "--output",
            directory.resolve("other").toString());
    assertThat(failed.out).contains("no run of the candidate is complete");
    assertThat(failed.exitCode()).isEqualTo(3);
  }

  /** Marks the first runs below a directory as failed. */
  private static void fail(Path below, int count) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      for (Path manifest :
          files.filter(each -> each.endsWith("manifest.json")).sorted().limit(count).toList()) {
        String text = Files.readString(manifest);
        assertThat(text).contains("\"status\" : \"complete\"");
        Files.writeString(
            manifest,
            text.replace(
                "\"status\" : \"complete\"", "\"status\" : \"failed\", \"reason\" : \"x\""));
      }
    }
  }

  @Test
  void runs_of_another_store_or_too_few_runs_are_no_band() {
    String before = runs("before", 1000);
    String after = runs("after", 1010, 1011);
    assertThat(compare(before, after, "--aa", after).err)
        .contains("--aa: " + after + " has 2 runs of etcd, expected 8 or more");
    Path other = directory.resolve("zk");
    new SyntheticRun(List.of("zookeeper"), SECONDS, 1000, List.of(10), SECONDS).write(other);
    assertThat(compare(before, after, "--aa", other.toString()).err)
        .contains("--aa: " + other + " has no runs of etcd");
  }

  @Test
  void several_candidates_are_told_apart() {
    String before = runs("before", 1000);
    String one = runs("one", 900);
    String two = runs("two <b>*", 800);
    Ended ended = compare(before, one, two);
    assertThat(ended.out).contains("candidate: " + one + "\n", "candidate: " + two + "\n");
    assertThat(text("comparison-2.md")).contains("Candidate: ", "/two &lt;b>\\*\n");
    assertThat(text("index.html")).contains("comparison-2.json", "/two &lt;b&gt;*: ");
    assertThat(compare(before, one, "--threshold", "9", "--margin", "5").exitCode()).isEqualTo(2);
  }

  @Test
  void a_damaged_run_is_named() throws IOException {
    String before = runs("before", 1000, 1001);
    try (Stream<Path> files = Files.walk(Path.of(before))) {
      Path manifest =
          files.filter(each -> each.endsWith("manifest.json")).sorted().findFirst().orElseThrow();
      Files.writeString(manifest, "{\"formatVersion\": 3, \"x\": 1}");
    }
    Ended ended = compare(before, runs("after", 1000));
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.err).contains("manifest.json:1:");
  }

  /** Writes runs whose writes stop 1 s after the start, until a millisecond; 0 is never. */
  private String faulty(String name, int... resumedMillis) {
    long ms = 1_000_000;
    Path side = directory.resolve(name);
    for (int resumed : resumedMillis) {
      Path run = new SyntheticRun(List.of("etcd"), SECONDS, 1000, List.of(10), SECONDS).write(side);
      DatabaseDirectory etcd = new DatabaseDirectory(run.resolve("etcd"));
      FaultRecord.FILE.append(
          etcd,
          new FaultRecord(
              1,
              FaultPlan.Kind.parse("kill-leader").orElseThrow(),
              List.of("etcd-2"),
              TimeUnit.SECONDS.toNanos(Manifests.START.getEpochSecond() + 1),
              1_000 * ms,
              2_000 * ms,
              8_200 * ms,
              Optional.empty(),
              Optional.empty(),
              OptionalLong.empty(),
              OptionalLong.empty(),
              OptionalLong.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
      try (HistoryFile file = HistoryFile.create(FaultRecord.history(etcd))) {
        HistoryFile.Recorder recorder = file.recorder();
        for (long at = 100; at < 8_200; at += 100) {
          boolean stopped = at >= 1_000 && (resumed == 0 || at < resumed);
          Outcome outcome = stopped ? Outcome.FAILED : Outcome.OK;
          recorder.add(
              new RecordedRequest(
                  0, 0, Action.PUT, 7, at, 0, 0, at * ms, at * ms, (at + 1) * ms, outcome, 0));
        }
        recorder.flush();
      }
    }
    return side.toString();
  }

  @Test
  void an_outage_that_did_not_end_passes_no_rule_and_is_never_better() {
    String ended = faulty("ended", 3_000, 3_100, 2_900, 3_000);
    String unended = faulty("unended", 0, 0, 0, 0);

    Ended worse = compare(ended, unended, "--fail-on", "outage:+50%", "--fail-on", "outage:+900%");
    assertThat(worse.exitCode()).as(worse.out + worse.err).isEqualTo(3);
    assertThat(worse.out)
        .containsPattern("outage +2001\\.0 ms +> 7200\\.0 ms +> \\+26[0-9]% .*slower")
        .containsPattern(
            "gate FAILED: outage <= \\+50%: .* > \\+26[0-9]% \\(medians .*\\): slower\n")
        .containsPattern(
            "gate INCONCLUSIVE: outage <= \\+900%: .*: slower; but it may be more, as an outage did"
                + " not end\n");

    String other = directory.resolve("other").toString();
    Ended better = compare(unended, ended, "--fail-on", "outage:+50%", "--output", other);
    assertThat(better.exitCode()).as(better.out + better.err).isEqualTo(4);
    assertThat(better.out)
        .containsPattern(
            "gate INCONCLUSIVE: outage <= \\+50%: .*: not compared: an outage did not end while it"
                + " was observed\n")
        .doesNotContainPattern("outage .*faster");
  }

  @Test
  void a_value_that_some_run_lacks_decides_nothing() {
    String before = faulty("before", 3_000, 3_100, 2_900, 3_000);
    String after = faulty("after", 2_000, 2_100, 1_900, 2_000);
    runs("after", 1000);

    Ended ended = compare(before, after, "--fail-on", "outage:+50%");
    assertThat(ended.exitCode()).as(ended.out + ended.err).isEqualTo(4);
    assertThat(ended.out)
        .containsPattern(
            "gate INCONCLUSIVE: outage <= \\+50%: .*: not compared: 1 of 9 runs have no such"
                + " value\n");
  }
}
