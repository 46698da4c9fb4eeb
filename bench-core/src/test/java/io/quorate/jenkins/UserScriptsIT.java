// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of the pipelines for users, in a real shell, with stand-ins for other programs. */
class UserScriptsIT {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));
  private static final String HOSTILE =
      "x'; touch hostile; echo \"$(touch hostile)` touch hostile`";
  private static final String RUN = "quorate-results/gate/first";

  /** A name that a branch may have. */
  private static final String ODD_BRANCH = "odd/-x;touch${IFS}hostile'\"(&{a,b}%";

  /** Prints its arguments into a file, leaves a run, and ends as it is asked to. */
  private static final String QUORATE =
      """
      if [ "$1" = compare ]; then
        printf '%s\\n' "$@" > compare.txt
        echo the comparison
        echo a problem >&2
        exit "${COMPARED:-0}"
      fi
      printf '%s\\n' "$@" > arguments.txt
      [ "$1" = run ] || exit 0
      echo the table
      [ "${CODE:-0}" = 2 ] && exit 2
      mkdir -p "quorate-results/gate/${RUN:-first}"
      echo page > "quorate-results/gate/${RUN:-first}/index.html"
      [ -f junit.xml ] && cp junit.xml "quorate-results/gate/${RUN:-first}/junit.xml"
      exit "${CODE:-0}"
      """;

  /** Unpacks what the real one would. */
  private static final String UNZIP =
      """
      printf '%s\\n' "$@" > unzip.txt
      mkdir -p "$4/quorate-1/bin" "$4/${EARLIER:-other}"
      cp stubs/quorate "$4/quorate-1/bin/quorate"
      """;

  /** Answers, and keeps its arguments and what it reads. */
  private static final String CURL =
      """
      printf '%s\\n' "$@" >> curl.txt
      for argument; do
        [ "$before" = -o ] && : > "$argument"
        [ "$before" = -K ] && cat >> curl-input.txt
        [ "$before" = -w ] && printf %s "$ANSWER"
        before=$argument
      done
      exit "${CURL_CODE:-0}"
      """;

  /** Answers with a run and the number of its artifacts. */
  private static final String GH =
      """
      printf '%s\\n' "$@" >> gh.txt
      case $* in
        *default_branch) echo main ;;
        *actions/workflows/*) printf '%s\\n' "$FOUND_RUN" ;;
        *artifacts*) echo "$FOUND_ARTIFACTS" ;;
        *) [ "$1 $2" = 'run download' ] ;;
      esac
      exit "${GH_CODE:-$?}"
      """;

  @TempDir Path work;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void standIns() throws IOException {
    program("stubs/quorate", QUORATE);
    program("stubs/unzip", UNZIP);
    program("stubs/curl", CURL);
    program("stubs/gh", GH);
    Files.createDirectory(work.resolve("temp"));
    environment.put("PATH", work.resolve("stubs") + ":" + System.getenv("PATH"));
    environment.put("RESULTS", "quorate-results");
    environment.put("RUNNER_TEMP", work.resolve("temp").toString());
    environment.put("GITHUB_OUTPUT", work.resolve("output.txt").toString());
    environment.put("GITHUB_STEP_SUMMARY", work.resolve("summary.md").toString());
    environment.put("GITHUB_REPOSITORY", "owner/name");
    environment.put(
        "GITHUB_WORKFLOW_REF", "owner/name/.github/workflows/gate.yml@refs/heads/a@refs/b");
    environment.put("GH_TOKEN", "secret-token");
    environment.put("ARTIFACT", "quorate");
    environment.put("FOUND_RUN", "4711");
    environment.put("FOUND_ARTIFACTS", "1");
    environment.put("CI_JOB_TOKEN", "secret-token");
    environment.put("CI_JOB_NAME", "benchmark: [etcd, 3]");
    environment.put("CI_DEFAULT_BRANCH", "a/b");
    environment.put("CI_API_V4_URL", "https://gitlab.example.com/api/v4");
    environment.put("CI_PROJECT_ID", "7");
    environment.put("ANSWER", "200 ");
    environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
    for (String who : List.of("AUTHOR", "COMMITTER")) {
      environment.put("GIT_" + who + "_NAME", "someone");
      environment.put("GIT_" + who + "_EMAIL", "someone@example.com");
    }
    ((Map<?, ?>) Workflows.job().get("variables"))
        .forEach((name, value) -> environment.put(name.toString(), value.toString()));
  }

  private void program(String name, String script) throws IOException {
    Path file = work.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** Those that unpack, get the baseline, run, find the run, compare, and find the run again. */
  private static List<String> jenkinsScripts() {
    return new Pipeline()
        .parameter("QUORATE_ZIP", "quorate.zip")
        .parameter("BASELINE", "perf/baseline")
        .output(RUN)
        .run(HOME.resolve("src/jenkins/Jenkinsfile"))
        .scripts();
  }

  @Test
  void bash_accepts_the_syntax_of_every_script() throws Exception {
    List<String> scripts =
        Stream.of(jenkinsScripts(), Workflows.actionScripts(), Workflows.jobScripts())
            .flatMap(List::stream)
            .toList();
    assertThat(scripts).hasSize(13);
    for (String script : scripts) {
      assertThat(shell("bash", "-n", "-c", script)).as(script).isZero();
    }
  }

  @Test
  void Jenkins_gets_the_zip_and_passes_each_parameter_as_one_argument() throws Exception {
    List<String> scripts = jenkinsScripts();
    environment.put("QUORATE_ZIP", "https://example.com/quorate.zip");
    assertThat(shell("sh", "-c", scripts.get(0))).isZero();
    assertThat(lines("curl.txt"))
        .containsExactly("-fsSL", "https://example.com/quorate.zip", "-o", ".quorate/quorate.zip");
    assertThat(lines("arguments.txt")).containsExactly("--version");

    environment.put("SCENARIO", HOSTILE);
    assertThat(shell("sh", "-c", scripts.get(2))).isZero();
    assertThat(lines("arguments.txt"))
        .containsExactly("run", "--results=quorate-results", "--scale=1", "--", HOSTILE);
    hostile("");
    environment.put("CODE", "3");
    assertThat(shell("sh", "-c", scripts.get(2))).isEqualTo(3);
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostileRun(""));

    environment.put("COMPARED", "4");
    assertThat(shell("sh", "-c", scripts.get(4))).isEqualTo(4);
    assertThat(lines("compare.txt")).containsExactlyElementsOf(hostileComparison(""));
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  /** Gives all parameters values that a shell must not interpret. */
  private void hostile(String prefix) {
    for (String name :
        List.of(
            "SCENARIO",
            "DATABASES",
            "ENDPOINTS",
            "SCALE",
            "TLS_CA",
            "TLS_CERTIFICATE",
            "TLS_KEY",
            "OPTIONS",
            "REPEATS",
            "BASELINE",
            "FAIL_ON",
            "IGNORE")) {
      environment.put(prefix + name, HOSTILE + prefix + name);
    }
  }

  /** The arguments of a run with all parameters. */
  private static List<String> hostileRun(String prefix) {
    return List.of(
        "run",
        "--results=quorate-results",
        "--scale=" + HOSTILE + prefix + "SCALE",
        "--database=" + HOSTILE + prefix + "DATABASES",
        "--endpoints=" + HOSTILE + prefix + "ENDPOINTS",
        "--tls-ca=" + HOSTILE + prefix + "TLS_CA",
        "--tls-certificate=" + HOSTILE + prefix + "TLS_CERTIFICATE",
        "--tls-key=" + HOSTILE + prefix + "TLS_KEY",
        "--repeats=" + HOSTILE + prefix + "REPEATS",
        HOSTILE + prefix + "OPTIONS",
        "--",
        HOSTILE + prefix + "SCENARIO");
  }

  /** The arguments of a comparison with all parameters. */
  private static List<String> hostileComparison(String prefix) {
    return List.of(
        "compare",
        "--output=" + RUN + "/comparison",
        "--fail-on=" + HOSTILE + prefix + "FAIL_ON",
        "--ignore=" + HOSTILE + prefix + "IGNORE",
        "--",
        HOSTILE + prefix + "BASELINE",
        RUN);
  }

  @Test
  void a_zip_with_another_sum_is_not_unpacked() throws Exception {
    Files.writeString(work.resolve("quorate.zip"), "zip");
    environment.put("QUORATE_ZIP", "quorate.zip");
    environment.put("QUORATE_SHA256", "0".repeat(64));
    for (String unpack :
        List.of(
            jenkinsScripts().get(0),
            Workflows.actionScripts().get(0),
            Workflows.jobScripts().get(1))) {
      environment.put("GITHUB_ACTION_PATH", work.toString());
      assertThat(shell("bash", "-e", "-c", unpack)).isNotZero();
      assertThat(work.resolve("unzip.txt")).doesNotExist();
    }
  }

  @Test
  void the_path_of_a_zip_is_no_option() throws Exception {
    environment.put("QUORATE_ZIP", "-d/tmp");
    environment.put("GITHUB_ACTION_PATH", work.toString());
    assertThat(action(0)).isZero();
    assertThat(lines("unzip.txt")).startsWith("-q", "./-d/tmp", "-d");
    assertThat(job(1)).isZero();
    assertThat(lines("unzip.txt")).startsWith("-q", "./-d/tmp", "-d");
  }

  @Test
  void the_action_uses_its_own_checkout_without_a_zip() throws Exception {
    program("action/quorate", QUORATE);
    Files.createDirectories(work.resolve("action/src/github"));
    environment.put("GITHUB_ACTION_PATH", work.resolve("action/src/github").toString());
    environment.put("QUORATE_ZIP", "");
    environment.put("QUORATE_SHA256", "");
    assertThat(action(0)).isZero();
    assertThat(lines("output.txt"))
        .containsExactly("program=" + work.resolve("action/src/github") + "/../../quorate");
  }

  @Test
  void the_action_unpacks_a_zip_outside_the_workspace() throws Exception {
    environment.put("GITHUB_ACTION_PATH", work.toString());
    environment.put("QUORATE_ZIP", "https://example.com/quorate.zip");
    environment.put("QUORATE_SHA256", "");
    assertThat(action(0)).isZero();
    Path unpacked = work.resolve("temp/quorate");
    assertThat(lines("unzip.txt"))
        .containsExactly("-q", unpacked + "/quorate.zip", "-d", unpacked.toString());
    assertThat(lines("output.txt"))
        .containsExactly("program=" + unpacked.resolve("quorate-1/bin/quorate"));
  }

  @Test
  void the_action_passes_each_input_as_one_argument_and_writes_a_summary() throws Exception {
    inputs();
    hostile("");
    assertThat(action(2)).isZero();
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostileRun(""));
    List<String> comparison = new ArrayList<>(hostileComparison(""));
    comparison.add(1, "--markdown");
    assertThat(lines("compare.txt")).containsExactlyElementsOf(comparison);
    assertThat(lines("output.txt")).containsExactly("exit-code=0", "directory=" + RUN);
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains(
            "### Quorate: " + HOSTILE,
            "\n\n    The run succeeded.\n\nthe comparison\n",
            "\n#### Output\n\n    a problem\n    the table\n");
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  @Test
  void a_broken_limit_fails_the_action_unless_it_is_a_warning() throws Exception {
    inputs();
    environment.put("CODE", "3");
    assertThat(action(2)).isEqualTo(3);
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains("A limit or a rule of the gate was broken.");
    environment.put("FAIL_ON_LIMIT", "false");
    assertThat(action(2)).isZero();
    environment.put("CODE", "1");
    assertThat(action(2)).isEqualTo(1);
    assertThat(lines("output.txt")).contains("exit-code=3", "exit-code=1");
    assertThat(work.resolve("compare.txt")).doesNotExist();
  }

  @Test
  void the_summary_names_the_broken_threshold() throws Exception {
    inputs();
    environment.put("CODE", "3");
    Files.writeString(
        work.resolve("junit.xml"),
        """
        <testsuite name="limits of gate">
          <testcase classname="gate.etcd-&lt;b&gt;3" name="p99 &lt;= 20 ms"><failure type="limit" message="31 ms"/></testcase>
          <testcase classname="gate.etcd" name="errors = 0"></testcase>
        </testsuite>
        """);
    assertThat(action(2)).isEqualTo(3);
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains(
            "\n\n    A limit or a rule of the gate was broken: gate.etcd-<b>3: p99 <= 20 ms.\n\n");

    String script =
        new Pipeline()
            .parameter("QUORATE_ZIP", "quorate.zip")
            .exitCode("quorate run", 3)
            .output(RUN)
            .run(HOME.resolve("src/jenkins/Jenkinsfile"))
            .scripts()
            .get(2);
    assertThat(shell("sh", "-c", "{ " + script + "} > broken.txt")).isZero();
    assertThat(lines("broken.txt")).containsExactly("gate.etcd-<b>3: p99 <= 20 ms");
  }

  @Test
  void a_rule_that_is_undecided_is_a_warning_unless_it_fails_the_action() throws Exception {
    inputs();
    environment.put("BASELINE", "earlier");
    environment.put("COMPARED", "4");
    assertThat(action(2)).isZero();
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains("The runs do not decide all limits and rules: see junit.xml.");
    environment.put("FAIL_IF_UNDECIDED", "true");
    assertThat(action(2)).isEqualTo(4);
    environment.put("COMPARED", "1");
    environment.put("CODE", "3");
    environment.put("FAIL_ON_LIMIT", "false");
    assertThat(action(2)).isEqualTo(1);
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains("The comparison failed with exit code 1: see the log of this step.");
  }

  @ParameterizedTest
  @CsvSource({"0,4,4", "3,1,1", "4,3,3"})
  void the_exit_code_is_that_of_run_or_comparison(int run, int comparison, int result)
      throws Exception {
    endsWith(run, comparison, result);
  }

  @ParameterizedTest
  @Nightly
  @CsvSource({
    "0,0,0", "0,1,1", "0,2,2", "0,3,3", "0,4,4", "3,0,3", "3,1,1", "3,3,3", "3,4,3", "4,0,4",
    "4,1,1"
  })
  void the_exit_code_is_the_worse_of_run_and_comparison(int run, int comparison, int result)
      throws Exception {
    endsWith(run, comparison, result);
  }

  private void endsWith(int run, int comparison, int result) throws Exception {
    inputs();
    environment.put("CODE", Integer.toString(run));
    environment.put("COMPARED", Integer.toString(comparison));
    environment.put("BASELINE", "earlier");
    environment.put("FAIL_IF_UNDECIDED", "true");
    assertThat(action(2)).isEqualTo(result);
    assertThat(lines("output.txt")).contains("exit-code=" + result);

    environment.put("QUORATE_ZIP", "quorate.zip");
    environment.put("QUORATE_BASELINE", "earlier");
    assertThat(job(1)).isZero();
    assertThat(job(3)).isEqualTo(result);
  }

  @Test
  void a_later_step_with_the_same_results_finds_its_own_run() throws Exception {
    inputs();
    environment.put("RUN", "z");
    assertThat(action(2)).isZero();
    environment.put("RUN", "a");
    environment.put("BASELINE", "earlier");
    assertThat(action(2)).isZero();
    assertThat(lines("compare.txt")).endsWith("earlier", "quorate-results/gate/a");
    environment.put("CODE", "2");
    assertThat(action(2)).isEqualTo(2);
    assertThat(lines("output.txt"))
        .containsExactly(
            "exit-code=0",
            "directory=quorate-results/gate/z",
            "exit-code=0",
            "directory=quorate-results/gate/a",
            "exit-code=2",
            "directory=");
  }

  private void inputs() {
    for (String name :
        List.of(
            "SCENARIO",
            "DATABASES",
            "ENDPOINTS",
            "SCALE",
            "TLS_CA",
            "TLS_CERTIFICATE",
            "TLS_KEY",
            "OPTIONS",
            "REPEATS",
            "BASELINE",
            "FAIL_ON",
            "IGNORE")) {
      environment.put(name, "");
    }
    environment.put("FAIL_ON_LIMIT", "true");
    environment.put("FAIL_IF_UNDECIDED", "false");
    environment.put("PROGRAM", work.resolve("stubs/quorate").toString());
  }

  private int action(int script) throws IOException, InterruptedException {
    return shell("bash", "-c", Workflows.actionScripts().get(script));
  }

  private int job(int script) throws IOException, InterruptedException {
    return shell("sh", "-e", "-c", Workflows.jobScripts().get(script));
  }

  @Test
  void GitLab_passes_each_variable_as_one_argument_and_copies_the_page() throws Exception {
    Files.writeString(work.resolve("quorate.zip"), "zip");
    assertThat(job(1)).isEqualTo(1);

    environment.put("QUORATE_ZIP", "quorate.zip");
    assertThat(job(1)).isZero();
    assertThat(lines("unzip.txt")).containsExactly("-q", "quorate.zip", "-d", ".quorate");
    hostile("QUORATE_");
    environment.put("CODE", "3");
    assertThat(job(3)).isEqualTo(3);
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostileRun("QUORATE_"));
    assertThat(lines("compare.txt")).containsExactlyElementsOf(hostileComparison("QUORATE_"));
    assertThat(lines("quorate.html")).containsExactly("page");
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  /** Gets the baseline as each pipeline does, and returns the exit codes. */
  private List<Integer> baseline(String value) throws Exception {
    environment.put("BASELINE", value);
    environment.put("QUORATE_BASELINE", value);
    int github = action(1);
    int gitlab = job(2);
    Path copy = work.resolve(".quorate-baseline");
    if (Files.exists(copy)) {
      Files.move(copy, work.resolve("copy-of-GitLab"));
    }
    return List.of(github, gitlab, shell("sh", "-c", jenkinsScripts().get(1)));
  }

  @Test
  void a_baseline_that_is_missing_fails_before_the_run() throws Exception {
    isMissing("missing");
  }

  @ParameterizedTest
  @Nightly
  @ValueSource(strings = {"missing:etcd", "-d", "branch:main", HOSTILE})
  void a_baseline_with_an_odd_name_that_is_missing_fails_before_the_run(String baseline)
      throws Exception {
    isMissing(baseline);
  }

  private void isMissing(String baseline) throws Exception {
    assertThat(baseline(baseline)).containsExactly(1, 1, 1);
    assertThat(work.resolve("output.txt")).doesNotExist();
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  @Test
  void a_baseline_may_be_a_database_of_a_directory() throws Exception {
    isFound("earlier runs:etcd@3.5.35");
  }

  @Test
  @Nightly
  void a_baseline_may_be_a_directory() throws Exception {
    isFound("earlier runs");
  }

  private void isFound(String baseline) throws Exception {
    Files.createDirectory(work.resolve("earlier runs"));
    assertThat(baseline(baseline)).containsExactly(0, 0, 0);
    assertThat(lines("output.txt")).containsExactly("directory=" + baseline);
  }

  @Test
  void a_baseline_of_several_lines_sets_no_other_output() throws Exception {
    Files.createDirectory(work.resolve("x\nprogram=y"));
    environment.put("BASELINE", "x\nprogram=y");
    assertThat(action(1)).isEqualTo(1);
    assertThat(work.resolve("output.txt")).doesNotExist();
  }

  @Test
  void a_baseline_may_be_on_a_branch() throws Exception {
    isFoundOn("main");
  }

  @Test
  @Nightly
  void a_branch_with_a_baseline_may_have_any_name() throws Exception {
    isFoundOn(ODD_BRANCH);
  }

  private void isFoundOn(String branch) throws Exception {
    origin(branch);
    workspace();
    assertThat(baseline("branch:" + branch + ":base lines/[x]")).containsExactly(0, 0, 0);
    String file = "/base lines/[x]/gate/run.txt";
    assertThat(lines("temp/quorate-baseline" + file)).containsExactly("earlier");
    assertThat(lines("copy-of-GitLab" + file)).containsExactly("earlier");
    assertThat(lines(".quorate-baseline" + file)).containsExactly("earlier");
    assertThat(lines("output.txt"))
        .containsExactly("directory=" + work + "/temp/quorate-baseline/base lines/[x]");
    assertThat(work.resolve(".git/shallow")).doesNotExist();
    assertThat(work.resolve("hostile")).doesNotExist();

    environment.put("QUORATE_ZIP", "quorate.zip");
    environment.put("SCENARIO", "gate.yaml");
    assertThat(job(1)).isZero();
    assertThat(job(3)).isZero();
    assertThat(lines("compare.txt")).endsWith(".quorate-baseline/base lines/[x]", RUN);
    assertThat(shell("sh", "-c", jenkinsScripts().get(4))).isZero();
    assertThat(lines("compare.txt")).endsWith(".quorate-baseline/base lines/[x]", RUN);
  }

  @Test
  void a_directory_that_a_branch_does_not_have_fails_before_the_run() throws Exception {
    isMissingOnMain("branch:main:missing");
  }

  @ParameterizedTest
  @Nightly
  @ValueSource(
      strings = {
        "branch:missing:base lines",
        "branch:main:*",
        "branch:main:../x",
        "branch:main:",
        "branch::base lines",
        "branch:--upload-pack=touch hostile:x"
      })
  void a_branch_or_directory_that_is_missing_fails_before_the_run(String baseline)
      throws Exception {
    isMissingOnMain(baseline);
  }

  private void isMissingOnMain(String baseline) throws Exception {
    origin("main");
    workspace();
    assertThat(baseline(baseline)).doesNotContain(0);
    assertThat(work.resolve("output.txt")).doesNotExist();
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  @Test
  @Nightly
  void a_branch_that_is_fetched_into_a_shallow_clone_is_shallow() throws Exception {
    origin("main");
    git("-C", "origin", "commit", "-q", "--allow-empty", "-m", "later");
    git("-C", "origin", "branch", "baseline");
    git("clone", "-q", "--depth=1", "file://" + work.resolve("origin"), "clone");
    Files.move(work.resolve("clone/.git"), work.resolve(".git"));
    Files.createDirectory(work.resolve(".quorate"));
    assertThat(baseline("branch:baseline:base lines")).containsExactly(0, 0, 0);
    assertThat(shell("sh", "-c", "test $(git rev-list --count FETCH_HEAD) = 1")).isZero();
  }

  /** Makes a clone without commits, with the directory that unpacking leaves. */
  private void workspace() throws Exception {
    git("init", "-q");
    git("remote", "add", "origin", "origin");
    Files.createDirectory(work.resolve(".quorate"));
  }

  /** Makes a repository whose only branch has earlier runs. */
  private void origin(String branch) throws Exception {
    Path run = work.resolve("origin/base lines/[x]/gate/run.txt");
    Files.createDirectories(run.getParent());
    Files.writeString(run, "earlier\n");
    git("init", "-q", "origin");
    git("-C", "origin", "symbolic-ref", "HEAD", "refs/heads/" + branch);
    git("-C", "origin", "add", ".");
    git("-C", "origin", "commit", "-q", "-m", "runs");
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    assertThat(shell(command.toArray(String[]::new))).isZero();
  }

  @Test
  void the_action_gets_the_artifact_of_the_last_successful_run() throws Exception {
    environment.put("BASELINE", "artifact");
    assertThat(action(1)).isZero();
    Path target = work.resolve("temp/quorate-baseline");
    assertThat(lines("output.txt")).containsExactly("directory=" + target);
    assertThat(lines("gh.txt"))
        .contains(
            "repos/owner/name/actions/workflows/gate.yml/runs",
            "branch=main",
            "status=success",
            "repos/owner/name/actions/runs/4711/artifacts",
            "name=quorate")
        .endsWith(
            "run",
            "download",
            "4711",
            "--repo",
            "owner/name",
            "--name",
            "quorate",
            "--dir",
            target.toString())
        .noneMatch(argument -> argument.contains("secret"));
    // a pull request from a fork may have a branch with the name of the default branch
    assertThat(Workflows.actionScripts().get(1)).contains(".event == \"push\"");
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "4711, 0"})
  void without_an_artifact_the_action_compares_nothing_and_says_so(String run, String artifacts)
      throws Exception {
    environment.put("BASELINE", "artifact");
    environment.put("FOUND_RUN", run);
    environment.put("FOUND_ARTIFACTS", artifacts);
    assertThat(action(1)).isZero();
    assertThat(lines("output.txt")).containsExactly("directory=");
    assertThat(lines("gh.txt")).doesNotContain("download");
    assertThat(lines("printed.txt"))
        .containsExactly(
            "::notice title=Quorate::Nothing is compared: no successful run on main has the"
                + " artifact quorate.");
  }

  @Test
  void an_artifact_that_cannot_be_asked_for_fails_the_action() throws Exception {
    environment.put("BASELINE", "artifact");
    environment.put("GH_CODE", "1");
    assertThat(action(1)).isNotZero();
    environment.put("ARTIFACT", "");
    assertThat(action(1)).isEqualTo(1);
    assertThat(lines("printed.txt"))
        .containsExactly(
            "::error title=Quorate::baseline: artifact needs the name of an artifact, but the"
                + " input artifact is empty");
    assertThat(work.resolve("output.txt")).doesNotExist();
  }

  @Test
  void GitLab_gets_the_artifacts_of_the_default_branch_without_a_token_in_arguments()
      throws Exception {
    environment.put("QUORATE_BASELINE", "artifact");
    environment.put("EARLIER", "quorate-results/gate");
    assertThat(job(2)).isZero();
    assertThat(lines("curl.txt"))
        .contains("job=benchmark: [etcd, 3]")
        .endsWith("https://gitlab.example.com/api/v4/projects/7/jobs/artifacts/%61%2f%62/download")
        .noneMatch(argument -> argument.contains("secret"));
    assertThat(lines("curl-input.txt")).containsExactly("header = \"JOB-TOKEN: secret-token\"");

    environment.put("QUORATE_ZIP", "quorate.zip");
    assertThat(job(1)).isZero();
    assertThat(job(3)).isZero();
    assertThat(lines("compare.txt")).endsWith(".quorate-baseline/quorate-results/gate", RUN);
  }

  @Test
  void another_server_that_has_the_artifacts_does_not_get_the_token() throws Exception {
    environment.put("QUORATE_BASELINE", "artifact");
    environment.put("ANSWER", "302 https://storage.example.com/artifacts?signature=x");
    assertThat(job(2)).isZero();
    assertThat(lines("curl-input.txt"))
        .containsExactly(
            "header = \"JOB-TOKEN: secret-token\"",
            "url = \"https://storage.example.com/artifacts?signature=x\"");
    assertThat(lines("curl.txt")).noneMatch(argument -> argument.contains("signature"));
    assertThat(Files.readString(work.resolve("curl.txt")))
        .endsWith("-fsSL\n-K\n-\n-o\n" + ".quorate-baseline/artifacts.zip\n");
  }

  @Test
  void without_artifacts_GitLab_compares_nothing_and_says_so() throws Exception {
    environment.put("QUORATE_BASELINE", "artifact");
    environment.put("ANSWER", "404 ");
    environment.put("QUORATE_ZIP", "quorate.zip");
    assertThat(job(1)).isZero();
    assertThat(job(2)).isZero();
    assertThat(job(3)).isZero();
    assertThat(lines("printed.txt"))
        .contains(
            "Nothing is compared: no successful benchmark: [etcd, 3] of a/b has results of this"
                + " scenario.");
    assertThat(work.resolve("compare.txt")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"'401 ', 0", "'500 ', 0", "'', 6", "'000 ', 7"})
  void an_answer_that_is_no_artifact_fails_the_job(String answer, String code) throws Exception {
    environment.put("QUORATE_BASELINE", "artifact");
    environment.put("ANSWER", answer);
    environment.put("CURL_CODE", code);
    assertThat(job(2)).isNotZero();
    assertThat(work.resolve("unzip.txt")).doesNotExist();
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(work.resolve(file));
  }

  /** Runs a command; what it prints is in a file afterwards. */
  private int shell(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("printed.txt").toFile());
    builder.environment().putAll(environment);
    return builder.start().waitFor();
  }
}
