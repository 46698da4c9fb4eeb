// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.scenario.ScenarioTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioFilesTest {
  @TempDir private Path root;
  private Path home;
  private Path here;

  @BeforeEach
  void twoScenariosAtHomeAndOneHere() throws IOException {
    home = root.resolve("home");
    here = Files.createDirectories(root.resolve("here"));
    Files.createDirectories(home.resolve("scenarios"));
    Files.createFile(home.resolve("scenarios/quick.yaml"));
    Files.createFile(home.resolve("scenarios/write-1-key.yaml"));
    Files.createFile(home.resolve("scenarios/scenario.schema.json"));
    Files.createFile(here.resolve("my.yaml"));
  }

  @Test
  void a_name_is_a_scenario_that_comes_with_quorate() {
    assertThat(locate("quick").path()).isEqualTo(home.resolve("scenarios/quick.yaml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"my.yaml", "./my.yaml", "../here/my.yaml"})
  void a_path_is_a_file_seen_from_where_one_is(String path) {
    assertThat(locate(path).path()).isEqualTo(here.resolve("my.yaml"));
  }

  @Test
  void an_absolute_path_is_that_file() {
    assertThat(locate(here.resolve("my.yaml").toString()).path())
        .isEqualTo(here.resolve("my.yaml"));
  }

  @ParameterizedTest
  @CsvSource({
    "my.yaml, my.yaml",
    "./my.yaml, my.yaml",
    "sub/../my.yaml, my.yaml",
    "sub/deep.yml, sub/deep.yml",
    "quick, scenarios/quick.yaml"
  })
  void a_problem_names_the_file_as_it_was_given(String given, String shown) throws IOException {
    Files.createFile(Files.createDirectories(here.resolve("sub")).resolve("deep.yml"));

    assertThatThrownBy(() -> ScenarioTexts.read(locate(given), 1))
        .isInstanceOf(InvalidScenarioException.class)
        .hasMessageStartingWith(shown + ":1:1: found an empty file");
  }

  @Test
  void a_problem_of_a_file_from_elsewhere_names_all_of_its_path() {
    assertThatThrownBy(
            () -> ScenarioTexts.read(ScenarioFiles.locate("../here/my.yaml", home, home), 1))
        .hasMessageStartingWith(here.resolve("my.yaml") + ":1:1: found an empty file");
  }

  @Test
  void a_file_that_is_not_text_is_named_as_it_was_given() throws IOException {
    Files.write(here.resolve("my.yaml"), new byte[] {(byte) 0xFF});

    assertThatThrownBy(() -> ScenarioTexts.read(locate("my.yaml"), 1))
        .hasMessageStartingWith("my.yaml:1:1: found the byte 0xFF");
  }

  @Test
  void an_unknown_name_is_refused_with_those_that_are_known() {
    assertThatThrownBy(() -> locate("quik"))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessage(
            "There is no scenario 'quik'. The nearest names are quick, put, lock. './quorate"
                + " scenarios' lists all; a file needs its path, such as ./my.yaml");
  }

  @Test
  void a_file_that_is_not_there_is_refused_with_the_known_names() {
    assertThatThrownBy(() -> locate("your.yml"))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessage(
            "There is no file %s/your.yml; the nearest names in %s/scenarios are quick, write-1-key.",
            here, home);
  }

  @Test
  void a_directory_is_no_scenario() {
    assertThatThrownBy(() -> locate("../here")).isExactlyInstanceOf(QuorateException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "..", "a\u0000b", "\u001B[2J"})
  void a_name_that_is_none_is_refused(String name) {
    assertThatThrownBy(() -> locate(name))
        .isExactlyInstanceOf(QuorateException.class)
        .hasMessageNotContainingAny("\u0000", "\u001B");
  }

  @Test
  void a_home_without_scenarios_is_told() {
    assertThatThrownBy(() -> ScenarioFiles.locate("my.yml", root.resolve("nowhere"), here))
        .hasMessage(
            "There is no file %s/my.yml; and no scenario in %s/nowhere/scenarios.", here, root);
  }

  private ScenarioFile locate(String nameOrFile) {
    return ScenarioFiles.locate(nameOrFile, home, here);
  }
}
