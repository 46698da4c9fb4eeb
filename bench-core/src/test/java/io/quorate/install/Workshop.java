// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Script;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A cache, pinned modules of etcd and a PATH in a separate directory, to install with. */
final class Workshop {
  static final Platform LINUX = new Platform("linux", "amd64");
  static final DownloadLimits LIMITS =
      new DownloadLimits(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          10_000_000,
          20_000_000);

  /** Script of all stand-ins up to "go build": notes the call and answers questions. */
  private static final String PREAMBLE =
      """
      echo "$@" >>'%1$s/calls'
      env >'%1$s/environment'
      pwd >'%1$s/directory'
      case $1 in
        version) echo 'go version go1.26.8 linux/amd64'; exit ;;
        list) printf 'fmt\\nos\\n'; exit ;;
      esac
      while [ "$1" != -o ]; do shift; done
      """;

  /** A stand-in's build that makes an executable of the right version. */
  static final String WORKS =
      "echo fmt; printf '#!/bin/sh\\necho etcd Version: 3.7.3\\n' >\"$2\"; chmod +x \"$2\"\n";

  final Path directory;
  final Path modules;
  final StringWriter output = new StringWriter();
  Path cache;
  Platform platform = LINUX;
  DownloadLimits limits = LIMITS;
  Optional<Mirror> mirror = Optional.empty();

  Workshop(Path directory) {
    this.directory = directory;
    modules = directory.resolve("src/databases");
    cache = directory.resolve("cache");
    write("etcd/go.mod", "module x\n\ngo 1.26.0\n");
    write("etcd/go.sum", "sums\n");
    write("consul/go.mod", "module x\n\ngo 1.26.0\n");
    write("consul/go.sum", "sums\n");
  }

  /** A file of the modules. */
  void write(String path, String text) {
    try {
      Files.createDirectories(modules.resolve(path).getParent());
      Files.writeString(modules.resolve(path), text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns generous time limits with these sizes. */
  static DownloadLimits limits(long archiveBytes, long unpackedBytes) {
    return new DownloadLimits(
        LIMITS.connect(),
        LIMITS.answer(),
        LIMITS.silence(),
        LIMITS.whole(),
        archiveBytes,
        unpackedBytes);
  }

  /** Puts a stand-in of Go on PATH. */
  void go(String build) {
    Script.write(directory.resolve("bin/go"), PREAMBLE.formatted(directory) + build);
  }

  Path installEtcd() {
    return installer().install(EtcdServers.ETCD);
  }

  Installer installer() {
    // a Go in /usr/bin must not be found where a test has none
    String path = directory.resolve("bin").toString();
    Map<String, String> environment =
        Map.of(
            "PATH",
            Files.exists(directory.resolve("bin/go")) ? path + ":/usr/bin:/bin" : path,
            "QUORATE_CACHE",
            cache.toString());
    return new Installer(
        new Installation(environment, directory, JavaRuntime.of(System.getProperties())),
        modules,
        mirror,
        new InstallOutput(new PrintWriter(output, true), Duration.ofMillis(100)),
        platform,
        limits);
  }

  Path installed(Program program) {
    return cache.resolve(program.id()).resolve(program.version());
  }

  void nothingIsThere() {
    assertThat(names(cache.resolve("etcd"))).containsExactly(".lock");
  }

  void onlyTheVersionIsThere() {
    assertThat(names(cache.resolve("etcd"))).containsExactly(".lock", "3.7.3");
    assertThat(names(installed(EtcdServers.ETCD)))
        .containsExactly("etcd", "etcdctl", "etcdutl", "origin.txt");
  }

  /** The lines that a stand-in of Go wrote. */
  List<String> lines(String file) {
    try {
      return Files.readAllLines(directory.resolve(file));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  String origin() {
    return Installer.origin(installed(EtcdServers.ETCD)).orElse("");
  }

  static List<String> names(Path directory) {
    try (Stream<Path> content = Files.list(directory)) {
      return content.map(each -> each.getFileName().toString()).sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
