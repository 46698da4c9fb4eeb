package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Installing from a server on loopback that behaves well or badly. */
class VendorArchiveIT {
  private static final String NAME = "etcd-v3.7.3-linux-amd64.tar.gz";
  private static final byte[] ETCD = ArchiveBytes.ofEtcd().tarGz();

  @TempDir Path directory;
  private Workshop workshop;
  private ArchiveServer server;
  private String address;

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
    assertThat(workshop.installer().install(ConsulStore.CONSUL)).hasContent(ArchiveBytes.CONSUL);

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
    workshop.limits = limits(Duration.ofMillis(300), Duration.ofHours(1));
    server.pausesWhileSending(ETCD);
    fails(address + ": the server sent nothing for 0.3 s");
  }

  @Test
  void a_server_that_does_not_answer_is_given_up() {
    pin(NAME, ETCD);
    workshop.limits = limits(Duration.ofMillis(300), Duration.ofHours(1));
    server.isSilent();
    fails(address + ": the server does not answer: ");
  }

  @Test
  void a_download_that_takes_too_long_is_given_up() {
    pin(NAME, ETCD);
    workshop.limits = limits(Duration.ofMinutes(10), Duration.ofMillis(300));
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
    assertThat(workshop.output.toString())
        .contains("no release archive: " + address + ": the server answered with status 404\n");
    assertThat(workshop.origin()).isEqualTo("built from source with go1.26.8");
    workshop.onlyTheVersionIsThere();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../etcd", "a/../../etcd", "..", "a/.."})
  void an_entry_that_leads_out_makes_the_archive_hostile(String entry) {
    ArchiveBytes hostile = ArchiveBytes.ofEtcd().with(entry, "evil");
    String message = " is refused as hostile: '" + entry + "' leads out of the archive";
    refuses(hostile.tarGz(), message);
    refusesZip(hostile.zip(), message);
    assertThat(workshop.cache.resolve("evil")).doesNotExist();
  }

  @Test
  void an_absolute_path_makes_the_archive_hostile() {
    ArchiveBytes hostile = ArchiveBytes.ofEtcd().with("/tmp/quorate-evil/etcd", "evil");
    String message = "is refused as hostile: '/tmp/quorate-evil/etcd' is not a relative path";
    refuses(hostile.tarGz(), message);
    refusesZip(hostile.zip(), message);
    assertThat(Path.of("/tmp/quorate-evil")).doesNotExist();
  }

  @Test
  void a_path_of_another_system_makes_the_archive_hostile() {
    refuses(ArchiveBytes.ofEtcd().with("C:etcd", "evil").tarGz(), "'C:etcd' is not a relative");
    refuses(ArchiveBytes.ofEtcd().with("..\\etcd", "evil").tarGz(), "is not a relative path");
  }

  @Test
  void a_link_or_a_device_makes_the_archive_hostile() {
    String message = "is refused as hostile: 'link' is a link or a device";
    for (ArchiveBytes.Kind kind : ArchiveBytes.Kind.values()) {
      if (kind != ArchiveBytes.Kind.FILE) {
        refuses(ArchiveBytes.ofEtcd().with("link", kind).tarGz(), message);
      }
    }
    refusesZip(ArchiveBytes.ofEtcd().with("link", ArchiveBytes.Kind.SYMBOLIC_LINK).zip(), message);
  }

  @Test
  void names_in_messages_cannot_command_a_terminal() {
    refuses(ArchiveBytes.ofEtcd().with("/\u001b[2J", "evil").tarGz(), "'/\\x1b[2J' is not");
  }

  @Test
  void two_files_of_the_wanted_name_make_the_archive_hostile() {
    refuses(ArchiveBytes.ofEtcd().with("etcd", "evil").tarGz(), "it has two files etcd");
  }

  @Test
  void an_archive_without_the_program_is_said() {
    refuses(new ArchiveBytes().with("x/etcd", ArchiveBytes.ETCD).tarGz(), "has no etcdctl");
    refuses(new byte[] {1, 2, 3}, "cannot unpack archive: ");
  }

  @Test
  void what_unpacks_to_too_much_is_given_up() {
    workshop.limits =
        new DownloadLimits(
            Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofHours(1), 99_999, 9_999);
    byte[] zeros = new byte[100_000];
    String message = "cannot unpack archive: what is in it is more than 9999 bytes";
    refuses(new ArchiveBytes().with("etcd", zeros).tarGz(), message);
    refuses(ArchiveBytes.ofEtcd().with("unwanted", zeros).tarGz(), message);
    refusesZip(new ArchiveBytes().with("etcd", zeros).zip(), message);
  }

  @Test
  void an_archive_that_is_too_large_is_given_up() {
    workshop.limits =
        new DownloadLimits(
            Duration.ofSeconds(9), Duration.ofSeconds(9), Duration.ofHours(1), 100, 9_999);
    refuses(ETCD, address + ": the file is more than 100 bytes");
  }

  @Test
  void a_full_disk_is_said_and_left_as_it_was() throws Exception {
    Path small = Files.createDirectories(directory.resolve("small"));
    boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small.toString());
    if (!mounted) {
      System.out.println("SKIPPED VendorArchiveIT, a full disk: cannot mount a tmpfs here");
    }
    Assumptions.assumeTrue(mounted, "cannot mount a tmpfs here");
    try {
      workshop.cache = small;
      byte[] noise = new byte[1_000_000];
      new Random(1).nextBytes(noise);
      refuses(ArchiveBytes.ofEtcd().with("noise", noise).tarGz(), "No space left on device");
      // small to fetch, large to unpack
      refuses(new ArchiveBytes().with("etcd", new byte[1_000_000]).tarGz(), "No space left on");
      assertThat(workshop.installed(EtcdStore.ETCD)).doesNotExist();
    } finally {
      run("umount", small.toString());
    }
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

  private void refuses(byte[] archive, String message) {
    pin(NAME, archive);
    server.gives(archive);
    fails(message);
  }

  private void refusesZip(byte[] archive, String message) {
    workshop.platform = new Platform("darwin", "arm64");
    pin("etcd-v3.7.3-darwin-arm64.zip", archive);
    server.gives(archive);
    fails(message);
    workshop.platform = Workshop.LINUX;
  }

  /** There is no Go, so that nothing can be installed. */
  private void fails(String message) {
    assertThatThrownBy(workshop::installEtcd)
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("cannot install etcd 3.7.3:\n  release archive: ")
        .hasMessageContaining(message)
        .hasMessageContaining("\n  building from source: it needs Go 1.26.0 or newer")
        .hasMessageEndingWith("or set QUORATE_ETCD to it.");
    workshop.nothingIsThere();
  }

  private void pin(String name, byte[] archive) {
    pin("etcd/", name, archive);
  }

  private void pin(String program, String name, byte[] archive) {
    workshop.write(program + "SHA256SUMS", sum(archive) + "  " + name + "\n");
  }

  private static String sum(byte[] bytes) {
    Sha256 sum = new Sha256();
    sum.add(bytes, bytes.length);
    return sum.hex();
  }

  private static DownloadLimits limits(Duration silence, Duration whole) {
    return new DownloadLimits(
        Duration.ofSeconds(20),
        silence,
        whole,
        Workshop.LIMITS.archiveBytes(),
        Workshop.LIMITS.unpackedBytes());
  }

  private static boolean run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }
}
