// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pipeline that users copy. */
class UserJenkinsfileTest {
  private static final Path FILE =
      Path.of(System.getProperty("quorate.home"), "src/jenkins/Jenkinsfile");
  private static final String RUN = "quorate-results/gate/20261125T120000Z";

  private static final List<String> BEGINNING =
      List.of(
          "label ''",
          "one build at a time",
          "stage Check parameters",
          "stage Unpack",
          "timeout {time=10, unit=MINUTES}",
          "sh .quorate/quorate-*/bin/quorate --version",
          "stage Get the baseline",
          "skipped",
          "stage Run",
          "timeout {time=60, unit=MINUTES}");
  private static final String QUORATE =
      "sh .quorate/quorate-*/bin/quorate run \"$@\" -- \"$SCENARIO\"";
  private static final String COMPARE =
      "sh .quorate/quorate-*/bin/quorate compare \"$@\" -- \"$baseline\" \"$run\"";
  private static final List<String> LIMITS =
      List.of(
          "junit {testResults=quorate-results/**/junit.xml, allowEmptyResults=true}",
          "sh for run in \"$RESULTS\"/*/*/; do if [ -d \"$run\" ]; then echo \"${run%/}\"; fi;"
              + " done");
  private static final String PAGE =
      "publishHTML {target={reportName=Quorate, reportDir="
          + RUN
          + ", reportFiles=index.html, includes=*,*/*,cells/**, keepAll=true,"
          + " alwaysLinkToLastBuild=true, allowMissing=true}}";
  private static final List<String> TRENDS =
      List.of(
          "writeFile {file=quorate-results/trend-throughput.csv, text=etcd,consul\n1633.4,950\n}",
          plot("throughput", "requests per second"),
          "writeFile {file=quorate-results/trend-p99.csv, text=etcd,consul\n52.5,\n}",
          plot("p99", "ms"));
  private static final String ARCHIVE =
      "archive {artifacts=quorate-results/**, excludes=**/data/**, allowEmptyArchive=true}";

  private static String plot(String name, String unit) {
    return ("plot {group=Quorate, title=gate: %1$s, csvFileName=quorate-gate-%1$s.csv,"
            + " csvSeries=[{file=quorate-results/trend-%1$s.csv, inclusionFlag=OFF,"
            + " exclusionValues=, displayTableFlag=false, url=}], style=line, yaxis=%2$s,"
            + " numBuilds=30}")
        .formatted(name, unit);
  }

  private static Pipeline gate() {
    return new Pipeline()
        .parameter("QUORATE_ZIP", "https://example.com/quorate.zip")
        .parameter("SCENARIO", "load tests/gate.yaml");
  }

  /** One that has a directory of a run. */
  private static Pipeline measured() {
    Map<String, ?> result =
        Map.of(
            "scenario",
            Map.of("name", "gate"),
            "databases",
            List.of(
                database("etcd", true, 1633.4, Map.of("p99", 52.5)),
                database("zookeeper", false, 1.0, Map.of()),
                database("consul", true, 950, Map.of())));
    return gate().output(RUN + "\n").file(RUN + "/result.json", result);
  }

  private static Map<String, ?> database(
      String id, boolean inTable, Number throughput, Map<String, ?> latency) {
    return Map.of(
        "id",
        id,
        "inTable",
        inTable,
        "figures",
        Map.of("requestsPerSecondAverage", throughput, "latencyMs", latency));
  }

  @SafeVarargs
  private static List<String> lines(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }

  @Test
  void a_build_runs_the_scenario_and_publishes_limits_page_and_trends() {
    Pipeline build = measured().run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsExactlyElementsOf(
            lines(BEGINNING, List.of(QUORATE), LIMITS, List.of(PAGE), TRENDS, List.of(ARCHIVE)));
  }

  @Test
  void an_agent_can_be_chosen() {
    assertThat(measured().parameter("LABEL", "benchmark && linux").run(FILE).log())
        .startsWith("label 'benchmark && linux'");
  }

