// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.format.ConsoleText;
import io.quorate.report.figures.Reservation;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.latency.Percentile;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.RequestPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a matrix of runs. */
class MatrixReportTest {
  private static final MatrixDirectory DIRECTORY =
      new MatrixDirectory(Path.of("/results/study/20261122T080000Z"));

  @Test
  void the_page_is_this_file() throws IOException {
    assertThat(body(MadeUpMatrix.study())).isEqualTo(golden("study.html"));
  }

  @Test
  void the_page_escapes_what_comes_from_files() {
    MatrixPage page = new MatrixReport(MadeUpMatrix.study().results()).page(DIRECTORY, List.of());

    assertThat(PageTemplate.html("matrix.html.ftl", page))
        .contains("<h1>A &lt;study&gt;</h1>", "<li>005-x: failed: &lt;b&gt;why&lt;/b&gt;</li>")
        .doesNotContain("<b>why");
  }

  @Test
  void limits_of_all_runs_are_tests_for_CI_servers(@TempDir Path directory) throws IOException {
    MatrixDirectory matrix = new MatrixDirectory(directory);
    MadeUpMatrix study = MadeUpMatrix.study();
    new MatrixReport(study.results()).write(matrix);
    assertThat(matrix.junitXml()).doesNotExist();

    study
        .limit("study.etcd, repeat 1", "p99 < 50 ms", Optional.empty())
        .limit("study.etcd, repeat 2", "p99 < 50 ms", Optional.of("60\u0007 <ms"));
    new MatrixReport(study.results()).write(matrix);
    assertThat(Files.readString(matrix.junitXml()))
        .contains(
            "<testsuite name=\"thresholds of study\" tests=\"2\" failures=\"1\"",
            "<testcase classname=\"study.etcd, repeat 1\" name=\"p99 &lt; 50 ms\">",
            "message=\"60\\a &lt;ms\"");
  }

  @Test
  void csv_and_json_have_all_runs() throws IOException {
    MatrixResults results = MadeUpMatrix.study().results();

    assertThat(results.csv().lines().limit(3))
        .containsExactly(
            "CELL,DATABASE,TOPOLOGY,OPERATION,CONSISTENCY,ROUTING,LOAD,REPEAT,REQUESTS,ERRORS,REQUESTS-PER-SECOND,MEAN-MS,FASTEST-MS,P50-MS,P99-MS",
            "001-x,etcd,sn-sz,put,,leader,1"
                + " client,1,10000,0,1250.0,0.8,0.4,0.7200000000000001,2.4000000000000004",
            "001-x,etcd,sn-sz,put,,leader,1"
                + " client,2,10000,0,1219.5121951219512,0.82,0.41,0.738,2.46");
    assertThat(results.csv().lines()).hasSize(27);
    assertThat(results.json())
        .contains(
            """
                  "meanMs" : {
                    "geometricMean" : 0.8032368855512458,
                    "lowest" : 0.79,
                    "highest" : 0.82
                  },
            """)
        .contains("\"notComplete\" : [\n        \"005-x: failed: <b>why</b>\"\n      ]");
  }

  @Test
  void from_five_runs_on_there_are_intervals_of_confidence() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(5)
            .add("sn-sz", "put", "", "leader", "1 client", 1.00, 1.02, 0.98, 1.01, 0.99)
            .add("mn-sz", "put", "", "leader", "1 client", 1.90, 1.94, 1.86, 1.92, 1.88)
            .add("sn-sz", "put", "", "leader", "1000 clients", 100, 120, 90, 110, 95)
            .add("mn-sz", "put", "", "leader", "1000 clients", 98, 105, 92, 101, 94);

    MatrixRatios ratios = new MatrixRatios(matrix.results());

