package io.quorate.install;

import io.quorate.QuorateException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Builds a program at its pinned version into the cache of the user. What is there is complete: the
 * directory of a version appears in one step, after everything in it was built.
 */
@SuppressWarnings(
    "try") // the lock and the progress are there until they are closed, not to be called
public final class Installer {
  private static final String BUILDING = ".building-";

  private final Installation installation;
  private final Path modules;
  private final PrintWriter out;
  private final Duration interval;

  /**
   * @param modules the directory that has {@code <program>/go.mod} and {@code go.sum}; only read
   * @param out for progress and the outcome
   * @param terminal whether somebody looks on: more lines of progress
   */
  public Installer(Installation installation, Path modules, PrintWriter out, boolean terminal) {
    this.installation = installation;
    this.modules = modules;
    this.out = out;
    this.interval = Progress.interval(terminal);
  }

  /**
   * Installs a program, unless it is there already.
   *
   * @throws QuorateException if it cannot be built, with the reason; nothing half-made stays
   */
  public Path install(Program program) {
    Path directory = installation.directory(program);
    Path executable = directory.resolve(program.id());
    if (Files.isExecutable(executable)) {
      say("%s %s is already installed: %s", program.id(), program.version(), executable);
      return executable;
    }
    try (LockFile lock =
        LockFile.acquire(
            directory.resolveSibling(".lock"),
            () -> say("waiting for another install of %s to end ...", program.id()))) {
      if (Files.isExecutable(executable)) {
        say("%s %s is already installed: %s", program.id(), program.version(), executable);
        return executable;
      }
      removeLeftovers(directory.getParent());
      build(program, directory);
    } catch (IOException failure) {
      throw new QuorateException("cannot install " + program.id() + ": " + failure, failure);
    }
    say("%s %s is installed: %s", program.id(), program.version(), executable);
    return executable;
  }

  private void build(Program program, Path directory) throws IOException {
    Path go =
        installation.onPath("go").orElseThrow(() -> needsGo(program, "there is no go on PATH"));
    Path work = Files.createTempDirectory(directory.getParent(), BUILDING);
    Thread hook = new Thread(() -> removeAtEnd(work), "quorate-remove-build");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      GoToolchain toolchain = new GoToolchain(go, work, environment());
      for (String file : List.of("go.mod", "go.sum")) {
        Files.copy(modules.resolve(program.id()).resolve(file), work.resolve(file));
      }
      if (!toolchain.isAtLeast(neededGo(program))) {
        throw needsGo(program, go + " is " + toolchain.version());
      }
      Path built = Files.createDirectory(work.resolve("built"));
      build(program, toolchain, built);
      removeTree(directory);
      Files.move(built, directory, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      removeTree(work);
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException nothing) {
        // the JVM is ending, and the hook runs
      }
    }
  }

  private void build(Program program, GoToolchain go, Path built) {
    say("installing %s %s: fetching its sources ...", program.id(), program.version());
    List<String> sources = new ArrayList<>(List.of("list", "-mod=readonly", "-deps"));
    program.packages().forEach(each -> sources.add(each.path()));
    AtomicInteger all = new AtomicInteger();
    try (Progress progress = progress(() -> "  still fetching ...")) {
      go.run("fetching the sources of " + program.id(), line -> all.incrementAndGet(), sources);
    }
    AtomicInteger compiled = new AtomicInteger();
    try (Progress progress =
        progress(() -> "  compiled " + compiled + " of at most " + all + " packages")) {
      for (Program.GoPackage each : program.packages()) {
        say("building %s ...", each.executable());
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
                built.resolve(each.executable()).toString(),
                each.path()));
        if (!Files.isExecutable(built.resolve(each.executable()))) {
          throw new QuorateException("go build made no " + each.executable());
        }
      }
    }
  }

  private Progress progress(Supplier<String> line) {
    return Progress.every(interval, out, line);
  }

  /** Static, as pinned, and with the toolchain that is there unless the user wants another. */
  private Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>(installation.environment());
    environment.put("CGO_ENABLED", "0");
    environment.put("GOWORK", "off");
    environment.putIfAbsent("GOTOOLCHAIN", "local");
    return environment;
  }

  private String neededGo(Program program) {
    Path module = modules.resolve(program.id()).resolve("go.mod");
    try {
      return Files.readAllLines(module).stream()
          .filter(line -> line.startsWith("go "))
          .map(line -> line.substring("go ".length()).strip())
          .findFirst()
          .orElseThrow(() -> new QuorateException(module + " has no line that begins with 'go'"));
    } catch (IOException failure) {
      throw new QuorateException("cannot read " + module + ": " + failure, failure);
    }
  }

  private QuorateException needsGo(Program program, String found) {
    return new QuorateException(
        String.format(
            Locale.ROOT,
            "building %s %s needs Go %s or newer (https://go.dev/dl/): %s. Or get %s elsewhere and"
                + " put it on PATH, or set %s to it.",
            program.id(),
            program.version(),
            neededGo(program),
            found,
            program.id(),
            program.variable()));
  }

  /** What installs left that were killed; nobody else can be building while the lock is held. */
  private static void removeLeftovers(Path parent) throws IOException {
    try (Stream<Path> content = Files.list(parent)) {
      content
          .filter(each -> each.getFileName().toString().startsWith(BUILDING))
          .forEach(Installer::removeTree);
    }
  }

  private static void removeAtEnd(Path work) {
    try {
      removeTree(work);
    } catch (QuorateException nothing) {
      // go or we are still at work in it; the next install removes what stays
    }
  }

  private static void removeTree(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException failure) {
      throw new QuorateException("cannot remove " + directory + ": " + failure, failure);
    }
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