  @Test
  void user_and_password_are_variables_of_the_environment() {
    Pipeline build = measured().parameter("CREDENTIALS_ID", "etcd-login").run(FILE);
    assertThat(build.log())
        .containsSubsequence(
            "withCredentials [{credentialsId=etcd-login, usernameVariable=QUORATE_USER,"
                + " passwordVariable=QUORATE_PASSWORD}]",
            QUORATE);
  }

  @Test
  void so_is_a_token() {
    Pipeline build =
        measured()
            .parameter("CREDENTIALS_ID", "consul-token")
            .parameter("CREDENTIALS_KIND", "token")
            .run(FILE);
    assertThat(build.log())
        .containsSubsequence(
            "withCredentials [{credentialsId=consul-token, variable=QUORATE_TOKEN}]", QUORATE);
  }

  @Test
  void without_the_plugin_for_credentials_nothing_runs_with_credentials() {
    Pipeline build =
        gate().parameter("CREDENTIALS_ID", "login").without("withCredentials").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains(
            "error CREDENTIALS_ID: Jenkins has no plugin Credentials Binding. Install it, or leave"
                + " the parameter empty")
        .doesNotContain(QUORATE);
  }

  @Test
  void a_broken_limit_fails_the_build_after_everything_is_published() {
    Pipeline build = measured().exitCode("quorate run", 3).run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .containsSubsequence(
            QUORATE, "error A limit or a rule was broken: see the test results", PAGE, ARCHIVE);
  }

  @Test
  void a_broken_limit_is_named() {
    assertThat(
            measured()
                .exitCode("quorate run", 3)
                .broken("gate.etcd: p99 <= 20 ms\ngate.consul: errors = 0\n")
                .run(FILE)
                .log())
        .contains(
            "error A limit or a rule was broken: gate.etcd: p99 <= 20 ms; gate.consul: errors = 0");
  }

