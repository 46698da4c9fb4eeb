// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds the pinned Go module with the toolchain of this machine. Go caches compiled packages, so
 * that a repeated build after a failure is fast.
 */
@SuppressWarnings("try") // the progress is reported until it is closed, and has no methods to call
record GoBuild(Installation installation, Path modules, InstallOutput console)
    implements ProgramSource {
  private static final Pattern VERSION = Pattern.compile("go\\d+\\.\\d+(?:\\.\\d+)?");

  @Override
  public String title() {
    return "building from source";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    Path go =
        installation.onPath("go").orElseThrow(() -> needsGo(program, "there is no go on PATH"));
    BuildTool toolchain = new BuildTool("go", go, work, environment());
    String version = version(toolchain);
    if (!Files.exists(modules.resolve(program.module()))) {
      resolve(program, toolchain, version, work);
      build(program, toolchain, into);
      return "built from source with "
          + version
          + ", with the dependencies that its module asks for, and the sums of Go's checksum database";
    }
    // a program of Quorate's own has its source there as well
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(modules.resolve(program.module()), "*.{mod,sum,go}")) {
      for (Path file : files) {
        Files.copy(file, work.resolve(file.getFileName()));
      }
    }
    if (GoReleases.ORDER.compare(version.substring("go".length()), neededGo(program)) < 0) {
      throw needsGo(program, go + " is " + version);
    }
    build(program, toolchain, into);
    return "built from source with " + version;
  }

  /** Writes the module of a version that is not pinned; Go's checksum database has its sums. */
  private void resolve(Program program, BuildTool go, String version, Path work)
      throws IOException {
    Path module = work.resolve("go.mod");
    Files.writeString(
        module,
        "module quorate.io/databases/%s%n%ngo %s%n"
            .formatted(program.module(), version.substring("go".length())));
    List<String> get = new ArrayList<>(List.of("get", "-tool"));
    program.packages().forEach(each -> get.add(each.path() + "@" + program.release()));
    console.say("%s %s is not pinned: resolving its module ...", program.id(), program.version());
    try {
      try (Closeable progress = console.progress(() -> "  still resolving ...")) {
        go.run("resolving " + program.name(), line -> {}, get);
      }
    } catch (QuorateException failure) {
      List<String> releases = GoReleases.of(go, program);
      throw releases.isEmpty() || releases.contains(program.version())
          ? failure
          : new QuorateException(
              "there is no %s %s; near ones: %s"
                  .formatted(
                      program.id(),
                      program.version(),
                      String.join(", ", GoReleases.near(releases, program.version()))));
    }
  }

  /** Returns how much is compiled, and how long the rest takes at the same speed. */
  static String progress(int compiled, int all, long nanos) {
    int percent = all == 0 ? 0 : Math.min(99, 100 * compiled / all);
    long left = compiled == 0 ? 0 : nanos / compiled * Math.max(0, all - compiled) / 1_000_000_000L;
    return "  compiled %d of at most %d packages, %d%%%s"
        .formatted(
            compiled,
            all,
            percent,
            compiled == 0 || left == 0 ? "" : ", at most " + time(left) + " left");
  }

  private static String time(long seconds) {
    return seconds < 90 ? seconds + " s" : (seconds + 30) / 60 + " min";
  }

  private static String version(BuildTool go) {
    List<String> lines = new ArrayList<>();
    go.run("asking for its version", lines::add, List.of("version"));
    return lines.stream()
        .map(VERSION::matcher)
        .filter(Matcher::find)
        .map(Matcher::group)
        .findFirst()
        .orElseThrow(
            () -> new QuorateException(go.executable() + " version: no version in " + lines));
  }

  private void build(Program program, BuildTool go, Path into) throws IOException {
    console.say("building %s %s: fetching its sources ...", program.id(), program.version());
    List<String> sources = new ArrayList<>(List.of("list", "-mod=readonly", "-deps"));
    program.packages().forEach(each -> sources.add(each.path()));
    AtomicInteger all = new AtomicInteger();
    try (Closeable progress = console.progress(() -> "  still fetching ...")) {
      go.run("fetching the sources of " + program.id(), line -> all.incrementAndGet(), sources);
    }
    AtomicInteger compiled = new AtomicInteger();
    long start = System.nanoTime();
    try (Closeable progress =
        console.progress(() -> progress(compiled.get(), all.get(), System.nanoTime() - start))) {
      for (Program.GoPackage each : program.packages()) {
        console.say("building %s ...", each.executable());
        Path executable = into.resolve(each.executable());
        go.run(
            "building " + each.executable(),
            line -> compiled.incrementAndGet(),
            List.of(
                "build",
                "-v",
                "-mod=readonly",
                "-trimpath",
                "-ldflags=-s -w",
                "-o",
                executable.toString(),
                each.path()));
        if (!Files.isExecutable(executable)) {
          throw new QuorateException("go build made no " + each.executable());
        }
      }
    }
  }

  /**
   * Returns the settings of Go: a static build at the pinned version, with the installed toolchain
   * unless the user selects another.
   */
  private Map<String, String> environment() {
    return environment(installation);
  }

  static Map<String, String> environment(Installation installation) {
    Map<String, String> environment = new TreeMap<>(installation.environment());
    environment.put("CGO_ENABLED", "0");
    environment.put("GOWORK", "off");
    environment.putIfAbsent("GOTOOLCHAIN", "local");
    return environment;
  }

  private String neededGo(Program program) {
    Path module = modules.resolve(program.module()).resolve("go.mod");
    try {
      return Files.readAllLines(module).stream()
          .filter(line -> line.startsWith("go "))
          .map(line -> line.substring("go ".length()).strip())
          .findFirst()
          .orElseThrow(() -> new QuorateException(module + " has no line that begins with 'go'"));
    } catch (IOException failure) {
      throw FileFailure.exception("cannot read " + module, failure);
    }
  }

  private QuorateException needsGo(Program program, String found) {
    boolean pinned = Files.exists(modules.resolve(program.module()));
    return new QuorateException(
        "it needs Go%s (https://go.dev/dl/): %s"
            .formatted(pinned ? " " + neededGo(program) + " or newer" : "", found));
  }
}
