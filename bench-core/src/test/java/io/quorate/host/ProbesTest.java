// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProbesTest {
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path directory;

  @Test
  void a_disk_is_measured_by_small_synced_writes_and_left_as_it_was() {
    DiskProbe probe = DiskProbe.run(directory, LONG, 10 * DiskProbe.WRITE_BYTES);
    assertThat(probe.nanos().getTotalCount()).isEqualTo(10);
    assertThat(probe.nanos().getMinValue()).isPositive();
    assertThat(directory).isEmptyDirectory();
    assertThat(probe.command())
        .isEqualTo(
            "fio --rw=write --ioengine=sync --fdatasync=1 --directory="
                + directory
                + " --size=22m --bs=2300 --name=quorate-disk-probe");
  }

  @Test
  void a_probe_of_a_disk_ends_in_time() {
    assertThat(DiskProbe.run(directory, Duration.ZERO, Long.MAX_VALUE).nanos().getTotalCount())
        .isZero();
    assertThatThrownBy(() -> DiskProbe.run(directory, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_directory_with_special_characters_is_quoted_for_a_shell() throws IOException {
    Path special = Files.createDirectory(directory.resolve("it's data"));
    assertThat(DiskProbe.run(special, Duration.ZERO, 0).command())
        .contains("'--directory=" + directory + "/it'\\''s data'");
  }

  @Test
  void what_is_no_directory_is_refused() throws IOException {
    Path absent = directory.resolve("absent");
    assertThatThrownBy(() -> DiskProbe.run(absent, 1))
        .isInstanceOf(QuorateException.class)
        .hasMessage(absent + " does not exist");
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> DiskProbe.run(file, 1))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file + " is not a directory");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_directory_that_cannot_be_written_is_refused() {
    assertThatThrownBy(() -> DiskProbe.run(Path.of("/proc"), 1))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("/proc: cannot be written: ");
  }

  @Test
  void a_connection_is_measured_as_often_as_asked() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ConnectProbe probe =
          ConnectProbe.run(new Endpoint("127.0.0.1", server.getLocalPort()), 20, LONG);
      assertThat(probe.nanos().getTotalCount()).isEqualTo(20);
      assertThat(probe.nanos().getMinValue()).isPositive();
      assertThat(probe.own().getTotalCount()).isEqualTo(20);
      assertThat(probe.failures()).isZero();
    }
  }

  @Test
  void an_endpoint_that_does_not_answer_is_named_with_the_reason() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    Endpoint endpoint = new Endpoint("127.0.0.1", port);
    assertThatThrownBy(() -> ConnectProbe.run(endpoint, 3))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(endpoint + " cannot be reached: Connection refused");
    assertThatThrownBy(() -> ConnectProbe.run(endpoint, 3, Duration.ZERO))
        .hasMessage(endpoint + " cannot be reached: no time was left");
  }
}
