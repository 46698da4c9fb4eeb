// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.Await;
import io.quorate.store.etcd.EtcdServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code quorate install} in a process beside others. */
class InstallProcessIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final byte[] ETCD = ArchiveBytes.ofEtcd().tarGz();

  @TempDir Path directory;
  private Workshop workshop;
  private ArchiveServer server;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void aPausingServer() throws IOException {
    workshop = new Workshop(directory);
    workshop.platform = Platform.ofThisMachine();
    server = new ArchiveServer().pausesWhileSending(ETCD);
    String hex = DigestUtils.sha256Hex(ETCD);
    Platform here = workshop.platform;
    String ending = here.os().equals("linux") ? "tar.gz" : "zip";
    workshop.write(
        "etcd/SHA256SUMS",
        hex + "  etcd-v3.7.3-" + here.os() + "-" + here.arch() + "." + ending + "\n");
  }

  @AfterEach
  void stop() {
    started.forEach(Process::destroyForcibly);
    server.close();
  }

  @Test
  @Nightly // below two processes wait for each other, and InstallerIT builds once for two threads
  void two_processes_at_once_fetch_once() throws Exception {
    Process first = startAndAwaitDownload();
    CompletableFuture<Path> second = waiting();
    server.goOn();
    assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(second.get(60, TimeUnit.SECONDS)).isExecutable();
    assertThat(first.exitValue()).as(Files.readString(directory.resolve("log"))).isZero();
    assertThat(workshop.output.toString()).contains("etcd 3.7.3 is already installed: ");
    assertThat(server.requests()).hasSize(1);
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void one_that_is_killed_installs_nothing_and_the_one_that_waits_cleans_up() throws Exception {
    Process killed = startAndAwaitDownload();
    CompletableFuture<Path> next = waiting();
    assertThat(workshop.installed(EtcdServers.ETCD)).doesNotExist();
    assertThat(Workshop.names(workshop.cache.resolve("etcd"))).hasSize(2);

    server.gives(ETCD);
    killed.destroyForcibly();
    assertThat(next.get(60, TimeUnit.SECONDS)).isExecutable();
    assertThat(server.requests()).hasSize(2);
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void one_that_is_ended_cleans_up_itself() throws Exception {
    Process ended = startAndAwaitDownload();
    ended.destroy();
    assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();
    workshop.nothingIsThere();
  }

  /** Begins an install in this process, which waits for the one that has begun. */
  private CompletableFuture<Path> waiting() {
    workshop.mirror = Optional.of(Mirror.at("--mirror", server.address()));
    CompletableFuture<Path> install = CompletableFuture.supplyAsync(workshop::installEtcd);
    Await.until(
        "it waits",
        LIMIT,
        () -> workshop.output.toString().contains("waiting for another install of etcd to end"));
    return install;
  }

  private Process startAndAwaitDownload() throws IOException {
    Process process = start();
    Path etcd = workshop.cache.resolve("etcd");
    Await.until(
        "half of the archive is there",
        LIMIT,
        () -> server.requests().size() == 1 && Workshop.names(etcd).size() == 2);
    return process;
  }

  private Process start() throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dquorate.home=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            "io.quorate.cli.Quorate",
            "install",
            "etcd",
            "--mirror",
            server.address());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile());
    builder.environment().put("QUORATE_CACHE", workshop.cache.toString());
    builder.environment().put("PATH", directory.resolve("bin").toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }
}
