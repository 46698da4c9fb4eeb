// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.etcd.EtcdServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoBuildTest {
  @TempDir private Path modules;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 800 | 5 | compiled 0 of at most 800 packages, 0%",
        "200 | 800 | 20 | compiled 200 of at most 800 packages, 25%, at most 60 s left",
        "100 | 800 | 60 | compiled 100 of at most 800 packages, 12%, at most 7 min left",
        "800 | 800 | 60 | compiled 800 of at most 800 packages, 99%",
      })
  void progress_is_a_percentage_with_the_most_time_that_is_left(
      int compiled, int all, long seconds, String expected) {
    assertThat(GoBuild.progress(compiled, all, seconds * 1_000_000_000L))
        .isEqualTo("  " + expected);
  }

  @Test
  void archives_of_other_releases_are_pinned_in_the_file_of_the_default_one() throws IOException {
    String sum = "0".repeat(64);
    Path pins = Files.createDirectories(modules.resolve("etcd")).resolve("SHA256SUMS");
    Files.writeString(pins, sum + "  etcd-v3.5.21-linux-amd64.tar.gz\n");
    assertThat(
            PinnedChecksums.read(modules, EtcdServers.ETCD.inVersion("3.5.21"))
                .of("etcd-v3.5.21-linux-amd64.tar.gz"))
        .contains(sum);
  }
}
