// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import io.quorate.cluster.Script;
import io.quorate.store.cetcd.CetcdStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Building from source, with a shell script in the place of Go. */
class InstallerIT {
  private static final String NOTHING_PINNED =
      "  release archive: no checksum is pinned for etcd 3.7.3 linux-amd64:"
          + " see src/databases/README.md, how to pin one\n";
  private static final String WHAT_TO_DO =
      "\nFix one of these and retry. Or get etcd elsewhere, and pass it with ./quorate "
          + "install etcd --from FILE, put it on PATH, or set QUORATE_ETCD to it.";

  @TempDir Path directory;
  private Workshop workshop;
  private Path installed;

  @BeforeEach
  void workshop() {
    workshop = new Workshop(directory);
    installed = workshop.installed(EtcdServers.ETCD);
  }

  @Test
  void a_program_is_built_at_the_pinned_version_into_the_cache() {
    workshop.go(Workshop.WORKS);
    assertThat(workshop.installEtcd()).isEqualTo(installed.resolve("etcd")).isExecutable();
    assertThat(installed.resolve("etcdctl")).isExecutable();
    assertThat(installed.resolve("etcdutl")).isExecutable();
    assertThat(workshop.origin()).isEqualTo("built from source with go1.26.8");
    List<String> calls =
        workshop.lines("calls").stream().filter(call -> !call.equals("version")).toList();
    assertThat(calls.get(0))
        .isEqualTo(
            "list -mod=readonly -deps go.etcd.io/etcd/server/v3 go.etcd.io/etcd/etcdctl/v3"
                + " go.etcd.io/etcd/etcdutl/v3");
    assertThat(calls.get(1))
        .matches(
            "build -v -mod=readonly -trimpath -ldflags=-s -w -o \\S+/etcd go\\.etcd\\.io/etcd/server/v3");
    assertThat(workshop.lines("environment"))
        .contains("CGO_ENABLED=0", "GOWORK=off", "GOTOOLCHAIN=local");
    // never in the checkout
    assertThat(workshop.lines("directory").get(0))
        .startsWith(directory.resolve("cache/etcd") + "/.installing-");
    assertThat(workshop.output.toString())
        .contains("installing etcd 3.7.3")
        .endsWith("etcd 3.7.3 is installed: " + installed.resolve("etcd") + "\n");
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void what_is_there_is_not_built_again() {
    workshop.go(Workshop.WORKS);
    workshop.installEtcd();
    List<String> calls = workshop.lines("calls");
    workshop.output.getBuffer().setLength(0);
    workshop.installEtcd();
    assertThat(workshop.lines("calls")).isEqualTo(calls);
    assertThat(workshop.output)
        .hasToString("etcd 3.7.3 is already installed: " + installed.resolve("etcd") + "\n");
  }

  @Test
  void two_installs_at_once_build_once() throws Exception {
    workshop.go(Workshop.WORKS);
    CompletableFuture<Path> one = CompletableFuture.supplyAsync(workshop::installEtcd);
    CompletableFuture<Path> other = CompletableFuture.supplyAsync(workshop::installEtcd);
    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(other.get(60, TimeUnit.SECONDS));
    assertThat(workshop.lines("calls")).filteredOn(call -> call.startsWith("build")).hasSize(3);
  }

  @Test
  void a_build_that_fails_shows_its_last_lines_and_leaves_nothing() {
    workshop.go("echo half >\"$2\"; echo 'x.go:1: no such thing'; exit 2\n");
    assertThatThrownBy(workshop::installEtcd)
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "cannot install etcd 3.7.3:\n"
                + NOTHING_PINNED
                + "  building from source: building etcd failed: go ended with exit code 2;"
                + " its last lines:\n"
                + "  x.go:1: no such thing"
                + WHAT_TO_DO);
    workshop.nothingIsThere();
  }

  @Test
  void a_build_that_is_killed_leaves_nothing_and_the_next_one_works() throws Exception {
    workshop.go("echo half >\"$2\"; echo $$ >'" + directory + "/pid'; exec sleep 600\n");
    CompletableFuture<Path> install = CompletableFuture.supplyAsync(workshop::installEtcd);
    Path pid = directory.resolve("pid");
    Await.until("the build runs", Duration.ofSeconds(60), () -> !text(pid).isBlank());
    ProcessHandle.of(Long.parseLong(text(pid).strip())).orElseThrow().destroyForcibly();
    assertThat(install.handle((path, failure) -> failure.getCause()).get(60, TimeUnit.SECONDS))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("building etcd failed: go ended with exit code 137");
    workshop.nothingIsThere();

    Files.createDirectories(directory.resolve("cache/etcd/.installing-killed/made"));
    workshop.go(Workshop.WORKS);
    assertThat(workshop.installEtcd()).isExecutable();
    workshop.onlyTheVersionIsThere();
  }

