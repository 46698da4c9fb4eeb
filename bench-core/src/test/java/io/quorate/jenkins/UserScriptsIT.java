package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the pipelines for users, in a real shell, with stand-ins for other programs. */
class UserScriptsIT {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));
  private static final String HOSTILE =
      "x'; touch hostile; echo \"$(touch hostile)` touch hostile`";

  /** Prints its arguments into a file, leaves a run, and ends as it is asked to. */
  private static final String QUORATE =
      """
      printf '%s\\n' "$@" > arguments.txt
      [ "$1" = run ] || exit 0
      mkdir -p quorate-results/gate/first
      echo page > quorate-results/gate/first/index.html
      echo the table
      exit "${CODE:-0}"
      """;

  /** Unpacks what the real one would. */
  private static final String UNZIP =
      """
      printf '%s\\n' "$@" > unzip.txt
      mkdir -p "$4/quorate-1/bin"
      cp stubs/quorate "$4/quorate-1/bin/quorate"
      """;

  @TempDir Path work;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void standIns() throws IOException {
    program("stubs/quorate", QUORATE);
    program("stubs/unzip", UNZIP);
    program("stubs/curl", "printf '%s\\n' \"$@\" > curl.txt\n: > \"$4\"\n");
    Files.createDirectory(work.resolve("temp"));
    environment.put("PATH", work.resolve("stubs") + ":" + System.getenv("PATH"));
    environment.put("RESULTS", "quorate-results");
    environment.put("RUNNER_TEMP", work.resolve("temp").toString());
    environment.put("GITHUB_OUTPUT", work.resolve("output.txt").toString());
    environment.put("GITHUB_STEP_SUMMARY", work.resolve("summary.md").toString());
  }

  private void program(String name, String script) throws IOException {
    Path file = work.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static List<String> jenkinsScripts() {
    return new Pipeline()
        .parameter("QUORATE_ZIP", "quorate.zip")
        .run(HOME.resolve("src/jenkins/Jenkinsfile"))
        .scripts();
  }

  @Test
  void bash_accepts_the_syntax_of_every_script() throws Exception {
    List<String> scripts =
        Stream.of(jenkinsScripts(), Workflows.actionScripts(), Workflows.jobScripts())
            .flatMap(List::stream)
            .toList();
    assertThat(scripts).hasSize(8);
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
    assertThat(shell("sh", "-c", scripts.get(1))).isZero();
    assertThat(lines("arguments.txt"))
        .containsExactly("run", "--results", "quorate-results", "--scale", "1", "--", HOSTILE);
    for (String name : List.of("SCENARIO", "DATABASES", "ENDPOINTS", "SCALE", "TLS_CA")) {
      environment.put(name, HOSTILE + name);
    }
    environment.put("CODE", "3");
    assertThat(shell("sh", "-c", scripts.get(1))).isEqualTo(3);
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostile(""));
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  /** The arguments of a run with all parameters. */
  private static List<String> hostile(String prefix) {
    return List.of(
        "run",
        "--results",
        "quorate-results",
        "--scale",
        HOSTILE + prefix + "SCALE",
        "--database",
        HOSTILE + prefix + "DATABASES",
        "--endpoints",
        HOSTILE + prefix + "ENDPOINTS",
        "--tls-ca",
        HOSTILE + prefix + "TLS_CA",
        "--",
        HOSTILE + prefix + "SCENARIO");
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
    inputs(HOSTILE);
    assertThat(action(1)).isZero();
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostile(""));
    assertThat(lines("output.txt"))
        .containsExactly("exit-code=0", "directory=quorate-results/gate/first");
    assertThat(Files.readString(work.resolve("summary.md")))
        .contains("### Quorate: " + HOSTILE, "The run succeeded.", "```text\nthe table\n");
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  @Test
  void a_broken_limit_fails_the_action_unless_it_is_a_warning() throws Exception {
    inputs("");
    environment.put("CODE", "3");
    assertThat(action(1)).isEqualTo(3);
    assertThat(Files.readString(work.resolve("summary.md"))).contains("A limit was broken.");
    environment.put("FAIL_ON_LIMIT", "false");
    assertThat(action(1)).isZero();
    environment.put("CODE", "1");
    assertThat(action(1)).isEqualTo(1);
    assertThat(lines("output.txt")).contains("exit-code=3", "exit-code=1");
  }

  private void inputs(String value) {
    for (String name : List.of("SCENARIO", "DATABASES", "ENDPOINTS", "SCALE", "TLS_CA")) {
      environment.put(name, value.isEmpty() ? "" : value + name);
    }
    environment.put("FAIL_ON_LIMIT", "true");
    environment.put("PROGRAM", work.resolve("stubs/quorate").toString());
  }

  private int action(int script) throws IOException, InterruptedException {
    return shell("bash", "-c", Workflows.actionScripts().get(script));
  }

  @Test
  void GitLab_passes_each_variable_as_one_argument_and_copies_the_page() throws Exception {
    Files.writeString(work.resolve("quorate.zip"), "zip");
    ((Map<?, ?>) Workflows.job().get("variables"))
        .forEach((name, value) -> environment.put(name.toString(), value.toString()));
    List<String> scripts = Workflows.jobScripts();
    assertThat(shell("sh", "-e", "-c", scripts.get(1))).isEqualTo(1);

    environment.put("QUORATE_ZIP", "quorate.zip");
    assertThat(shell("sh", "-e", "-c", scripts.get(1))).isZero();
    assertThat(lines("unzip.txt")).containsExactly("-q", "quorate.zip", "-d", ".quorate");
    for (String name : List.of("SCENARIO", "DATABASES", "ENDPOINTS", "SCALE", "TLS_CA")) {
      environment.put("QUORATE_" + name, HOSTILE + "QUORATE_" + name);
    }
    environment.put("CODE", "3");
    assertThat(shell("sh", "-e", "-c", scripts.get(2))).isEqualTo(3);
    assertThat(lines("arguments.txt")).containsExactlyElementsOf(hostile("QUORATE_"));
    assertThat(lines("quorate.html")).containsExactly("page");
    assertThat(work.resolve("hostile")).doesNotExist();
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(work.resolve(file));
  }

  private int shell(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile()).inheritIO();
    builder.environment().putAll(environment);
    return builder.start().waitFor();
  }
}
