// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cli.Colors;
import io.quorate.install.DirectoryTree;
import io.quorate.report.compare.Side;
import io.quorate.report.history.HistoryCommand;
import io.quorate.report.table.RowLabels;
import io.quorate.results.Canary;
import io.quorate.results.ExperimentRun;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunArchive;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A run in one directory of published results, of which each test has a copy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublishCommandTest {
  private static final SyntheticRun SHORT =
      new SyntheticRun(List.of("etcd", "zookeeper"), 6, 200, List.of(1, 10), 6);

  private static final String REPEATED =
      "too close to call. 2 published runs: etcd had 1.00 to 1.00";

  private Path made;
  private Path name;
  private Path home;
  private Path run;
  private Path target;
  private Path other;
  private String errors;

  @BeforeAll
  void publishOnce(@TempDir Path results) throws IOException {
    made = results;
    name = made.relativize(onOneMachine(SHORT.write(made)));
    use(made);
    Files.createDirectories(run.resolve("etcd/logs"));
    Files.writeString(run.resolve("etcd/logs/etcd-1.log"), "a log");
    Files.writeString(run.resolve("etcd/gatling.log"), "a log");
    Files.writeString(run.resolve("notes.md"), "private");
    new RunPlan(
            "/home/jane/my.yaml",
            "title: x\n",
            Map.of(
                "quorate.home", "/home/jane/quorate",
                "scenario", "/home/jane/my.yaml",
                "etcd.password.file", "/home/jane/password",
                "clients", "7"))
        .write(new RunDirectory(run));
    Files.writeString(
        run.resolve("etcd/events.jsonl"),
        """
        {"kind":"server-log","source":"etcd-1","step":1,"startUnixNanos":1,"endUnixNanos":1,"dropped":0,"text":"wrote /home/jane/data/snapshot.1"}
        """);
    assertThat(command("publish", run.toString(), "--to", target.toString())).isZero();
    assertThat(errors).isEmpty();
  }

  @BeforeEach
  void copy(@TempDir Path directory) throws IOException {
    home = directory;
    TestRuns.copy(made, home.resolve("results"));
    use(home.resolve("results"));
  }

  private void use(Path results) {
    run = results.resolve(name.toString());
    target = results.resolve("lab-vm/2026-11-21");
    other = results.resolve("lab-vm/2026-11-22");
  }

  @Test
  void a_published_run_is_rendered_again_from_its_files_alone_byte_for_byte() throws IOException {
    Map<String, String> published = contents(target.resolve("synthetic"));
    Path elsewhere = home.resolve("elsewhere");
    for (String name : published.keySet()) {
      boolean derived =
          name.matches("index\\.html|all-aggregated\\.txt|result\\.json|scenario\\.yaml|plots/.*");
      if (!derived) {
        Path copy = elsewhere.resolve(name);
        Files.createDirectories(copy.getParent());
        Files.copy(target.resolve("synthetic").resolve(name), copy);
      }
    }
    new DirectoryTree(run).remove();

    assertThat(command("report", elsewhere.toString())).isZero();

    Map<String, String> rendered = contents(elsewhere);
    assertThat(rendered.keySet()).isEqualTo(published.keySet());
    rendered.forEach((name, text) -> assertThat(text).as(name).isEqualTo(published.get(name)));
  }

  @Test
  void it_has_the_report_and_what_the_report_reads_but_no_logs() throws IOException {
    assertThat(contents(target.resolve("synthetic")).keySet())
        .containsExactly(
            "all-aggregated.txt",
            "card.png",
            "index.html",
            "plots/AVG-CPU.svg",
            "plots/AVG-LATENCY-MS.svg",
            "plots/AVG-THROUGHPUT.svg",
            "plots/AVG-VMRSS-MB.svg",
            "plots/LATENCY-BY-CLIENTS.svg",
            "plots/LATENCY-DISTRIBUTION-MS.svg",
            "plots/THROUGHPUT-BY-CLIENTS.svg",
            "result.json",
            "run.tar.xz",
            "scenario.yaml");
    RunArchive archive = RunArchive.read(target.resolve("synthetic/run.tar.xz"));
    assertThat(archive.directory()).isEqualTo(run.getFileName().toString());
    assertThat(archive.files().keySet())
        .contains("etcd/seconds.csv", "etcd/steps.csv", "zookeeper/errors.csv")
        .contains("etcd/manifest.json", "etcd/latency.hlog")
        .noneMatch(name -> name.endsWith(".log") || name.contains("summary"));
    assertThat(archive.files().get("etcd/latency.hlog"))
        .isEqualTo(Files.readAllBytes(run.resolve("etcd/latency.hlog")));
  }

  @Test
  void the_archive_has_the_canaries_of_the_series_and_no_file_that_is_written_again()
      throws IOException {
    Path again = run.resolveSibling("20261122T000000Z");
    Files.move(run, again);
    Files.writeString(again.resolve("etcd/client-system-metrics-interpolated.csv"), "x\n");
    new Canary(Manifests.START, 1_740_000, 0.13, 11.7).append(again.getParent());

    assertThat(command("publish", again.toString(), "--to", other.toString())).isZero();

    assertThat(RunArchive.read(other.resolve("synthetic/run.tar.xz")).files().keySet())
        .contains("canary.jsonl", "etcd/client-system-metrics.csv")
        .noneMatch(name -> name.endsWith("-interpolated.csv"));
    assertThat(other.resolve("index.html")).content().contains("canary: 1,740,000 requests/s");
    assertThat(command("publish", "--check", other.toString())).as(errors).isZero();
  }

  @Test
  void a_later_run_of_the_same_scenario_is_compared_with_the_published_one() throws IOException {
    Path lab = publishLater();

    Path record = target.resolve("synthetic/reproduced-by.json");
    assertThat(record)
        .content()
        .contains("\"machine\" : \"lab-2\"", "\"date\" : \"2027-01-01\"")
        .contains("\"metric\" : \"throughput\"", "\"verdict\" : \"too close to call");
    assertThat(target.resolve("index.html"))
        .content()
        .contains("../../lab-2/2027-01-01/synthetic/index.html\">repeated by lab-2 on 2027-01-01");
    assertThat(lab.resolve("index.html")).content().doesNotContain("repeated by");
    assertThat(command("publish", "--check", target.toString())).as(errors).isZero();

    Files.writeString(record, Files.readString(record).replace("too close", "same, close"));
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors).contains(record + ": is not what these runs say");

    Path errata = target.resolve("../../ERRATA.md").normalize();
    Files.writeString(errata, "- Withdrawn: results/lab-2/2027-01-01/synthetic\n");
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors).contains(record + ": names no later run that is published here");
    assertThat(command("report", target.toString())).as(errors).isZero();
    assertThat(record).doesNotExist();
    Files.writeString(
        errata, "- Withdrawn: results/a/b/c (disk was full)\n", StandardOpenOption.APPEND);
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors)
        .contains("found '- Withdrawn: results/a/b/c (disk was full)', expected '- Withdrawn: ");
    Files.writeString(errata, "- Withdrawn: results/lab-2/2027-01-01/synthetic\n");
    assertThat(command("publish", "--check", target.toString())).as(errors).isZero();
  }

  @Test
  void a_withdrawn_run_is_marked_and_is_no_baseline() throws IOException {
    Path errata = target.resolve("../../ERRATA.md").normalize();
    Files.writeString(errata, "A line about `- Withdrawn: results/lab-vm/2026-11-21/synthetic`.\n");
    String published = target.resolve("synthetic").toString();
    assertThat(OpenRuns.<Side>with(runs -> Side.read(published, runs)).series()).hasSize(2);

    Files.writeString(errata, "  * withdrawn: `results/lab-vm/2026-11-21/synthetic`\n");
    assertThatThrownBy(() -> OpenRuns.with(runs -> Side.read(published, runs)))
        .hasMessageContaining("lab-vm/2026-11-21/synthetic is withdrawn (" + errata + ")");
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(command("report", target.toString())).as(errors).isZero();
    assertThat(target.resolve("index.html"))
        .content()
        .contains("<a href=\"../../ERRATA.md\">withdrawn</a>");
    assertThat(target.resolve("gallery.html"))
        .content()
        .contains("<b><a href=\"../../ERRATA.md\">withdrawn</a></b>: ");
    assertThat(target.resolve("synthetic/index.html"))
        .content()
        .contains("<b>This run is withdrawn: do not use its values.");
    assertThat(RunList.read(target.getParent()).lines())
        .first()
        .asString()
        .contains("  withdrawn   2026-11-21/synthetic");
    assertThat(command("publish", "--check", target.toString())).as(errors).isZero();

    Files.writeString(
        errata,
        "- Withdrawn: results/lab-wm/2026-11-21/synthetic\n- **Withdrawn** results/a/b/c\n"
            + "- Withdrawn values of the reads/writes of a/b are quoted by others\n",
        StandardOpenOption.APPEND);
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors)
        .contains("withdraws lab-wm/2026-11-21/synthetic, which is not published")
        .contains("found '- **Withdrawn** results/a/b/c', expected '- Withdrawn: ")
        .doesNotContain("quoted by others");
  }

  @Test
  void names_and_paths_of_the_machine_are_left_out() throws IOException {
    RunArchive archive = RunArchive.read(target.resolve("synthetic/run.tar.xz"));
    assertThat(new String(archive.files().get("plan.json"), StandardCharsets.UTF_8))
        .doesNotContain("jane")
        .contains("\"scenario.yaml\"", "\"clients\" : \"7\"", "***");
    assertThat(new String(archive.files().get("etcd/events.jsonl"), StandardCharsets.UTF_8))
        .contains("\"wrote /***/snapshot.1\"");
    Path unpacked = archive.unpack(home.resolve("unpacked"));
    assertThat(Manifest.read(unpacked.resolve("etcd/manifest.json")).host().host()).isEmpty();
  }

  @Test
  void the_commands_that_repeat_it_name_the_published_scenario() throws IOException {
    Path published = target.resolve("synthetic");
    assertThat(Files.readString(published.resolve("index.html")))
        .contains(
            "\n# scenario.yaml: next to this page, and in About\n./quorate run scenario.yaml ");
    Path unpacked =
        RunArchive.read(published.resolve("run.tar.xz")).unpack(home.resolve("unpacked"));
    RunReport report = new RunReport(ExperimentRun.read(unpacked), RowLabels.LATER);
    assertThat(report.consoleSummary(Colors.NONE).next(new RunDirectory(published)))
        .anyMatch(
            line -> line.startsWith("repeat  ./quorate run " + published + "/scenario.yaml "));
  }

  @Test
  void a_run_that_is_not_complete_is_named_and_nothing_is_written() throws IOException {
    Path manifest = run.resolve("zookeeper/manifest.json");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace(
                "\"status\" : \"complete\"", "\"status\" : \"failed\",\n  \"reason\" : \"x\""));
    Path second = SHORT.write(home.resolve("second"));

    assertThat(command("publish", run.toString(), second.toString(), "--to", other.toString()))
        .isNotZero();

    assertThat(errors).contains(run + ": zookeeper: found status failed, expected complete (x)");
    assertThat(other).doesNotExist();
  }

  @Test
  void a_run_without_a_file_is_named() throws IOException {
    Files.delete(run.resolve("etcd/errors.csv"));

    assertThat(command("publish", run.toString(), "--to", other.toString())).isNotZero();

    assertThat(errors).contains(run.toString(), "etcd/errors.csv: found no such file");
    assertThat(other).doesNotExist();
  }

  @Test
  void a_part_of_the_requests_is_published_only_if_that_is_said() throws IOException {
    for (String database : List.of("etcd", "zookeeper")) {
      Path manifest = run.resolve(database).resolve("manifest.json");
      Files.writeString(
          manifest, Files.readString(manifest).replace("\"scale\" : 1.0", "\"scale\" : 0.5"));
    }

    assertThat(command("publish", run.toString(), "--to", other.toString())).isNotZero();
    assertThat(errors).contains(run + ": sent a part of the requests only (--scale)");
    assertThat(other).doesNotExist();

    assertThat(command("publish", run.toString(), "--scaled", "--to", other.toString())).isZero();
    assertThat(Files.readString(other.resolve("synthetic/result.json"))).contains("0.5");
  }

  @Test
  void nothing_is_published_twice_or_overwritten() throws IOException {
    Map<String, String> first = contents(target.resolve("synthetic"));
    assertThat(command("publish", run.toString(), "--to", target.toString())).isNotZero();
    assertThat(errors).contains(run + ": is published already, in " + target.resolve("synthetic"));
    Path again = run.resolveSibling("20261122T000000Z");
    Files.move(run, again);

    assertThat(command("publish", again.toString(), "--to", target.toString())).isZero();

    assertThat(target.resolve("synthetic-2/index.html")).exists();
    Map<String, String> second = contents(target.resolve("synthetic"));
    assertThat(second.remove("index.html")).contains(REPEATED);
    first.keySet().removeAll(Set.of("index.html", "card.png"));
    second.remove("card.png");
    assertThat(second).isEqualTo(first);
  }

  @Test
  void only_directories_of_a_machine_and_a_date_are_published_to() {
    assertThat(command("publish", run.toString(), "--to", home.resolve("x").toString()))
        .isNotZero();
    assertThat(errors).contains("expected results/<machine>/<date>");
  }

  @Test
  void the_check_names_files_that_are_missing_changed_or_too_many() throws IOException {
    assertThat(command("publish", "--check", target.toString())).isZero();
    Path synthetic = target.resolve("synthetic");

    Files.writeString(
        synthetic.resolve("result.json"),
        Files.readString(synthetic.resolve("result.json")).replace("\"steps\"", "\"step\""));
    Files.delete(synthetic.resolve("plots/AVG-CPU.svg"));
    Files.writeString(synthetic.resolve("notes.txt"), "x");
    Files.writeString(
        synthetic.resolve("index.html"),
        Files.readString(synthetic.resolve("index.html")).replace("</h1>", " (ours)</h1>"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);
    assertThat(errors.lines())
        .anyMatch(line -> line.startsWith(synthetic.resolve("result.json") + ": is not what"))
        .anyMatch(line -> line.startsWith(synthetic.resolve("index.html") + ": is not what"))
        .anyMatch(line -> line.equals(synthetic.resolve("plots/AVG-CPU.svg") + ": is missing"))
        .anyMatch(
            line ->
                line.equals(
                    synthetic.resolve("notes.txt") + ": does not belong to a published run"));
  }

  @Test
  void the_check_names_files_whose_sums_differ() throws IOException {
    Path sums = target.resolve("SHA256SUMS");
    assertThat(Files.readString(sums))
        .containsPattern("[0-9a-f]{64}  index.html\n")
        .containsPattern("[0-9a-f]{64}  synthetic/run.tar.xz\n");
    Path plot = target.resolve("synthetic/plots/AVG-CPU.svg");
    Files.writeString(plot, "<svg/>");
    Files.writeString(
        sums,
        Files.readString(sums)
            .replaceFirst(".* {2}synthetic/card.png\n", "")
            .replace("synthetic/result.json", "synthetic/results.json"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors.lines())
        .anyMatch(line -> line.matches(plot + ": its SHA-256 is [0-9a-f]{64}, expected .+"))
        .contains(
            target.resolve("synthetic/card.png") + ": is not listed in SHA256SUMS",
            target.resolve("synthetic/result.json") + ": is not listed in SHA256SUMS",
            target.resolve("synthetic/results.json") + ": is missing, as SHA256SUMS lists it");

    assertThat(command("report", target.toString())).isZero();
    assertThat(command("publish", "--check", target.toString())).isZero();
    Files.delete(sums);
    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);
    assertThat(errors).startsWith(sums + ": is missing: run './quorate report' with");
  }

  @Test
  void a_signature_holds_for_the_signed_sums_and_the_keys_that_are_trusted() throws Exception {
    Path key = key("jane");
    Path signers = Files.writeString(home.resolve("signers"), "jane " + publicKey(key));
    String[] verified = {"publish", "--check", target.toString(), "--verify", signers.toString()};
    assertThat(command(verified)).isEqualTo(1);
    assertThat(errors).contains("SHA256SUMS.sig: is missing, so nobody has signed the results");

    assertThat(command("publish", "--sign", key.toString(), "--to", target.toString())).isZero();
    assertThat(command(verified)).isZero();
    assertThat(command("publish", "--check", target.toString())).isZero();

    Files.writeString(signers, "joe " + publicKey(key("joe")));
    assertThat(command(verified)).isEqualTo(1);
    assertThat(errors).contains("SHA256SUMS.sig: no key of " + signers + " has signed it");

    Path sums = target.resolve("SHA256SUMS");
    Files.writeString(sums, Files.readString(sums).replaceFirst(".*scenario.yaml\n", ""));
    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);
    assertThat(errors).contains("SHA256SUMS.sig: does not hold: ", "sign again with --sign");
  }

  @Test
  void a_later_repetition_and_a_newer_report_leave_a_signature_valid() throws Exception {
    Path key = key("jane");
    Path signers =
        Files.writeString(home.resolve("signers"), "jane,jane@example.com " + publicKey(key));
    String[] verified = {"publish", "--check", target.toString(), "--verify", signers.toString()};
    assertThat(command("publish", "--sign", key.toString(), "--to", target.toString())).isZero();
    String sums = Files.readString(target.resolve("SHA256SUMS"));

    publishLater();
    assertThat(target.resolve("SHA256SUMS")).content().isNotEqualTo(sums).contains("reproduced-by");
    assertThat(command(verified)).as(errors).isZero();

    Files.writeString(
        target.resolve("../../ERRATA.md").normalize(),
        "- Withdrawn: results/lab-vm/2026-11-21/synthetic\n");
    assertThat(command("report", target.toString())).as(errors).isZero();
    assertThat(command(verified)).as(errors).isZero();
  }

  @Test
  void a_changed_archive_or_scenario_is_neither_rendered_nor_published_with_nor_signed()
      throws Exception {
    Path sums = target.resolve("SHA256SUMS");
    String before = Files.readString(sums);
    Path archive = target.resolve("synthetic/run.tar.xz");
    Path again = run.resolveSibling("20261122T000000Z");
    TestRuns.copy(run, again);
    String key = key("jane").toString();
    change("etcd/events.jsonl", text -> text.replace("snapshot.1", "snapshot.2"));
    String[][] commands = {
      {"report", target.toString()},
      {"report", archive.getParent().toString()},
      {"publish", again.toString(), "--to", target.toString()},
      {"publish", again.toString(), "--to", other.toString()},
      {"publish", "--sign", key, "--to", target.toString()},
    };
    for (String[] each : commands) {
      assertThat(command(each)).isNotZero();
      assertThat(errors).containsPattern(archive + ": its SHA-256 is [0-9a-f]{64}, expected ");
    }
    assertThat(errors).contains("--sign: nothing was signed");
    assertThat(sums).content().isEqualTo(before);
    assertThat(target.resolve("synthetic-2")).doesNotExist();
    assertThat(other).doesNotExist();
    assertThat(target.resolve("SHA256SUMS.sig")).doesNotExist();

    Files.writeString(sums, before.replaceFirst(".*run.tar.xz\n", ""));
    assertThat(command("report", target.toString())).as(errors).isZero();
    assertThat(command("publish", "--check", target.toString())).as(errors).isZero();

    Path scenario = target.resolve("synthetic/scenario.yaml");
    Files.writeString(scenario, "title: other\n");
    assertThat(command("report", target.toString())).isNotZero();
    assertThat(errors).contains(scenario + ": its SHA-256", "Restore it. If the change is meant, ");
  }

  @Test
  void a_date_without_runs_is_neither_made_nor_signed() throws Exception {
    Path wrong = target.resolveSibling("2026-12-21");
    assertThat(command("publish", "--sign", key("jane").toString(), "--to", wrong.toString()))
        .isNotZero();
    assertThat(errors).contains(wrong + ": contains no published run; next to it: 2026-11-21\n");
    assertThat(wrong).doesNotExist();
  }

  @Test
  void files_that_no_command_wrote_are_named_and_get_no_sum() throws IOException {
    Files.writeString(target.resolve("my notes.txt"), "x");
    publishLater();
    assertThat(command("report", target.toString())).as(errors).isZero();
    assertThat(target.resolve("SHA256SUMS")).content().doesNotContain("notes");
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors)
        .isEqualTo(target.resolve("my notes.txt") + ": is not listed in SHA256SUMS\n");

    Files.writeString(
        target.resolve("SHA256SUMS"),
        "0".repeat(64) + "  my notes.txt\n",
        StandardOpenOption.APPEND);
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors).contains("my notes.txt: its SHA-256 is ");
  }

  @Test
  void a_wrong_line_of_the_sums_does_not_hide_the_other_problems() throws IOException {
    Files.writeString(target.resolve("SHA256SUMS"), "wrong\n", StandardOpenOption.APPEND);
    Files.writeString(target.resolve("synthetic/notes.txt"), "x");
    assertThat(command("publish", "--check", target.toString())).isOne();
    assertThat(errors)
        .contains("notes.txt: does not belong to a published run", ": found 'wrong', expected 64");
  }

  @Test
  void histories_are_not_written_into_a_published_run() throws IOException {
    Path published = target.resolve("synthetic");
    assertThat(command("report", "--jepsen", published.toString())).isNotZero();
    assertThat(errors)
        .contains("--jepsen: found a published run", "Unpack its " + published + "/run.tar.xz");
  }

  @Test
  void a_key_that_cannot_sign_is_named() throws IOException {
    Path none = Files.writeString(home.resolve("none"), "no key");
    assertThat(command("publish", "--sign", none.toString(), "--to", target.toString()))
        .isNotZero();
    assertThat(errors).contains("cannot sign with " + none);
    assertThat(target.resolve("SHA256SUMS.sig")).doesNotExist();
  }

  /** Publishes a later run of the same scenario on another machine. */
  private Path publishLater() throws IOException {
    Path later = home.resolve("later");
    TestRuns.copy(run, later);
    for (String database : List.of("etcd", "zookeeper")) {
      Path manifest = later.resolve(database).resolve("manifest.json");
      Files.writeString(manifest, Files.readString(manifest).replace("T07:51:", "T07:52:"));
    }
    Path lab = target.resolve("../../lab-2/2027-01-01").normalize();
    assertThat(command("publish", later.toString(), "--to", lab.toString())).as(errors).isZero();
    return lab;
  }

  private Path key(String name) throws Exception {
    Path key = home.resolve(name);
    int code =
        new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString())
            .start()
            .waitFor();
    assertThat(code).isZero();
    return key;
  }

  private static String publicKey(Path key) throws IOException {
    return Files.readString(Path.of(key + ".pub"));
  }

  @Test
  void the_check_compares_counts_with_the_manifests() throws IOException {
    String cost =
        "{\"step\" : 1, \"clients\" : 1, \"requests\" : 7, \"elapsedNanos\" : 1, \"requestNanos\" :"
            + " 1, \"cpuNanos\" : 1, \"gcPauseNanos\" : 0, \"longestGcPauseNanos\" : 0}";
    change(
        "etcd/manifest.json",
        text ->
            text.replace(
                "\"loadGeneratorCosts\" : [ ]", "\"loadGeneratorCosts\" : [" + cost + "]"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors)
        .containsPattern("synthetic: etcd/seconds.csv: found [0-9,]+ requests, expected 7 as in");
  }

  @Test
  void an_unreadable_file_does_not_replace_the_page() throws IOException {
    change("etcd/latency.hlog", text -> text.substring(0, text.length() / 2));
    Map<String, String> published = contents(target);

    for (Path each : List.of(target, target.resolve("synthetic"))) {
      assertThat(command("report", each.toString())).isEqualTo(1);
      assertThat(errors).contains("etcd/latency.hlog", "found ", "The report stays as it is");
      assertThat(contents(target)).isEqualTo(published);
    }
  }

  @Test
  void a_history_has_the_same_values_as_of_the_run_itself() throws IOException {
    String own = history("own", run);
    assertThat(history("published", target.resolve("synthetic"))).isEqualTo(own);
    assertThat(history("own", target)).as("the same run is not added again").isEqualTo(own);
  }

  private String history(String name, Path added) throws IOException {
    Path history = home.resolve(name);
    int code =
        new CommandLine(new HistoryCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .execute(
                history.toString(), "--add", added.toString(), "--commit", "1", "--build", "1");
    assertThat(code).isZero();
    // the machine has no name any more
    return Files.readString(history.resolve("history.ndjson")).replace("bench-1", "unknown");
  }

  @Test
  void a_directory_without_an_archive_is_incomplete() throws IOException {
    Files.delete(target.resolve("synthetic/run.tar.xz"));

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors).contains(target.resolve("synthetic/run.tar.xz") + ": is missing");
  }

  @Test
  void the_report_of_the_directory_writes_the_reports_of_all_runs_and_the_index()
      throws IOException {
    Map<String, String> published = contents(target);
    Files.delete(target.resolve("index.html"));
    Files.delete(target.resolve("synthetic/index.html"));

    assertThat(command("report", target.toString())).isZero();

    assertThat(contents(target)).isEqualTo(published);
  }

  @Test
  void an_unreadable_manifest_is_named() throws IOException {
    change("etcd/manifest.json", text -> "{}");

    assertThat(command("publish", "--check", target.toString())).isEqualTo(1);

    assertThat(errors)
        .contains(
            target.resolve("synthetic/run.tar.xz/etcd/manifest.json")
                + ": found formatVersion nothing");
  }

  @Test
  void the_index_has_the_databases_of_each_run_with_its_last_load_and_a_bar() throws IOException {
    String index = Files.readString(target.resolve("index.html"));
    assertThat(index)
        .contains("<h1>Example results: lab-vm, 2026-11-21</h1>")
        .contains("<a href=\"synthetic/index.html\">")
        .contains("data-filter=\"database\" data-value=\"etcd\"", "data-value=\"ZooKeeper\"");
    assertThat(index.split("<tr data-row ", -1)).hasSize(1 + 2);
    assertThat(index)
        .contains("10 clients (the last of 2 loads)", "style=\"--part:100\"")
        .contains(
            "<tr data-row data-database=\"ZooKeeper\" data-version=\"ZooKeeper 3.6.16\""
                + " data-settings=\"default\" data-operation=\"put\" data-reads=\"none\" data-scenario=\"");
    assertThat(index).contains("<small class=\"ratio\">1.00</small>");
  }

  @Test
  void repeated_runs_share_their_rows_in_the_index_with_medians_and_their_band()
      throws IOException {
    Path faster =
        onOneMachine(
            new SyntheticRun(List.of("etcd", "zookeeper"), 6, 400, List.of(1, 10), 6)
                .write(home.resolve("results")));

    assertThat(command("publish", run.toString(), faster.toString(), "--to", other.toString()))
        .as(errors)
        .isZero();

    String index = Files.readString(other.resolve("index.html"));
    assertThat(index.split("<tr data-row ", -1)).hasSize(1 + 2);
    assertThat(index)
        .contains(
            "<a href=\"synthetic/index.html\">run 1</a>, <a href=\"synthetic-2/index.html\">run"
                + " 2</a>; A/A band: throughput ")
        .containsPattern("<span class=\"value\">[0-9]+ \\([0-9]+ to [0-9]+\\)</span>")
        .contains("<small class=\"ratio\">1.00</small>");
    for (String page : List.of("synthetic", "synthetic-2")) {
      assertThat(Files.readString(other.resolve(page).resolve("index.html")))
          .contains(
              "are within 112% of each other, as published runs of one database are: too close",
              "2 published runs: ", "values within 112% (latencies: ");
    }
    assertThat(command("publish", "--check", other.toString())).as(errors).isZero();

    Path errata = home.resolve("results/ERRATA.md");
    Files.writeString(errata, "- Withdrawn: results/lab-vm/2026-11-22/synthetic-2\n");
    assertThat(command("report", other.toString())).as(errors).isZero();
    assertThat(Files.readString(other.resolve("synthetic/index.html")))
        .doesNotContain("published runs: ");
  }

  @Test
  void published_pages_are_examples_with_the_values_of_the_run_and_without_winners()
      throws IOException {
    for (String page : List.of("index.html", "synthetic/index.html")) {
      assertThat(Files.readString(target.resolve(page)))
          .contains("not a reference")
          .doesNotContain("\u2605", "<small>best</small>");
    }
    assertThat(Files.readString(target.resolve("synthetic/index.html")))
        .contains("<li>percentiles of a handful of requests</li>");
    assertThat(command("report", run.toString())).isZero();
    assertThat(Files.readString(run.resolve("index.html"))).doesNotContain("not a reference");
    // the machine has no name any more
    assertThat(Files.readString(target.resolve("synthetic/result.json")))
        .isEqualTo(
            Files.readString(run.resolve("result.json"))
                .replaceAll("\\s*\"host\" : \"[^\"]*\",", ""));
  }

  @Test
  void the_list_reads_the_results_of_a_published_run_without_its_archive() throws IOException {
    Files.writeString(target.resolve("synthetic/run.tar.xz"), "not unpacked");

    assertThat(RunList.read(target.getParent()).lines())
        .first()
        .asString()
        .contains("  complete    2026-11-21/synthetic  ");

    // rates of locks are small
    Path result = target.resolve("synthetic/result.json");
    Files.writeString(
        result,
        Files.readString(result).replaceAll("(\"requestsPerSecondAverage\" : )[0-9.]+", "$10.166"));
    assertThat(RunList.read(target.getParent()).lines()).anyMatch(line -> line.contains("0.17/s"));

    // a search has a capacity instead of the values of its probe
    Files.writeString(
        result,
        Files.readString(result)
            .replace(
                "\"figures\"",
                "\"capacity\" : [{\"of\": \"rate\", \"holds\": {\"load\": 1050, \"passed\": 2}}],"
                    + " \"figures\""));
    assertThat(RunList.read(target.getParent()).lines())
        .anyMatch(line -> line.matches("  \\S+ +1,050/s held"));

    // a matrix has cells, and no values in common
    Files.delete(result);
    Files.writeString(
        new MatrixDirectory(target.resolve("synthetic")).resultJson(),
        "{\"start\": \"2026-11-21T07:51:46Z\", \"title\": \"Two\", \"cells\": [{}]}");
    assertThat(RunList.read(target.getParent()).lines())
        .containsExactly("2026-11-21 07:51  matrix      2026-11-21/synthetic  Two", "  1 cell");

    // a damaged time hides no other run
    Files.writeString(
        new MatrixDirectory(target.resolve("synthetic")).resultJson(), "{\"start\": \"today\"}");
    assertThat(RunList.read(target.getParent()).lines())
        .first()
        .asString()
        .startsWith("unknown  unreadable  2026-11-21/synthetic  Text 'today'");
  }

  @Test
  void the_card_has_the_size_of_previews_and_is_named_by_the_page() throws IOException {
    BufferedImage card = ImageIO.read(target.resolve("synthetic/card.png").toFile());
    assertThat(card.getWidth()).isEqualTo(1200);
    assertThat(card.getHeight()).isEqualTo(630);
    assertThat(IntStream.range(0, 1200).filter(x -> card.getRGB(x, 80) != 0xffffffff).count())
        .isPositive();
    assertThat(Files.readString(target.resolve("synthetic/index.html")))
        .contains("<meta property=\"og:image\" content=\"card.png\">");
  }

  /** Changes a file in the archive. */
  private void change(String name, UnaryOperator<String> change) throws IOException {
    Path file = target.resolve("synthetic/run.tar.xz");
    RunArchive archive = RunArchive.read(file);
    TreeMap<String, byte[]> files = new TreeMap<>(archive.files());
    files.computeIfPresent(
        name,
        (any, content) ->
            change
                .apply(new String(content, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8));
    Files.write(file, new RunArchive(archive.directory(), files).bytes());
  }

  /** Gives the members addresses of the load generator's machine. */
  private static Path onOneMachine(Path run) throws IOException {
    for (String database : List.of("etcd", "zookeeper")) {
      Path manifest = run.resolve(database).resolve("manifest.json");
      Files.writeString(
          manifest, Files.readString(manifest).replaceAll("\"10\\.[0-9.]+:", "\"127.0.0.1:"));
    }
    return run;
  }

  private int command(String... arguments) {
    StringWriter err = new StringWriter();
    int code =
        new CommandLine(arguments[0].equals("report") ? new ReportCommand() : new PublishCommand())
            .setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err, true))
            .execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    errors = err.toString();
    return code;
  }

  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path file : TestRuns.files(directory)) {
      contents.put(
          directory.relativize(file).toString(),
          new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    }
    return contents;
  }
}