  @Test
  void without_any_source_it_says_why_each_failed_and_what_to_do() {
    assertThatThrownBy(workshop::installEtcd)
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "cannot install etcd 3.7.3:\n"
                + NOTHING_PINNED
                + "  building from source: it needs Go 1.26.0 or newer (https://go.dev/dl/):"
                + " there is no go on PATH"
                + WHAT_TO_DO);
    workshop.nothingIsThere();
  }

  @Test
  void a_version_without_a_module_needs_any_go() {
    assertThatThrownBy(() -> workshop.installer().install(EtcdServers.ETCD.inVersion("3.5.16")))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("it needs Go (https://go.dev/dl/): there is no go on PATH");
    workshop.nothingIsThere();
  }

  @Test
  void an_older_go_is_said_before_anything_is_built() {
    Path go =
        Script.write(
            directory.resolve("bin/go"),
            "[ $1 = version ] || exit 9\necho 'go version go1.9.11 linux/amd64'\n");
    assertThatThrownBy(workshop::installEtcd)
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("needs Go 1.26.0 or newer")
        .hasMessageContaining(go + " is go1.9.11\n");
    workshop.nothingIsThere();
  }

  @Test
  void what_does_not_report_the_pinned_version_is_not_installed() {
    workshop.go(Workshop.WORKS.replace("3.7.3", "3.5.1"));
    assertThatThrownBy(workshop::installEtcd)
        .hasMessageContaining("the executable says that it is etcd 3.5.1, not 3.7.3");
    workshop.nothingIsThere();
  }

  @Test
  void a_program_without_sources_says_where_it_can_be_had() {
    assertThatThrownBy(() -> workshop.installer().install(CetcdStore.CETCD))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "cetcd: Quorate cannot install it; build it from https://github.com/etcd-io/cetcd,"
                + " then put it on PATH or set QUORATE_CETCD");
  }

  @Test
  void every_program_has_its_pinned_module_in_the_checkout() throws IOException {
    Path databases = Path.of(System.getProperty("quorate.home")).resolve("src/databases");
    List<Program> programs = new ArrayList<>(Stores.installable());
    Stores.versions().forEach(version -> programs.addAll(Stores.servers(version).programs()));
    for (Program program : programs) {
      if (program.isOfJars()) {
        jarsArePinned(databases.resolve(program.module()), program);
        continue;
      }
      Path module = databases.resolve(program.module()).resolve("go.mod");
      List<String> lines = Files.readAllLines(module);
      for (Program.GoPackage each : program.packages()) {
        assertThat(lines)
            .anyMatch(
                line ->
                    program == Stores.POWER_CUT
                        ? line.equals("module quorate.io/databases/powercut")
                        : pins(line, each.path(), program.version()));
      }
      assertThat(module.resolveSibling("go.sum")).isNotEmptyFile();
      PinnedChecksums.read(databases, program);
    }
  }

  private static void jarsArePinned(Path module, Program program) throws IOException {
    List<String> artifacts = new ArrayList<>();
    String name = "";
    for (String line : Files.readAllLines(module.resolve("pom.xml"))) {
      String text = line.strip().replaceAll("<[^>]*>", "");
      name = line.contains("<artifactId>") ? text : name;
      if (line.contains("<version>") && !name.equals("maven-dependency-plugin")) {
        artifacts.add(name + "-" + text + ".jar");
      }
    }
    // the first is the pom itself
    assertThat(PinnedChecksums.read(module.getParent(), program).files())
        .containsExactlyInAnyOrderElementsOf(artifacts.subList(1, artifacts.size()))
        .contains(program.file());
  }

  /**
   * Returns whether a line requires the module of a package, which may be above it, at a version.
   */
  private static boolean pins(String line, String path, String version) {
    String[] words = line.strip().split(" ");
    return words.length > 1
        && (path.equals(words[0]) || path.startsWith(words[0] + "/"))
        && words[1].equals("v" + version);
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
