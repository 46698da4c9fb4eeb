// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDirectoryTest {
  @TempDir Path results;

  @Test
  void isNamedByTheTimeInUtc() {
    RunDirectory run = RunDirectory.create(results, "quick", 1, Manifests.START);
    assertThat(run.path()).isDirectory().isEqualTo(results.resolve("quick/20261121T075146Z"));
    assertThat(run.id()).isEqualTo("20261121T075146Z");
  }

  @Test
  void allOfThemAreInTheCheckoutUnlessTheLauncherOfADistributionNamesAnotherPlace() {
    Properties properties = new Properties();
    properties.setProperty("quorate.home", "/opt/quorate");
    assertThat(RunDirectory.allResults(properties)).isEqualTo(Path.of("/opt/quorate/results"));
    properties.setProperty("quorate.results", "/home/me/results");
    assertThat(RunDirectory.allResults(properties)).isEqualTo(Path.of("/home/me/results"));
  }

  @Test
  void isNumberedIfItIsThereAlready() {
    assertThat(create(1)).isEqualTo("20261121T075146Z");
    assertThat(create(1)).isEqualTo("20261121T075146Z-2");
    assertThat(create(1)).isEqualTo("20261121T075146Z-3");
  }

  @Test
  void saysIfTheScenarioIsScaled() {
    assertThat(create(0.01)).isEqualTo("20261121T075146Z-scale-0.01");
    assertThat(create(0.01)).isEqualTo("20261121T075146Z-scale-0.01-2");
    assertThat(create(0.00001)).isEqualTo("20261121T075146Z-scale-0.00001");
  }

  private String create(double scale) {
    return RunDirectory.create(results, "quick", scale, Manifests.START).id();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "..", ".", "../elsewhere", "a/b", "/tmp"})
  void staysWithinTheResults(String name) {
    assertThatThrownBy(() -> RunDirectory.create(results, name, 1, Manifests.START))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("expected a name that a directory can have");
  }

  @Test
  void knowsTheDirectoriesOfItsDatabases() throws IOException {
    RunDirectory run = RunDirectory.create(results, "quick", 1, Manifests.START);
    DatabaseDirectory etcd = run.createDatabase("etcd");
    run.createDatabase("empty");
    Manifests.of("etcd", "etcd", 1, 1).write(etcd);

    assertThat(RunDirectory.open(run.path()).databases()).containsExactly(etcd);
    assertThat(etcd.id()).isEqualTo("etcd");
    assertThat(etcd.gatlingReports()).isEmpty();
    Path page = etcd.gatling().resolve("simulation-1/index.html");
    Files.createDirectories(page.getParent());
    Files.createFile(page);
    assertThat(etcd.gatlingReports()).containsExactly(page);
  }

  @Test
  void whatIsNotThereIsNamed() {
    assertThatThrownBy(() -> RunDirectory.open(results.resolve("none")))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("none: is not a directory");
  }
}
