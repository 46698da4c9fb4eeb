// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import io.quorate.store.consul.ConsulServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Installing from a server on loopback that behaves well or badly. */
class VendorArchiveIT extends ArchiveInstalls {
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void the_right_archive_is_unpacked_into_the_cache() throws IOException {
    pin(NAME, ETCD);
    server.gives(ETCD);
    assertThat(workshop.installEtcd()).isExecutable().hasContent(ArchiveBytes.ETCD);
    assertThat(server.requests()).containsExactly("/some/where/etcd/v3.7.3/" + NAME);
    assertThat(workshop.origin()).isEqualTo("archive " + address);
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void each_vendor_has_its_own_names() throws IOException {
    byte[] consul =
        new ArchiveBytes().with("LICENSE.txt", "BUSL").with("consul", ArchiveBytes.CONSUL).zip();
    workshop.platform = Platform.named("Linux", "aarch64");
    pin("consul/", "consul_1.22.7_linux_arm64.zip", consul);
    server.gives(consul);
    assertThat(workshop.installer().install(ConsulServers.CONSUL)).hasContent(ArchiveBytes.CONSUL);

    byte[] etcd = ArchiveBytes.ofEtcd().zip();
    workshop.platform = Platform.named("Mac OS X", "x86_64");
    pin("etcd-v3.7.3-darwin-amd64.zip", etcd);
    server.gives(etcd);
    assertThat(workshop.installEtcd()).hasContent(ArchiveBytes.ETCD);
    assertThat(server.requests())
        .containsExactly(
            "/some/where/consul/1.22.7/consul_1.22.7_linux_arm64.zip",
            "/some/where/etcd/v3.7.3/etcd-v3.7.3-darwin-amd64.zip");
  }

  @Test
  void nothing_is_fetched_without_a_pinned_checksum() {
    server.gives(ETCD);
    workshop.write("etcd/SHA256SUMS", "# none yet\n");
    fails("release archive: no checksum is pinned for etcd 3.7.3 linux-amd64: see src/databases");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_line_that_is_no_checksum_is_named() {
    workshop.write("etcd/SHA256SUMS", "# sums\nabc \u001b[31m" + NAME + "\n");
    fails("etcd/SHA256SUMS:2: found 'abc \\x1b[31m" + NAME + "', expected 64 lower-case");
  }

  @Test
  void an_archive_with_another_checksum_is_not_even_unpacked() {
    pin(NAME, ETCD);
    server.gives(new ArchiveBytes().with("etcd", "evil").tarGz());
    fails(address + ": its SHA-256 is ");
  }

  @Test
  void a_truncated_archive_has_another_checksum() {
    pin(NAME, ETCD);
    server.gives(Arrays.copyOf(ETCD, ETCD.length / 2));
    fails(address + ": its SHA-256 is ");
  }

  @Test
  void an_archive_that_is_not_there_is_said() {
    pin(NAME, ETCD);
    fails(address + ": the server answered with status 404");
  }

  @Test
  void a_connection_that_is_cut_is_said() {
    pin(NAME, ETCD);
    server.isCutWhileSending(ETCD);
    fails(address + ": ");
  }

  @Test
  void nobody_listens() {
    pin(NAME, ETCD);
    server.close();
    fails(address + ": cannot connect: ");
  }

  @Test
  void a_server_that_stops_sending_is_given_up() {
    pin(NAME, ETCD);
    workshop.limits = limits(LONG, Duration.ofMillis(300), LONG);
    server.pausesWhileSending(ETCD);
    fails(address + ": the server sent nothing for 0.3 s");
  }

  @Test
  void a_server_that_does_not_answer_is_given_up() {
    pin(NAME, ETCD);
    server.isSilent();
    Duration limit = Duration.ofMillis(300);
    Throwable failure = failureWithin(limit);
    // on a busy machine the limit may be over before there is a connection
    while (failure.getMessage().contains("cannot connect") && limit.compareTo(LONG) < 0) {
      limit = limit.multipliedBy(4);
      failure = failureWithin(limit);
    }
    assertFailed(failure, address + ": the server does not answer: ");
  }

  private Throwable failureWithin(Duration limit) {
    workshop.limits = limits(limit, LONG, LONG);
    return catchThrowable(workshop::installEtcd);
  }

  @Test
  void a_download_that_takes_too_long_is_given_up() {
    pin(NAME, ETCD);
    workshop.limits = limits(LONG, LONG, Duration.ofMillis(300));
    server.pausesWhileSending(ETCD);
    fails(address + ": the download took more than 0.3 s");
  }

  @Test
  void a_redirect_is_followed() {
    pin(NAME, ETCD);
    server.redirects("/some", "/elsewhere", ETCD);
    assertThat(workshop.installEtcd()).isExecutable();
  }

  @Test
  void after_a_failure_it_is_built_from_source() {
    pin(NAME, ETCD);
    workshop.go(Workshop.WORKS);
    assertThat(workshop.installEtcd()).isExecutable();
    assertThat(workshop.output.toString().replaceAll("\n +", " "))
        .contains(
            "no release archive: "
                + address
                + ": the server answered with status 404; building from source instead\n");
    assertThat(workshop.origin()).isEqualTo("built from source with go1.26.8");
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void two_installs_at_once_fetch_once() throws Exception {
    pin(NAME, ETCD);
    server.pausesWhileSending(ETCD);
    CompletableFuture<Path> one = CompletableFuture.supplyAsync(workshop::installEtcd);
    CompletableFuture<Path> other = CompletableFuture.supplyAsync(workshop::installEtcd);
    Await.until(
        "one waits for the other",
        Duration.ofSeconds(60),
        () -> workshop.output.toString().contains("waiting for another install of etcd to end"));
    server.goOn();
    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(other.get(60, TimeUnit.SECONDS));
    assertThat(server.requests()).hasSize(1);
    assertThat(workshop.output.toString()).contains("etcd 3.7.3 is already installed: ");
    workshop.onlyTheVersionIsThere();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://x/",
        "x",
        "http:///x",
        "https://me@x/",
        "https://x/?q",
        "https://x/#f",
        "a b"
      })
  void what_cannot_be_a_mirror_is_said(String mirror) {
    assertThatThrownBy(() -> Mirror.at("QUORATE_MIRROR", mirror))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "QUORATE_MIRROR "
                + mirror
                + ": expected an address like https://HOST/PATH, without user, query or fragment");
  }

  private static DownloadLimits limits(Duration answer, Duration silence, Duration whole) {
    return new DownloadLimits(
        LONG,
        answer,
        silence,
        whole,
        Workshop.LIMITS.archiveBytes(),
        Workshop.LIMITS.unpackedBytes());
  }
}
