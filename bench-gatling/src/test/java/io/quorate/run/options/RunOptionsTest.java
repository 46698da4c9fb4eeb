// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import static io.quorate.run.options.RunSettingsTest.properties;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RunOptionsTest {
  @Test
  void properties_of_ours_that_are_no_options_are_refused() {
    assertThatThrownBy(
            () ->
                RunOptions.refuseUnknown(
                    properties(
                        "quorate.database",
                        "etcd",
                        "quorate.jvmArgs",
                        "-Xmx1g",
                        "user.agent",
                        "x")))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(
            """
            -Dquorate.database: there is no such option
            the options are -Dscenario, -Dscale, -Ddatabase, -Dkey.size, -Dvalue.size, -Dkeys,\
            """);
  }

  @Test
  void a_matrix_keeps_what_all_of_its_runs_have() {
    RunOptions options =
        RunOptions.of(
            properties(
                "scenario",
                "put",
                "clients",
                "5",
                "scale",
                "0.5",
                "database",
                "etcd",
                "results",
                "r",
                "repeats",
                "3",
                "metrics",
                "a:1",
                "table",
                "",
                "run.name",
                "mine",
                "against",
                "base"));

    assertThat(options.ofCells())
        .containsOnly(
            Map.entry("quorate.directory", "/home/me"),
            Map.entry("run.name", "mine"),
            Map.entry("baseline", "base"));
  }

  @Test
  void a_series_has_canaries_from_two_repeats_on() {
    RepeatOptions usual =
        new RepeatOptions(
            OptionalInt.empty(),
            false,
            Optional.empty(),
            RunOrder.ABBA,
            false,
            "",
            Optional.empty());
    assertThat(usual.canary(1)).isZero();
    assertThat(usual.canary(2)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void a_cell_of_a_matrix_has_its_own_scenario_and_scale() {
    RunOptions cell =
        RunOptions.of(
                properties(
                    "scenario",
                    "put",
                    "clients",
                    "5",
                    "database",
                    "etcd",
                    "repeats",
                    "3",
                    "against",
                    "base",
                    "full",
                    "",
                    "save",
                    "my.yaml",
                    "nodes",
                    "100",
                    "run.name",
                    "mine"))
            .ofCell(Path.of("/m/1.yaml"), 0.1);

    assertThat(cell.values())
        .contains(
            Map.entry("scenario", "/m/1.yaml"),
            Map.entry("scale", "0.1"),
            Map.entry("run.name", "mine"))
        .doesNotContainKeys("clients", "database", "repeats", "baseline", "full", "save", "nodes");
  }

  @Test
  void a_continued_matrix_has_its_recorded_options_and_the_directories_of_this_process() {
    RunOptions options =
        RunOptions.of(properties("continue", "m", "against", "mine", "metrics", "a:1"))
            .withRecorded(Map.of("run.name", "old", "against", "old", "scale", "0.1"));

    assertThat(options.home()).isEqualTo(Path.of("/opt/quorate"));
    assertThat(options.directory()).isEqualTo(Path.of("/home/me"));
    assertThat(options.values())
        .contains(
            Map.entry("run.name", "old"),
            Map.entry("scale", "0.1"),
            Map.entry("baseline", "mine"),
            Map.entry("metrics", "a:1"))
        .doesNotContainKey("continue");
  }
}
