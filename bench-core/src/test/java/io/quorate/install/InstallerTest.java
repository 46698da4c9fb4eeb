package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Await;
import io.quorate.cluster.Script;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installing with a shell script in the place of Go. */
class InstallerTest {
  /** What all stand-ins do before "go build": note the call, and answer the questions. */
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

  private static final String WORKS =
      "echo fmt; printf '#!/bin/sh\\necho etcd Version: 3.6.16\\n' >\"$2\"; chmod +x \"$2\"\n";

  @TempDir Path directory;
  private final StringWriter output = new StringWriter();
  private Path installed;

  @BeforeEach
  void modules() throws IOException {
    Path modules = Files.createDirectories(directory.resolve("modules/etcd"));
    Files.writeString(modules.resolve("go.mod"), "module x\n\ngo 1.26.0\n");
    Files.writeString(modules.resolve("go.sum"), "sums\n");
    installed = directory.resolve("cache/etcd/3.6.16");
  }

  @Test
  void a_program_is_built_at_the_pinned_version_into_the_cache() throws IOException {
    go(WORKS);
    assertThat(install()).isEqualTo(installed.resolve("etcd")).isExecutable();
    assertThat(installed.resolve("etcdctl")).isExecutable();
    assertThat(lines("calls").get(0)).isEqualTo("version");
    assertThat(lines("calls").get(1))
        .isEqualTo("list -mod=readonly -deps go.etcd.io/etcd/server/v3 go.etcd.io/etcd/etcdctl/v3");
    assertThat(lines("calls").get(2))
        .matches(
            "build -v -mod=readonly -trimpath -ldflags=-s -w -o \\S+/etcd go\\.etcd\\.io/etcd/server/v3");
    assertThat(lines("environment")).contains("CGO_ENABLED=0", "GOWORK=off", "GOTOOLCHAIN=local");
    // never in the checkout
    assertThat(lines("directory").get(0))
        .startsWith(directory.resolve("cache/etcd") + "/.building-");
    assertThat(output.toString())
        .contains("installing etcd 3.6.16")
        .endsWith("etcd 3.6.16 is installed: " + installed.resolve("etcd") + "\n");
    onlyTheVersionIsThere();
  }

  @Test
  void what_is_there_is_not_built_again() throws IOException {
    go(WORKS);
    install();
    List<String> calls = lines("calls");
    output.getBuffer().setLength(0);
    install();
    assertThat(lines("calls")).isEqualTo(calls);
    assertThat(output)
        .hasToString("etcd 3.6.16 is already installed: " + installed.resolve("etcd") + "\n");
  }

  @Test
  void two_installs_at_once_build_once() throws Exception {
    go(WORKS);
    CompletableFuture<Path> one = CompletableFuture.supplyAsync(this::install);
    CompletableFuture<Path> other = CompletableFuture.supplyAsync(this::install);
    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(other.get(60, TimeUnit.SECONDS));
    assertThat(lines("calls")).filteredOn(call -> call.startsWith("build")).hasSize(2);
  }

  @Test
  void a_build_that_fails_shows_its_last_lines_and_leaves_nothing() throws IOException {
    go("echo half >\"$2\"; echo 'x.go:1: no such thing'; exit 2\n");
    assertThatThrownBy(this::install)
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "building etcd failed: go ended with exit code 2; its last lines:\n"
                + "  x.go:1: no such thing");
    nothingIsThere();
  }

  @Test
  void a_build_that_is_killed_leaves_nothing_and_the_next_one_works() throws Exception {
    go("echo half >\"$2\"; echo $$ >'" + directory + "/pid'; exec sleep 600\n");
    CompletableFuture<Path> install = CompletableFuture.supplyAsync(this::install);
    Path pid = directory.resolve("pid");
    Await.until("the build runs", Duration.ofSeconds(60), () -> !text(pid).isBlank());
    ProcessHandle.of(Long.parseLong(text(pid).strip())).orElseThrow().destroyForcibly();
    assertThat(install.handle((path, failure) -> failure.getCause()).get(60, TimeUnit.SECONDS))
        .isInstanceOf(QuorateException.class)
        .hasMessage("building etcd failed: go ended with exit code 137");
    nothingIsThere();

    Files.createDirectories(directory.resolve("cache/etcd/.building-killed/built"));
    go(WORKS);
    assertThat(install()).isExecutable();
    onlyTheVersionIsThere();
  }

  @Test
  void without_go_it_says_what_is_needed_and_the_other_ways() {
    assertThatThrownBy(this::install)
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "building etcd 3.6.16 needs Go 1.26.0 or newer (https://go.dev/dl/): there is no go on"
                + " PATH. Or get etcd elsewhere and put it on PATH, or set QUORATE_ETCD to it.");
  }

  @Test
  void an_older_go_is_said_before_anything_is_built() throws IOException {
    Path go =
        Script.write(
            directory.resolve("bin/go"),
            "[ $1 = version ] || exit 9\necho 'go version go1.9.11 linux/amd64'\n");
    assertThatThrownBy(this::install)
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("needs Go 1.26.0 or newer")
        .hasMessageContaining(go + " is go1.9.11.");
    nothingIsThere();
  }

  @Test
  void every_program_has_its_pinned_module_in_the_checkout() {
    Path home = Path.of(System.getProperty("quorate.home"));
    for (Program program : Program.values()) {
      Path module = home.resolve("src/databases").resolve(program.id()).resolve("go.mod");
      for (Program.GoPackage each : program.packages()) {
        assertThat(module).content().contains("\t" + each.path() + " v" + program.version());
      }
      assertThat(module.resolveSibling("go.sum")).isNotEmptyFile();
    }
  }

  private void go(String build) {
    Script.write(directory.resolve("bin/go"), PREAMBLE.formatted(directory) + build);
  }

  private Path install() {
    Map<String, String> environment =
        Map.of(
            "PATH",
            directory.resolve("bin") + ":/usr/bin:/bin",
            "QUORATE_CACHE",
            directory.resolve("cache").toString());
    return new Installer(
            new Installation(withoutRealGo(environment), directory),
            directory.resolve("modules"),
            new PrintWriter(output, true),
            true)
        .install(Program.ETCD);
  }

  /** A Go in /usr/bin must not be found where a test has none. */
  private Map<String, String> withoutRealGo(Map<String, String> environment) {
    return Files.exists(directory.resolve("bin/go"))
        ? environment
        : Map.of(
            "PATH", directory.resolve("bin").toString(),
            "QUORATE_CACHE", environment.get("QUORATE_CACHE"));
  }

  private void nothingIsThere() throws IOException {
    assertThat(names(directory.resolve("cache/etcd"))).containsExactly(".lock");
  }

  private void onlyTheVersionIsThere() throws IOException {
    assertThat(names(directory.resolve("cache/etcd"))).containsExactly(".lock", "3.6.16");
    assertThat(names(installed)).containsExactly("etcd", "etcdctl");
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> content = Files.list(directory)) {
      return content.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
