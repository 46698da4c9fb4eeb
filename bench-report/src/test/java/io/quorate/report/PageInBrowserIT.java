// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.NightlyRun;
import io.quorate.report.compare.CompareCommand;
import io.quorate.report.history.HistoryCommand;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The page as a browser shows it and as a screen reader reads it. */
@RequiresChromium
class PageInBrowserIT {
  private static final int[] WIDTHS =
      NightlyRun.isOn() ? new int[] {400, 800, 1400} : new int[] {400, 1400};

  /**
   * Content-Security-Policy of Jenkins for artifacts, with leave for the test to look at the page.
   */
  private static final String JENKINS =
      "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'";

  private static final Path PUBLISHED = Path.of("..", "results", "example", "2026-11-27");

  private static final String ATTACK =
      "<script>window.attacked=1</script><img src=x onerror=attacked=1>";

  @TempDir private static Path browsers;
  private static Chromium light;
  private static Chromium dark;

  @TempDir Path home;

  @BeforeAll
  static void startTheBrowsers() throws IOException {
    light = Chromium.start(Files.createDirectory(browsers.resolve("light")), false);
    dark = Chromium.start(Files.createDirectory(browsers.resolve("dark")), true);
  }

  @AfterAll
  static void closeTheBrowsers() {
    for (Chromium browser : Arrays.asList(light, dark)) {
      if (browser != null) {
        browser.close();
      }
    }
  }

  @Test
  void aPageOfThreeDatabasesReadsWellAtEveryWidth() {
    GoldenRun run = new GoldenRun(home, "etcd", "zookeeper", "consul");
    run.report().write();
    for (JsonNode found : visit(run, "", light)) {
      assertReadable(found);
      assertThat(found.path("background").asText()).isEqualTo("rgb(255, 255, 255)");
      assertThat(texts(found, "headings").stream().map(text -> text.replaceAll(" .[0-9]+.$", "")))
          .containsExactly(
              "Quick look",
              "Verdict",
              "Plots",
              "Costs",
              "All plots",
              "Table in dbtester's format",
              "About",
              "Configuration",
              "Errors",
              "Files");
      assertAnswersFirst(found);
      assertThat(found.path("pictures").size()).isBetween(3, 7);
      assertThat(found.path("charts").asInt()).isGreaterThan(15);
      for (JsonNode width : found.path("pictures")) {
        assertThat(width.asInt()).isBetween(300, found.path("width").asInt());
      }
    }
  }

  /** What a reader sees without opening a fold. */
  private static void assertAnswersFirst(JsonNode found) {
    assertThat(found.path("textHeight").asInt())
        .as("height at " + found.path("width"))
        .isLessThan(found.path("width").asInt() >= 1400 ? 8_000 : 10_000);
    assertThat(found.path("words").asInt()).as("words before folds").isBetween(30, 1_500);
    assertIsWhole(found);
  }

  private static void assertIsWhole(JsonNode found) {
    assertThat(texts(found, "cutTables")).isEmpty();
    assertThat(texts(found, "emptyPlots")).isEmpty();
    assertThat(texts(found, "deaf")).as("plots over seconds without the cursor").isEmpty();
    assertThat(texts(found, "notLinked")).isEmpty();
    assertThat(texts(found, "notOffered")).as("plots without CSV and PNG").isEmpty();
    assertThat(texts(found, "notReached")).as("the plot of a link").isEmpty();
    assertThat(texts(found, "notSorted")).isEmpty();
    assertThat(found.path("smallestText").asDouble()).isGreaterThanOrEqualTo(9);
  }

