// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoReleasesTest {
  private static final List<String> ALL =
      List.of("3.5.9", "3.5.10", "3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4", "3.7.0-rc.0");

  @Test
  void near_releases_are_around_a_version() {
    assertThat(GoReleases.near(ALL, "3.5.17"))
        .containsExactly("3.5.10", "3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4");
    assertThat(GoReleases.near(ALL, "9.9.9"))
        .containsExactly("3.5.15", "3.5.16", "3.5.21", "3.6.0", "3.6.4", "3.7.0-rc.0");
    assertThat(GoReleases.near(ALL, "1.0.0")).startsWith("3.5.9").hasSize(6);
    assertThat(GoReleases.near(List.of("3.5.9"), "3.5.10")).containsExactly("3.5.9");
    assertThat(GoReleases.near(List.of(), "3.5.10")).isEmpty();
  }

  @Test
  void a_range_contains_what_is_installed_and_not_listed(@TempDir Path directory)
      throws IOException {
    Path go = Files.createDirectories(directory.resolve("bin")).resolve("go");
    Files.writeString(
        go, "#!/bin/sh\necho go.etcd.io/etcd/server/v3 v3.5.9 v3.5.15 v3.5.16 v3.5.21 v3.6.0\n");
    assertThat(go.toFile().setExecutable(true)).isTrue();
    for (String name : List.of("3.5.17", "3.5.16", "3.5.20", "3.6.1", "mine")) {
      Files.createDirectories(directory.resolve("cache/etcd").resolve(name));
    }
    Installation installation =
        Installation.of(
            Map.of(
                "PATH",
                go.getParent() + ":/bin:/usr/bin",
                "QUORATE_CACHE",
                directory.resolve("cache").toString()),
            new Properties());
    Program etcd = Stores.program("etcd").orElseThrow();

    assertThat(GoReleases.between(installation, etcd, "3.5.15", "3.5.21"))
        .containsExactly("3.5.15", "3.5.16", "3.5.17", "3.5.20", "3.5.21");
    assertThat(GoReleases.between(installation, etcd, "3.5.18", "3.6.0"))
        .as("the ends are included, listed or not")
        .containsExactly("3.5.18", "3.5.20", "3.5.21", "3.6.0");
    assertThat(GoReleases.between(installation, etcd, "3.6.0-rc.1", "3.6.1"))
        .containsExactly("3.6.0-rc.1", "3.6.0", "3.6.1");
    assertThatThrownBy(() -> GoReleases.between(installation, etcd, "3.5.21", "3.5.15"))
        .hasMessage("found 3.5.21..3.5.15, expected the older release first");
  }
}
