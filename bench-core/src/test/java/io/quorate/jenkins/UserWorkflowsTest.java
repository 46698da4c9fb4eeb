// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Login;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The action for GitHub and the template for GitLab, which users include. */
class UserWorkflowsTest {
  private static final Map<?, ?> ACTION = Workflows.action();
  private static final Map<?, ?> JOB = Workflows.job();

  @Test
  void scripts_of_the_action_stop_at_the_first_error_and_contain_no_expression() {
    assertThat(Workflows.actionScripts())
        .hasSize(3)
        .allSatisfy(
            script -> assertThat(script).startsWith("set -euo pipefail\n").doesNotContain("${{"));
  }

  @Test
  void steps_of_the_action_with_a_script_name_their_shell() {
    assertThat(Workflows.steps())
        .filteredOn(step -> step.containsKey("run"))
        .allSatisfy(step -> assertThat(step.get("shell")).isEqualTo("bash"));
  }

  @Test
  void every_input_has_a_description_and_a_default_and_is_used() {
    String steps = Workflows.steps().toString();
    Map<?, ?> inputs = (Map<?, ?>) ACTION.get("inputs");
    assertThat(inputs.keySet().stream().map(Object::toString))
        .allSatisfy(
            name -> {
              assertThat(((Map<?, ?>) inputs.get(name)).keySet())
                  .isEqualTo(Set.of("description", "default"));
              assertThat(steps).containsPattern("inputs\\." + name + "\\b");
            });
  }

  @Test
  void every_variable_of_a_step_is_used_in_its_script() {
    assertThat(Workflows.steps())
        .filteredOn(step -> step.containsKey("run"))
        .allSatisfy(
            step ->
                assertThat(((Map<?, ?>) step.get("env")).keySet().stream().map(Object::toString))
                    .filteredOn(name -> !name.equals("GH_TOKEN"))
                    .allSatisfy(
                        name -> assertThat(step.get("run").toString()).contains("$" + name)));
    String job = Workflows.jobScripts().toString();
    assertThat(variables()).allSatisfy(name -> assertThat(job).contains("$" + name));
  }

  @Test
  void passwords_and_tokens_are_variables_of_the_environment_only() {
    List<String> parts =
        List.of(
            ACTION.get("inputs").toString(),
            without("GH_TOKEN=${{ github.token }}", ACTION.get("runs").toString()),
            without("printf 'header = \"JOB-TOKEN: %s\"\\n' \"$CI_JOB_TOKEN\"", JOB.toString()));
    assertThat(parts)
        .allSatisfy(part -> assertThat(part).doesNotContainPattern("(?i)password|token|credent"));
  }

  /** Returns the text without its comments and without the only place that may have a token. */
  private static String without(String place, String text) {
    String code = text.replaceAll("(?m)^ *#.*$", "");
    assertThat(code).containsOnlyOnce(place);
    return code.replace(place, "");
  }

  @Test
  void only_the_step_that_gets_the_baseline_has_the_token() {
    assertThat(Workflows.steps())
        .filteredOn(step -> step.toString().contains("github.token"))
        .extracting(step -> step.get("name").toString())
        .containsExactly("Get the baseline");
  }

  @Test
  void a_job_of_GitLab_with_undecided_rules_is_a_warning() {
    assertThat(JOB.get("allow_failure")).isEqualTo(Map.of("exit_codes", 4));
  }

  @Test
  void no_variable_is_taken_for_a_misspelled_one_of_a_login() {
    Map<String, String> environment =
        Stream.concat(variables().stream(), Stream.of("QUORATE_ZIP", "QUORATE_SHA256"))
            .distinct()
            .collect(Collectors.toMap(name -> name, name -> "x"));
    assertThat(Login.read(environment)).isEmpty();
  }

  @Test
  void the_job_of_GitLab_keeps_its_results_and_links_to_the_page() {
    Map<?, ?> artifacts = (Map<?, ?>) JOB.get("artifacts");
    assertThat(artifacts.get("when")).isEqualTo("always");
    assertThat(artifacts.get("reports")).isEqualTo(Map.of("junit", "quorate-results/**/junit.xml"));
    // GitLab does not link to artifacts whose paths have variables, wildcards, or directories
    // without /
    assertThat(artifacts.get("expose_as")).isEqualTo("Quorate");
    assertThat(((List<?>) artifacts.get("paths")).stream().map(Object::toString))
        .containsExactly("quorate.html", "quorate-results/");
  }

  @Test
  void the_action_uploads_the_results_even_if_the_run_failed() {
    Map<?, ?> upload = Workflows.steps().get(3);
    assertThat(upload.get("if").toString()).contains("always()");
    assertThat(upload.get("uses").toString()).startsWith("actions/upload-artifact@");
  }

  private static List<String> variables() {
    return ((Map<?, ?>) JOB.get("variables")).keySet().stream().map(Object::toString).toList();
  }
}