  /** The published pages are those of all kinds of runs; a test renders them again at night. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "write-1M-keys-client-variable",
        "capacity-write-capacity",
        "faults-kill-leader",
        "etcd-network-latency",
        "."
      })
  void each_kind_of_page_answers_before_its_folds(String name) {
    Path page = PUBLISHED.resolve(name).normalize();
    for (Chromium browser : List.of(light, dark)) {
      try (PageVisit visit = new PageVisit(page, "")) {
        for (JsonNode found : visit.findings(browser, 400, 1400)) {
          assertReadable(found);
          assertAnswersFirst(found);
        }
      }
    }
  }

  @Test
  void pages_of_watches_and_locks_and_the_list_of_runs_answer_before_their_folds()
      throws IOException {
    Path results = home.resolve("results");
    Path watched = results.resolve("watch/20261101T000000Z");
    TestRuns.copy(
        Path.of("../bench-report/src/test/resources/io/quorate/report/frozen/watch"), watched);
    GoldenRun.report(watched).write();
    GoldenRun locked = LocksAndSessionsTest.locked(home);
    locked.report().write();
    RunList.read(results).writeIndex();
    for (Path page : List.of(watched, locked.directory().path(), results)) {
      for (Chromium browser : List.of(light, dark)) {
        try (PageVisit visit = new PageVisit(page, "")) {
          for (JsonNode found : visit.findings(browser, 400, 1400)) {
            assertReadable(found);
            assertAnswersFirst(found);
            assertThat(found.path("tables").asInt())
                .as("tables to sort")
                .isGreaterThanOrEqualTo(page.equals(locked.directory().path()) ? 0 : 1);
          }
        }
      }
    }
  }

  @Test
  void the_list_of_runs_is_sorted_by_time_and_by_version() throws IOException {
    Path results = home.resolve("results");
    List<String> tags = List.of("etcd-v3.9.2", "etcd-v3.10.0", "etcd-v3.7.3");
    List<String> starts =
        List.of("2026-10-30T10:05:00Z", "2026-09-01T08:00:00Z", "2026-10-30T09:50:00Z");
    for (int i = 0; i < tags.size(); i++) {
      Path run = new SyntheticRun(List.of("etcd"), 4, 100, List.of(1), 4).write(results);
      Path manifest = run.resolve("etcd/manifest.json");
      Files.writeString(
          manifest,
          Files.readString(manifest)
              .replaceFirst("\"tag\" : \"[^\"]*\"", "\"tag\" : \"" + tags.get(i) + "\"")
              .replaceFirst("\"start\" : \"[^\"]*\"", "\"start\" : \"" + starts.get(i) + "\""));
    }
    RunList.read(results).writeIndex();
    try (PageVisit visit = new PageVisit(results, "")) {
      JsonNode sorted = visit.findings(light, 1400).get(0).path("sorted");
      assertThat(texts(sorted, "Start (UTC)"))
          .containsExactly("2026-09-01 08:00", "2026-10-30 09:50", "2026-10-30 10:05");
      assertThat(texts(sorted, "Database"))
          .containsExactly("etcd-v3.7.3", "etcd-v3.9.2", "etcd-v3.10.0");
    }
  }

  @Test
  void the_page_of_a_comparison_reads_well() throws Exception {
    Path run = PUBLISHED.resolve("put-default-settings");
    Path output = home.resolve("comparison");
    new CommandLine(new CompareCommand())
        .setOut(new PrintWriter(new StringWriter()))
        .execute(run.toString(), run + "-2", "--output", output.toString());
    assertThat(ComparisonSentences.problems(output)).isEmpty();
    for (Chromium browser : List.of(light, dark)) {
      try (PageVisit visit = new PageVisit(output, "")) {
        for (JsonNode found : visit.findings(browser, 400, 1400)) {
          assertReadable(found);
          assertAnswersFirst(found);
          assertThat(found.path("tables").asInt()).as("tables to sort").isPositive();
        }
      }
    }
  }

  @Test
  void thePageIsDarkForThoseWhoWantIt() {
    for (JsonNode found : visit(golden(), "", dark)) {
      assertReadable(found);
      assertAnswersFirst(found);
      assertThat(found.path("background").asText()).isEqualTo("rgb(21, 24, 28)");
    }
  }

  /** Styles are not applied there, so the bare HTML and the attributes of the pictures count. */
  @Test
  void whereStylesAreForbiddenThePageIsStillReadable() {
    for (JsonNode found : visit(golden(), JENKINS, light)) {
      assertThat(texts(found, "violations")).isEmpty();
      assertThat(found.path("background").asText()).isEqualTo("rgba(0, 0, 0, 0)");
      assertThat(found.path("cellBorder").asText()).isEqualTo("inset");
      assertThat(texts(found, "fills")).containsOnly("rgb(0, 114, 178)");
      assertThat(texts(found, "headings")).hasSize(9);
    }
  }