  @Test
  void a_broken_limit_makes_the_build_unstable_if_asked_to() {
    Pipeline build =
        measured().exitCode("quorate run", 3).parameter("BROKEN_LIMIT", "UNSTABLE").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.UNSTABLE);
  }

  @Test
  void a_run_that_failed_fails_the_build_whatever_a_broken_limit_does() {
    Pipeline build =
        gate().exitCode("quorate run", 1).parameter("BROKEN_LIMIT", "UNSTABLE").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .containsExactlyElementsOf(
            lines(
                BEGINNING,
                List.of(
                    QUORATE,
                    "error The run or its comparison failed with exit code 1: see the lines above"),
                LIMITS,
                List.of(ARCHIVE)));
  }

  private static Pipeline compared(int run, int comparison) {
    return measured()
        .parameter("BASELINE", "perf/baseline")
        .file(RUN + "/comparison/index.html", "page")
        .exitCode("quorate run", run)
        .exitCode("quorate compare", comparison);
  }

  @Test
  void a_comparison_has_a_page_and_its_rules_are_tests() {
    Pipeline build = compared(0, 0).run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsSubsequence(
            "stage Get the baseline",
            "stage Run",
            QUORATE,
            COMPARE,
            LIMITS.get(0),
            PAGE,
            PAGE.replace("=Quorate,", "=Quorate comparison,").replace(RUN, RUN + "/comparison"),
            ARCHIVE);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, SUCCESS, ''",
    "0, 3, FAILURE, A limit or a rule was broken: see the test results",
    "0, 4, UNSTABLE, The runs do not decide all limits and rules: see the test results",
    "0, 1, FAILURE, The run or its comparison failed with exit code 1: see the lines above",
    "4, 0, UNSTABLE, The runs do not decide all limits and rules: see the test results",
    "4, 3, FAILURE, A limit or a rule was broken: see the test results",
    "3, 0, FAILURE, A limit or a rule was broken: see the test results",
    "3, 4, FAILURE, A limit or a rule was broken: see the test results",
    "3, 1, FAILURE, The run or its comparison failed with exit code 1: see the lines above"
  })
  void the_worse_of_run_and_comparison_is_the_result(
      int run, int comparison, String result, String error) {
    Pipeline build = compared(run, comparison).run(FILE);
    assertThat(build.result()).isEqualTo(result);
    assertThat(build.log().stream().filter(line -> line.startsWith("error")))
        .containsExactlyElementsOf(error.isEmpty() ? List.of() : List.of("error " + error));
  }

  @ParameterizedTest
  @CsvSource({"SUCCESS", "UNSTABLE", "FAILURE"})
  void what_is_undecided_has_the_chosen_result(String result) {
    assertThat(compared(0, 4).parameter("UNDECIDED", result).run(FILE).result()).isEqualTo(result);
  }

  @Test
  void a_failed_comparison_is_no_broken_limit() {
    Pipeline build = compared(3, 1).parameter("BROKEN_LIMIT", "UNSTABLE").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
  }

  @Test
  void a_run_that_failed_is_not_compared() {
    assertThat(compared(1, 0).run(FILE).log()).doesNotContain(COMPARE);
  }

  @Test
  void the_baseline_may_be_the_last_stable_build() {
    Pipeline build = compared(0, 0).parameter("BASELINE", "artifact");
    build.file(".quorate-baseline/quorate-results/gate", "directory").run(FILE);
    assertThat(build.log())
        .containsSubsequence(
            "copyArtifacts {projectName=/folder/job, filter=quorate-results/**,"
                + " target=.quorate-baseline, optional=true}",
            QUORATE,
            COMPARE);
  }

  @Test
  void the_first_build_compares_nothing_and_says_so() {
    Pipeline build = compared(0, 3).parameter("BASELINE", "artifact").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsSubsequence(
            QUORATE,
            "echo Nothing is compared: this job has no earlier stable build with results of this"
                + " scenario.")
        .doesNotContain(COMPARE);
  }

  @Test
  void without_the_plugin_for_artifacts_nothing_is_run() {
    Pipeline build = gate().parameter("BASELINE", "artifact").without("copyArtifacts").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains(
            "error BASELINE: Jenkins has no plugin Copy Artifact. Install it, or name a directory"
                + " or a branch")
        .doesNotContain(QUORATE);
  }

  @Test
  void an_abort_keeps_the_results_so_far() {
    Pipeline build =
        measured()
            .shell(
                script -> {
                  if (script.contains("quorate run")) {
                    throw new Aborted();
                  }
                })
            .run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.ABORTED);
    assertThat(build.log()).containsSubsequence(LIMITS).endsWith(ARCHIVE);
  }

  @Test
  void without_optional_plugins_the_build_says_what_is_missing() {
    Pipeline build = measured().without("publishHTML").without("readJSON").run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .endsWith(
            "echo Jenkins has no plugin HTML Publisher: the page is among the artifacts.",
            "echo Jenkins has no plugin Pipeline Utility Steps: trends are not drawn.",
            ARCHIVE);
    assertThat(measured().without("plot").run(FILE).log())
        .contains(PAGE, "echo Jenkins has no plugin Plot: trends are not drawn.")
        .endsWith(ARCHIVE);
  }

  @Test
  void a_matrix_has_no_trends() {
    Pipeline build = gate().output(RUN).run(FILE);
    assertThat(build.log()).contains(PAGE).noneMatch(line -> line.startsWith("plot"));
  }

  @Test
  void wrong_parameters_are_refused_together_before_anything_is_done() {
    Pipeline build =
        new Pipeline()
            .parameter("QUORATE_ZIP", "-d/tmp")
            .parameter("SCENARIO", "")
            .parameter("MINUTES", "soon")
            .run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains(
            "error QUORATE_ZIP: expected the URL or the path of quorate-<version>.zip\n"
                + "SCENARIO: expected a file in the workspace, or the name of an included"
                + " scenario\n"
                + "MINUTES: expected 1 to 9999");
    assertThat(build.scripts()).isEmpty();
  }
}