    assertThat(ratios.tables())
        .containsExactly(
            new Table(
                "By topology",
                List.of("cells", "compared", "mean latency", "p99", "throughput"),
                List.of(
                    List.of(
                        "1 client",
                        "3 members, 1 zone / 1 member",
                        "1.90 (1.84 to 1.96: slower)",
                        "1.90 (1.84 to 1.96: slower)",
                        "0.53 (0.51 to 0.54: slower)"),
                    List.of(
                        "1000 clients",
                        "3 members, 1 zone / 1 member",
                        "0.97 (0.82 to 1.11: too close to call)",
                        "0.97 (0.82 to 1.11: too close to call)",
                        "1.03 (0.90 to 1.22: too close to call)"))));
    assertThat(ratios.largest())
        .containsExactly(
            "Largest difference by topology: with 3 members, 1 zone the mean latency is 1.90 (1.84"
                + " to 1.96) times that with 1 member (1 client).");
    assertThat(StudyTables.ms(matrix.results().cells().get(0).meanMs().orElseThrow()))
        .isEqualTo("1.000 (0.980 to 1.02) ms; 95%: 0.980 to 1.02");
  }

  @Test
  void single_runs_that_differ_by_up_to_a_tenth_are_too_close_to_tell() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", 1.0)
            .add("mn-sz", "put", "", "leader", "1 client", 1.09)
            .add("mn-mz", "put", "", "leader", "1 client", 1.9);

    assertThat(rows(matrix.results()))
        .containsExactly(
            List.of(
                "3 members, 1 zone / 1 member",
                "1.09 (too close to call)",
                "1.09 (too close to call)",
                "0.92 (too close to call)"),
            List.of(
                "3 members, 3 zones / 1 member", "1.90 (slower)", "1.90 (slower)", "0.53 (slower)"),
            List.of(
                "3 members, 3 zones / 3 members, 1 zone",
                "1.74 (slower)",
                "1.74 (slower)",
                "0.57 (slower)"));
  }

  @Test
  void with_two_or_three_runs_all_have_to_be_more_than_a_tenth_apart() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(3)
            .add("sn-sz", "put", "", "leader", "1 client", 1.0, 1.01, 0.99)
            .add("mn-sz", "put", "", "leader", "1 client", 1.06, 1.07, 1.05)
            .add("mn-mz", "put", "", "leader", "1 client", 1.2, 1.21, 1.19);

    assertThat(rows(matrix.results()))
        .containsExactly(
            List.of(
                "3 members, 1 zone / 1 member",
                "1.06 (1.04 to 1.08: too few runs)",
                "1.06 (1.04 to 1.08: too few runs)",
                "0.94 (0.93 to 0.96: too few runs)"),
            List.of(
                "3 members, 3 zones / 1 member",
                "1.20 (1.18 to 1.22: slower)",
                "1.20 (1.18 to 1.22: slower)",
                "0.83 (0.82 to 0.85: slower)"),
            List.of(
                "3 members, 3 zones / 3 members, 1 zone",
                "1.13 (1.11 to 1.15: slower)",
                "1.13 (1.11 to 1.15: slower)",
                "0.88 (0.87 to 0.90: slower)"));
  }

  @Test
  void a_value_of_runs_is_their_geometric_mean() {
    assertThat(StudyTables.ms(Spread.of(10, 11, 12, 30, 40)))
        .startsWith("17.38 (10.00 to 40.00) ms");
    assertThat(StudyTables.ms(Spread.of(14, 14.5, 15, 15.5, 16)))
        .startsWith("14.98 (14.00 to 16.00) ms");
  }

  @Test
  void a_ratio_of_stores_with_other_guarantees_says_so() {
    List<CellResult> cells =
        List.of(
            MadeUpMatrix.read("etcd", ReadGuarantee.LINEARIZABLE, 0, 10),
            MadeUpMatrix.read("zookeeper", ReadGuarantee.SYNCED_WITH_LEADER, 7, 1));
    MatrixResults results = MadeUpMatrix.of(cells);

    String remarks =
        "reads have different guarantees: etcd linearizable, zookeeper synced with the leader,"
            + " which no majority confirms; of 1,000 requests of zookeeper 7 failed";
    assertThat(rows(results))
        .containsExactly(
            List.of(
                "zookeeper / etcd", "0.10 (faster)", "0.10 (faster)", "10.0 (faster)", remarks));
    assertThat(new MatrixRatios(results).largest())
        .containsExactly(
            "Largest difference by database: with zookeeper the mean latency is 0.10 times that"
                + " with etcd; "
                + remarks
                + ".");
  }

  @Test
  void a_figure_that_contains_the_load_generators_delay_is_not_compared() {
    MatrixResults ofP99 =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(Map.of("database", "etcd"), Set.of(), false, 10),
                MadeUpMatrix.delayed(
                    Map.of("database", "zookeeper"), Set.of(Percentile.P99), false, 1)));
    assertThat(rows(ofP99)).containsExactly(List.of("zookeeper / etcd", "0.10 (faster)"));
    assertThat(new MatrixRatios(ofP99).tables().get(0).columns())
        .containsExactly("compared", "mean latency");
    assertThat(new MatrixRatios(ofP99).omitted())
        .containsExactly(
            "Not compared: the load generator's delay exceeds a tenth of the latency.");

    MatrixResults ofMean =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(Map.of("database", "etcd"), Set.of(), false, 10),
                MadeUpMatrix.delayed(Map.of("database", "zookeeper"), Set.of(), true, 1)));
    assertThat(rows(ofMean)).containsExactly(List.of("zookeeper / etcd", "0.10 (faster)"));
    assertThat(new MatrixRatios(ofMean).tables().get(0).columns())
        .containsExactly("compared", "p99");
    assertThat(new MatrixRatios(ofMean).largest())
        .containsExactly(
            "No pair by database has a mean latency that may be compared: the load"
                + " generator's delay exceeds a tenth of the latency.");

    MatrixResults ofOneLoad =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(cell("etcd", "10 clients"), Set.of(), false, 10),
                MadeUpMatrix.delayed(cell("etcd", "100 clients"), Set.of(), false, 10),
                MadeUpMatrix.delayed(cell("zookeeper", "10 clients"), Set.of(), false, 8),
                MadeUpMatrix.delayed(cell("zookeeper", "100 clients"), Set.of(), true, 8)));
    assertThat(rows(ofOneLoad))
        .containsExactly(
            List.of(
                "10 clients",
                "zookeeper / etcd",
                "0.80 (faster)",
                "0.80 (faster)",
                "1.25 (faster)"),
            List.of("100 clients", "zookeeper / etcd", "-", "0.80 (faster)", "-"));
  }

  @Test
  void marks_of_each_shown_percentile_are_explained() {
    MatrixResults ofP99 =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(
                    Map.of("database", "etcd"), Set.of(Percentile.P99), false, 10)));
    assertThat(new MatrixReport(ofP99).page(DIRECTORY, List.of()).notes())
        .anyMatch(note -> note.startsWith("* More than a tenth of the latency"));
  }

  @Test
  void the_console_marks_means_and_explains_the_marks() {
    MatrixResults ofMean =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(cell("etcd", "10 clients"), Set.of(), true, 10),
                MadeUpMatrix.delayed(
                    cell("etcd", "100 clients"), Set.of(Percentile.P99), false, 8)));
    assertThat(new MatrixReport(ofMean).text())
        .contains("ms mean *\n", " 8.00 ms mean\n", "\n* More than a tenth of the latency");
  }

  /** In a closed loop the throughput is the number of clients divided by the latency. */
  @Test
  void the_throughput_has_the_marks_of_its_latency() {
    CellResult known =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", 8)
            .results()
            .cells()
            .get(0);
    CellResult late =
        new CellResult(
            known.cell(),
            known.facts(),
            MadeUpMatrix.delayed(known.coordinates(), Set.of(), true, 8).runs(),
            List.of());
    assertThat(new StudyTables(MadeUpMatrix.of(List.of(late))).all().get(0).rows().get(0))
        .contains("125 *", "8.00 ms *");
  }

  @Test
  void a_p99_needs_enough_requests_in_each_repeat() {
    CellResult once = MadeUpMatrix.read("etcd", ReadGuarantee.LINEARIZABLE, 400, 10);
    RepeatFigures run = once.runs().get(0);
    CellResult twice = new CellResult(once.cell(), Optional.empty(), List.of(run, run), List.of());
    assertThat(CellValue.P99.basis(twice).own()).contains(Reservation.TOO_FEW);
  }

  @Test
  void runs_that_decide_nothing_are_counted_first_and_leave_no_ratio() {
    MatrixResults results =
        MadeUpMatrix.of(
            List.of(
                MadeUpMatrix.delayed(Map.of("database", "etcd"), Set.of(), false, 10),
                MadeUpMatrix.disturbed(Map.of("database", "zookeeper"), "others ran", 1)));
    assertThat(new MatrixRatios(results).tables()).isEmpty();
    assertThat(new MatrixRatios(results).omitted())
        .containsExactly(
            "Not compared: other processes or the load generator's delay took too much of the"
                + " time.",
            "No pair has a value that may be compared.");
    MatrixReport report = new MatrixReport(results);
    assertThat(report.text())
        .startsWith(
            "Do not use 1 of 2 runs: other processes or the load generator's delay took too much of\n"
                + "  their time.\n");
    assertThat(report.page(DIRECTORY, List.of()).disturbed())
        .containsExactly("Run 1 of zookeeper: others ran.");
    assertThat(report.page(DIRECTORY, List.of()).dots().get(0).rows())
        .flatExtracting(MatrixDots.Row::dots)
        .extracting(MatrixDots.Dot::text, MatrixDots.Dot::pale)
        .containsExactly(tuple("etcd: 100/s", false), tuple("zookeeper: 1,000/s", true));
  }

  @Test
  void a_headline_is_not_taken_from_the_few_values_that_may_be_compared() {
    List<CellResult> slow =
        List.of(
            MadeUpMatrix.delayed(cell("etcd", "1 client"), Set.of(), false, 10),
            MadeUpMatrix.delayed(cell("zookeeper", "1 client"), Set.of(), false, 8.6),
            MadeUpMatrix.delayed(cell("etcd", "10 clients"), Set.of(), true, 10),
            MadeUpMatrix.delayed(cell("zookeeper", "10 clients"), Set.of(), true, 30),
            MadeUpMatrix.delayed(cell("etcd", "99 clients"), Set.of(), true, 10),
            MadeUpMatrix.delayed(cell("zookeeper", "99 clients"), Set.of(), true, 30));
    assertThat(new MatrixRatios(MadeUpMatrix.of(slow)).largest())
        .contains(
            "2 of 3 pairs by database have no mean latency that may be compared: the load"
                + " generator's delay exceeds a tenth of the latency.")
        .noneMatch(each -> each.contains("0.86"));

    List<CellResult> most = new ArrayList<>(slow.subList(0, 2));
    most.add(MadeUpMatrix.delayed(cell("etcd", "9 clients"), Set.of(), false, 10));
    most.add(MadeUpMatrix.delayed(cell("zookeeper", "9 clients"), Set.of(), false, 30));
    most.addAll(slow.subList(2, 4));
    assertThat(new MatrixRatios(MadeUpMatrix.of(most)).largest())
        .anyMatch(
            each ->
                each.startsWith(
                    "Largest difference by database among 2 of 3 pairs, as the others are not"
                        + " compared: with zookeeper the mean latency is 3.00 times that with"
                        + " etcd"));
  }

  @Test
  void a_dot_has_the_color_of_its_topology_and_is_hollow_for_followers() {
    MatrixDots dots = MatrixDots.of(MadeUpMatrix.study().results()).orElseThrow();

    assertThat(dots.keys())
        .containsExactly(
            new MatrixDots.Key("1 member", "#0072b2"),
            new MatrixDots.Key("3 members, 1 zone", "#d55e00"));
    assertThat(dots.hollow()).isEqualTo("followers");
    assertThat(dots.rows())
        .extracting(MatrixDots.Row::name)
        .containsExactly(
            "put, 1 client",
            "put, 1000 clients",
            "get, linearizable, 1 client",
            "get, stale, 1 client");
    assertThat(dots.rows().get(0).dots())
        .extracting(MatrixDots.Dot::text, MatrixDots.Dot::lane, MatrixDots.Dot::hollow)
        .containsExactly(
            tuple("1 member, leader: 1,245/s", 0, false),
            tuple("3 members, 1 zone, leader: 655/s", 1, false),
            tuple("3 members, 1 zone, followers: 426/s", 1, true));
    assertThat(dots.rows().get(0).dots())
        .allSatisfy(dot -> assertThat(dot.place()).isBetween(dot.from(), dot.to()));
  }

  private static List<List<String>> rows(MatrixResults results) {
    return new MatrixRatios(results).tables().get(0).rows();
  }

  @Test
  void the_console_has_the_largest_differences_and_the_tables_of_ratios() {
    String printed = new MatrixReport(MadeUpMatrix.study().results()).text();

    assertThat(printed.lines().filter(line -> !line.startsWith("|") && !line.startsWith("+")))
        .allMatch(line -> line.length() <= ConsoleText.WIDTH);
    String text = printed.replaceAll("\n  (?=\\S)", " ");
    assertThat(text.lines().limit(4))
        .containsExactly(
            "9 cells, each run 3 times; 26 of 27 runs are complete.",
            "Largest difference by consistency: with stale the mean latency is 0.43 (0.40 to 0.47) times"
                + " that with linearizable (3 members, 1 zone, get, leader, 1 client).",
            "Largest difference by topology: with 3 members, 1 zone the mean latency is 1.90 (1.83"
                + " to 1.97) times that with 1 member (put, leader, 1 client).",
            "Largest difference by routing: with followers the mean latency is 1.54 (1.47 to 1.60)"
                + " times that with leader (3 members, 1 zone, put, 1 client).");
    assertThat(text)
        .contains(
            """
            By routing:
            +--------------------------------+--------------------+-----------------------------+-----------------------------+-----------------------------+
            |             cells              |      compared      |        mean latency         |             p99             |         throughput          |
            +--------------------------------+--------------------+-----------------------------+-----------------------------+-----------------------------+
            |      3 members, 1 zone, put, 1 | followers / leader | 1.54 (1.47 to 1.60: slower) | 1.54 (1.47 to 1.60: slower) | 0.65 (0.63 to 0.68: slower) |
            |                         client |                    |                             |                             |                             |
            +--------------------------------+--------------------+-----------------------------+-----------------------------+-----------------------------+
            """);
  }

  private static Map<String, String> cell(String database, String operation) {
    Map<String, String> coordinates = new LinkedHashMap<>();
    coordinates.put("database", database);
    coordinates.put(operation.endsWith("clients") ? "load" : "operation", operation);
    return coordinates;
  }

  @Test
  void a_run_that_was_faster_than_its_round_trips_is_impossible() {
    RequestPath toMajority = new RequestPath(0, 1, true);
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", least(toMajority, 1.1, 1), 1.0)
            .add("mn-sz", "put", "", "leader", "1 client", least(toMajority, 0.1, 0.1), 1.9);
    MatrixReport times = new MatrixReport(matrix.results());

    assertThat(times.impossible())
        .containsExactly(
            "Impossible: half of the requests of etcd, 1 member, put, leader, 1 client, repeat "
                + "1, took at most 0.900 ms, less than the 1.00 ms of their round trips: the "
                + "results of this run are wrong, or its leader changed.");
    assertThat(times.unexplained())
        .containsExactly(
            "etcd, 3 members, 1 zone, put, leader, 1 client: 1.71 ms, of which the network explains"
                + " 0.100 ms.");
  }

  private static Optional<RoundTripBound> least(RequestPath path, double ms, double floorMs) {
    return Optional.of(new RoundTripBound(path, ms, ms, floorMs, OptionalDouble.empty()));
  }

  @Test
  void what_one_client_waits_longer_than_on_one_member_is_counted_in_round_trips() {
    Optional<RoundTripBound> toMajority = trip(new RequestPath(0, 1, true), 1.5);
    Optional<RoundTripBound> throughFollower = trip(new RequestPath(1, 1, true), 1.5);
    Optional<RoundTripBound> own = trip(RequestPath.OWN, 1.5);
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", 1.0)
            .add("sn-sz", "get", "stale", "leader", "1 client", 0.5)
            .add("mn-mz", "put", "", "leader", "1 client", toMajority, 3.0)
            .add("mn-mz", "put", "", "leader", "1000 clients", toMajority, 3.0)
            .add("mn-mz", "put", "", "followers", "1 client", throughFollower, 4.0)
            .add("mn-mz", "get", "stale", "leader", "1 client", own, 0.48)
            .add("mn-mz", "get", "stale", "followers", "1 client", own, 3.0);
    RoundTripComparison comparison = new RoundTripComparison(matrix.results());

    assertThat(comparison.table().rows())
        .startsWith(
            List.of(
                "3 members, 3 zones, put, leader, 1 client",
                "1.50 ms",
                "0.900 ms",
                "2.70 ms",
                "1.20 \u00b1 0.04",
                "1 of 1.2"))
        .extracting(row -> row.get(0).substring(20) + ": " + row.get(4) + ": " + row.get(5))
        .containsExactly(
            "put, leader, 1 client: 1.20 \u00b1 0.04: 1 of 1.2",
            "put, followers, 1 client: 1.80 \u00b1 0.05: fewer than the 2 of its path",
            "get, followers, 1 client: 1.50 \u00b1 0.04: 0 of 1.5");
  }

  @Test
  void what_chance_may_have_done_is_no_round_trip() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", 100)
            .add(
                "mn-mz",
                "put",
                "",
                "leader",
                "1 client",
                trip(new RequestPath(0, 1, true), 1.5),
                102);

    assertThat(new RoundTripComparison(matrix.results()).table().rows().get(0))
        .endsWith("1.20 \u00b1 1.90", "too close to call");
  }

  private static Optional<RoundTripBound> trip(RequestPath path, double tripMs) {
    double all = tripMs * (path.toLeader() + path.toMajority());
    return Optional.of(new RoundTripBound(path, tripMs, all, all, OptionalDouble.empty()));
  }

  @Test
  void figures_of_the_published_study_stand_beside_cells_like_its_own() {
    CellResult cell = MadeUpMatrix.study().results().cells().get(2);

    assertThat(StudyTables.PublishedStudy.text(cell.facts().orElseThrow(), cell.coordinates()))
        .contains("1.74");
    assertThat(StudyTables.PublishedStudy.text(cell.facts().orElseThrow(), Map.of())).isEmpty();
  }

  @Test
  void the_page_is_the_same_in_every_language() throws IOException {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(body(MadeUpMatrix.study())).isEqualTo(golden("study.html"));
    } finally {
      Locale.setDefault(before);
    }
  }

  /** Returns the page without its head, which has the styles. */
  private static String body(MadeUpMatrix matrix) {
    String page =
        PageTemplate.html(
            "matrix.html.ftl", new MatrixReport(matrix.results()).page(DIRECTORY, List.of()));
    return page.substring(page.indexOf("<body>")).replaceAll("(?s)<script>.*?</script>\n", "");
  }

  private static String golden(String file) throws IOException {
    try (InputStream in = MatrixReportTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