  @Test
  void whateverIsInTheFilesStaysText() {
    GoldenRun run = golden();
    for (String id : List.of("etcd", "zookeeper", "consul")) {
      run.replace(id + "/manifest.json", "Quick look", "Quick" + ATTACK);
      run.replace(id + "/manifest.json", "\"bench-1\"", "\"" + ATTACK + "\"");
    }
    run.replace("zookeeper/errors.csv", "zk: connection closed", ATTACK + "x".repeat(300));
    run.write("etcd/'onclick=attacked=1.csv", "");
    run.report().write();
    for (JsonNode found : visit(run, "", light)) {
      assertReadable(found);
      assertThat(found.path("title").asText()).isEqualTo("Quick" + ATTACK);
    }
  }

  @Test
  void aRunWithoutAResultReadsWellToo() {
    GoldenRun run = new GoldenRun(home, "etcd");
    Manifests.of("zookeeper", "zookeeper-" + "x".repeat(80), 1, 5000)
        .failed(Manifests.START, "no leader")
        .write(run.directory().createDatabase("zookeeper"));
    run.report().write();
    visit(run, "", light).forEach(PageInBrowserIT::assertReadable);

    run.replace("etcd/manifest.json", "\"complete\"", "\"interrupted\"");
    run.report().write();
    visit(run, "", light).forEach(PageInBrowserIT::assertReadable);
  }

