// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.install.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;

/** The pipelines for users call commands that exist, and the guide describes them. */
class UserPipelinesTest {
  private static final String PROW = "src/prow/quorate-etcd.yaml";

  /** An option and its value are one argument there. */
  private static final Pattern OPTION = Pattern.compile("--([a-z-]+)=\"?\\$");

  private static final Pattern COMMAND =
      Pattern.compile("(?:/quorate|\\$PROGRAM)\"? ([a-z]+) \"\\$");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/jenkins/Jenkinsfile",
        "src/github/action.yml",
        "src/gitlab/quorate.gitlab-ci.yml"
      })
  void every_command_has_these_options(String file) throws IOException {
    String text = read(file).replace("--results=quorate-results", "--results=$RESULTS");
    List<MatchResult> commands = COMMAND.matcher(text).results().toList();
    assertThat(commands).extracting(each -> each.group(1)).containsExactly("run", "compare");

    int end = commands.get(0).start();
    assertThat(options(text.substring(0, end)))
        .containsExactly(
            "results",
            "scale",
            "database",
            "endpoints",
            "tls-ca",
            "tls-certificate",
            "tls-key",
            "repeats");
    assertThat(options(text.substring(end))).containsExactly("output", "fail-on", "ignore");
    assertParsed("run", options(text.substring(0, end)), "gate.yaml");
    assertParsed("compare", options(text.substring(end)), "--markdown", "baseline", "candidate");
  }

  @Test
  void the_prow_job_is_periodic_and_its_script_is_one_of_bash() throws Exception {
    Map<?, ?> file =
        (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(read(PROW));
    assertThat(file.keySet()).hasToString("[periodics]");
    Map<?, ?> job = (Map<?, ?>) ((List<?>) file.get("periodics")).get(0);
    assertThat(job.get("name")).asString().matches("[A-Za-z0-9._-]{1,63}");
    assertThat(job.get("interval")).isEqualTo("8h");
    Map<?, ?> spec = (Map<?, ?>) job.get("spec");
    Map<?, ?> container = (Map<?, ?>) ((List<?>) spec.get("containers")).get(0);
    Map<?, ?> resources = (Map<?, ?>) container.get("resources");
    assertThat(resources.get("requests")).as("guaranteed CPUs").isEqualTo(resources.get("limits"));
    String script = String.valueOf(((List<?>) container.get("args")).get(1));
    assertThat(new ProcessBuilder("bash", "-n", "-c", script).start().waitFor()).isZero();
    Matcher run =
        Pattern.compile("quorate run (.*?)--threshold").matcher(script.replace("\\\n", ""));
    assertThat(run.find()).isTrue();
    List<String> words = List.of(("run " + run.group(1)).strip().split("\\s+"));
    CommandLine quorate = Quorate.commandLine(Installation.of(Map.of(), new Properties()));
    assertThatCode(() -> quorate.parseArgs(words.toArray(String[]::new)))
        .doesNotThrowAnyException();
  }

  private static List<String> options(String script) {
    return OPTION.matcher(script).results().map(each -> each.group(1)).toList();
  }

  private static void assertParsed(String command, List<String> options, String... others) {
    CommandLine quorate = Quorate.commandLine(Installation.of(Map.of(), new Properties()));
    List<String> words = new ArrayList<>(List.of(command));
    options.forEach(option -> words.add("--" + option + "=0.5"));
    words.addAll(List.of(others));
    assertThatCode(() -> quorate.parseArgs(words.toArray(String[]::new)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "src/jenkins/Jenkinsfile, name: '([A-Z_0-9]+)', 20",
    "src/github/action.yml, '(?m)^  ([a-z0-9-]+):\\n    description: ', 20",
    "src/gitlab/quorate.gitlab-ci.yml, '(?m)^    (QUORATE_[A-Z_0-9]+): ', 14"
  })
  void the_guide_has_every_parameter(String file, String parameter, int count) throws IOException {
    String page = read("src/site/markdown/how-to/pipelines.md");
    List<String> names =
        Pattern.compile(parameter)
            .matcher(read(file))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(names).hasSize(count);
    assertThat(names).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/properties/scenario/properties/name",
        "/properties/databases",
        "/$defs/database/properties/id",
        "/$defs/database/properties/inTable",
        "/$defs/database/properties/figures/properties/requestsPerSecondAverage",
        "/$defs/database/properties/figures/properties/latencyMs/properties/p99"
      })
  void trends_read_fields_of_the_schema(String pointer) throws IOException {
    String name = pointer.substring(pointer.lastIndexOf('/') + 1);
    assertThat(read("src/jenkins/Jenkinsfile")).contains("." + name);
    String schema = "bench-report/src/main/resources/io/quorate/report/result-3.schema.json";
    assertThat(new ObjectMapper().readTree(read(schema)).at(pointer).isObject()).isTrue();
  }

  private static String read(String file) throws IOException {
    return Files.readString(Guide.HOME.resolve(file));
  }
}
