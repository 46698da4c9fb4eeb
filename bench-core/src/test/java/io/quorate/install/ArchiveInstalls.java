// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Installs from a server on loopback that gives the archives that a test wishes. */
abstract class ArchiveInstalls {
  static final String NAME = "etcd-v3.7.3-linux-amd64.tar.gz";
  static final byte[] ETCD = ArchiveBytes.ofEtcd().tarGz();

  @TempDir Path directory;
  Workshop workshop;
  ArchiveServer server;
  String address;

  @BeforeEach
  void serverAndWorkshop() throws IOException {
    server = new ArchiveServer();
    workshop = new Workshop(directory);
    workshop.mirror = Optional.of(Mirror.at("--mirror", server.address() + "/some/where/"));
    address = server.address() + "/some/where/etcd/v3.7.3/" + NAME;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  void refuses(byte[] archive, String message) {
    pin(NAME, archive);
    server.gives(archive);
    fails(message);
  }

  void refusesZip(byte[] archive, String message) {
    workshop.platform = new Platform("darwin", "arm64");
    pin("etcd-v3.7.3-darwin-arm64.zip", archive);
    server.gives(archive);
    fails(message);
    workshop.platform = Workshop.LINUX;
  }

  /** There is not a Go, so that nothing can be installed. */
  void fails(String message) {
    assertFailed(catchThrowable(workshop::installEtcd), message);
  }

  void assertFailed(Throwable failure, String message) {
    assertThat(failure)
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("cannot install etcd 3.7.3:\n  release archive: ")
        .hasMessageContaining(message)
        .hasMessageContaining("\n  building from source: it needs Go 1.26.0 or newer")
        .hasMessageEndingWith("or set QUORATE_ETCD to it.");
    workshop.nothingIsThere();
  }

  void pin(String name, byte[] archive) {
    pin("etcd/", name, archive);
  }

  void pin(String program, String name, byte[] archive) {
    workshop.write(program + "SHA256SUMS", sum(archive) + "  " + name + "\n");
  }

  static String sum(byte[] bytes) {
    return DigestUtils.sha256Hex(bytes);
  }
}