  @Test
  void theHistoryReadsWellToo() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int day = 10; day < 30; day++) {
      String line =
          """
          {"formatVersion":1,"run":"quick/%1$d","runStart":"2026-11-%1$dT02:00:00Z",\
          "start":"2026-11-%1$dT02:00:00Z","commit":"%1$d%2$s",\
          "scenario":"quick","database":"etcd","title":"etcd 3.6.%3$d%2$s","conditions":{},\
          "values":[{"group":"10 clients, put","step":1,"metrics":{"throughput":%4$d,"p99":%3$d}}]}
          """;
      int level = day < 20 ? 5 : 6;
      lines.append(line.formatted(day, ATTACK, level, 1_000 * level + day));
    }
    Files.writeString(home.resolve("history.ndjson"), lines);
    assertThat(new CommandLine(new HistoryCommand()).execute(home.toString())).isZero();
    Files.move(home.resolve("history.html"), home.resolve("index.html"));
    for (Chromium browser : List.of(light, dark)) {
      try (PageVisit visit = new PageVisit(home, "")) {
        for (JsonNode found : visit.findings(browser, WIDTHS)) {
          assertReadable(found);
          assertAnswersFirst(found);
          assertThat(texts(found, "headings"))
              .containsExactly("History: quick", "1 slower, 1 faster", "Plots", "Reproduce");
          assertThat(found.path("charts").asInt()).isEqualTo(2);
        }
      }
    }
  }

  /** From a file, under the policy of the page, which lets only one more script run. */
  @Test
  void aReaderHoversHidesAndZooms() throws Exception {
    GoldenRun run = new GoldenRun(home, "etcd", "zookeeper", "consul");
    run.replace("etcd/manifest.json", "Quick look", "Quick" + ATTACK);
    run.report().write();
    JsonNode told = drive(run, "");
    assertThat(told.path("charts").asInt()).isGreaterThan(15);
    assertThat(texts(told, "pressedAtFirst")).containsOnly("true").hasSize(3);
    assertThat(told.path("zoomedAtFirst").asBoolean()).isFalse();
    assertThat(texts(told, "hovered")).hasSize(3).allMatch(text -> text.matches("[\\d.,]+"));
    assertThat(told.path("at").asText()).matches("at [\\d.,]+ s");
    assertThat(told.path("deaf").asInt()).as("plots over seconds without the cursor").isZero();
    assertThat(told.path("hoveredOther").asText()).isEqualTo(told.path("at").asText());
    assertThat(told.path("hidden").asText()).isEqualTo("false");
    assertThat(told.path("hiddenOther").asText()).isEqualTo("false");
    assertThat(told.path("addressHidden").asText()).startsWith("#view=CPU&hide.seconds=");
    assertThat(told.path("zoomed").asBoolean()).isTrue();
    assertThat(told.path("addressZoomed").asText()).startsWith("#view=CPU&x.seconds=");
    assertThat(told.path("afterEscape").asBoolean()).isFalse();
    assertThat(told.path("afterPlus").asBoolean()).isTrue();
    assertThat(told.path("spoken").asText()).contains(" s: ").contains("% of one core");
    assertThat(told.path("afterDoubleClick").asBoolean()).isFalse();
    assertThat(told.path("afterSwipe").asBoolean()).isTrue();
    assertThat(told.path("touchAction").asText()).contains("pan-y");
    assertThat(texts(told, "downloads"))
        .containsExactly(
            "LATENCY-DISTRIBUTION-MS.csv text/csv", "LATENCY-DISTRIBUTION-MS.png image/png");
    assertThat(texts(told, "sorted")).containsExactly("194", "255", "412");
    assertThat(told.path("copied").asText()).isEqualTo("copied");
    assertThat(told.path("clipboard").asText())
        .contains("throughput /s\tp50 ms", "etcd, 10 clients\t");
    assertThat(texts(told, "violations")).isEmpty();
    assertThat(told.path("evil").asBoolean()).isFalse();

    JsonNode again = drive(run, told.path("addressHidden").asText() + "&x.seconds=1_3");
    assertThat(texts(again, "pressedAtFirst")).containsExactly("false", "true", "true");
    assertThat(again.path("zoomedAtFirst").asBoolean()).isTrue();
    assertThat(again.path("scrolledTo").asInt()).as("the plot of the link").isBetween(0, 300);
    JsonNode folded = drive(run, "#MAX-CPU");
    assertThat(folded.path("unfolded").asBoolean()).isTrue();
    assertThat(Files.size(run.directory().page())).isLessThan(2_000_000);
  }

  @Test
  void the_index_of_published_runs_reads_well_and_filters_its_rows() throws Exception {
    Path run =
        new SyntheticRun(List.of("etcd", "zookeeper"), 4, 200, List.of(1, 10), 4)
            .write(home.resolve("runs"));
    Path target = home.resolve("results/lab-vm/2026-11-21");
    assertThat(
            new CommandLine(new PublishCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .execute(run.toString(), "--to", target.toString()))
        .isZero();
    for (Chromium browser : List.of(light, dark)) {
      try (PageVisit visit = new PageVisit(target, "")) {
        visit.findings(browser, WIDTHS).forEach(PageInBrowserIT::assertReadable);
      }
    }

    JsonNode told = drive(target.resolve("index.html"), "filter.js", "#database=ZooKeeper");

    assertThat(texts(told, "atFirst")).containsExactly("ZooKeeper 3.6.16");
    assertThat(told.path("both").asInt()).isEqualTo(2);
    assertThat(told.path("address").asText()).isEqualTo("#database=etcd&database=ZooKeeper");
    assertThat(told.path("none").asText()).isEmpty();
    assertThat(told.path("absolute").asText()).isEqualTo("none");
    assertThat(told.path("relative").asText()).isEqualTo("none");
  }

  @Test
  void the_page_of_a_published_matrix_reads_well() throws Exception {
    Path matrix = new SyntheticMatrix(2, 1).write(home.resolve("runs")).path();
    Path target = home.resolve("results/lab-vm/2026-11-21");
    assertThat(
            new CommandLine(new PublishCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .execute(matrix.toString(), "--to", target.toString()))
        .isZero();
    for (Path page : List.of(target, target.resolve("study"))) {
      for (Chromium browser : List.of(light, dark)) {
        try (PageVisit visit = new PageVisit(page, "")) {
          for (JsonNode found : visit.findings(browser, WIDTHS)) {
            assertReadable(found);
            assertAnswersFirst(found);
          }
        }
      }
    }
  }

  private JsonNode drive(GoldenRun run, String fragment) throws Exception {
    return drive(run.directory().page(), "drive.js", fragment);
  }

  private JsonNode drive(Path file, String driver, String fragment) throws Exception {
    String script =
        new String(
            PageInBrowserIT.class.getResourceAsStream(driver).readAllBytes(),
            StandardCharsets.UTF_8);
    String hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(script.getBytes(StandardCharsets.UTF_8)));
    String page = Files.readString(file);
    assertThat(page).contains("script-src 'sha256-").doesNotContain("unsafe-eval");
    Path copy = home.resolve("driven.html");
    Files.writeString(
        copy,
        page.replace("script-src ", "script-src 'sha256-" + hash + "' ")
            // as on a published page, which offers what it has no file of
            .replaceFirst("<a href=\"plots/LATENCY-DISTRIBUTION-MS.png\">PNG</a>", "")
            .replace("</body>", "<script>" + script + "</script></body>"));
    try (Chromium.Tab tab = light.open(copy.toUri() + fragment)) {
      Pattern told = Pattern.compile("TOLD (.*) END");
      Optional<String> found = Optional.empty();
      for (int i = 0; i < 600 && found.isEmpty(); i++) {
        Thread.sleep(100);
        found =
            tab.console().stream()
                .map(told::matcher)
                .filter(Matcher::find)
                .map(line -> line.group(1))
                .findFirst();
      }
      assertThat(found).as(() -> String.join("\n", tab.console())).isPresent();
      assertThat(tab.console()).as("nothing else on the console").hasSize(1);
      return new ObjectMapper().readTree(found.get());
    }
  }

  private static void assertReadable(JsonNode found) {
    assertThat(found.path("rules").asInt()).as("rules of axe").isGreaterThan(20);
    assertThat(texts(found, "violations")).isEmpty();
    assertThat(found.path("contentWidth").asInt())
        .as("no horizontal scrolling at " + found.path("width"))
        .isLessThanOrEqualTo(found.path("width").asInt());
    assertThat(found.path("scripts").asInt()).isIn(0, 1, 2, 4);
    assertThat(found.path("attacked").asBoolean()).isFalse();
    assertThat(found.path("brokenImages").asInt()).isZero();
    assertThat(texts(found, "deadLinks")).isEmpty();
    assertThat(texts(found, "ids")).doesNotHaveDuplicates();
  }

  private GoldenRun golden() {
    GoldenRun run = new GoldenRun(home, "etcd", "zookeeper", "consul");
    run.writePage(
        new RunPlots(
            List.of(plot("A", PlotSection.THROUGHPUT), plot("B", PlotSection.LATENCY)),
            List.of("C: no keys were written"),
            Optional.empty()));
    return run;
  }

  private static Plot plot(String name, PlotSection section) {
    String svg =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 300' role='img'"
            + " aria-label='%1$s'><clipPath id='%1$s-c'><path d='M0"
            + " 0h900v300h-900z'/></clipPath><rect clip-path='url(#%1$s-c)' width='900'"
            + " height='300' fill='#0072b2'/><text x='20' y='40'>requests/s</text></svg>";
    return new Plot(
        name, section, name + " (requests/s)", "It rises.", svg.formatted(name), Optional.empty());
  }

  private List<JsonNode> visit(GoldenRun run, String policy, Chromium browser) {
    try (PageVisit visit = new PageVisit(run.directory().path(), policy)) {
      return visit.findings(browser, WIDTHS);
    }
  }

  private static List<String> texts(JsonNode found, String name) {
    return StreamSupport.stream(found.path(name).spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }
}
