package io.quorate.install;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds the pinned Go module with the toolchain of this machine. Go keeps what it compiled in its
 * own cache, so that a build which failed late does not begin anew.
 */
@SuppressWarnings("try") // the progress is there until it is closed, not to be called
final class GoBuild implements ProgramSource {
  private static final Pattern VERSION = Pattern.compile("go(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  private final Installation installation;
  private final Path modules;
  private final InstallOutput console;

  GoBuild(Installation installation, Path modules, InstallOutput console) {
    this.installation = installation;
    this.modules = modules;
    this.console = console;
  }

  @Override
  public String title() {
    return "building from source";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    Path go =
        installation.onPath("go").orElseThrow(() -> needsGo(program, "there is no go on PATH"));
    BuildTool toolchain = new BuildTool("go", go, work, environment());
    for (String file : List.of("go.mod", "go.sum")) {
      Files.copy(modules.resolve(program.module()).resolve(file), work.resolve(file));
    }
    String version = version(toolchain);
    if (Arrays.compare(numbers(version), numbers("go" + neededGo(program))) < 0) {
      throw needsGo(program, go + " is " + version);
    }
    build(program, toolchain, into);
    return "built from source with " + version;
  }

  /** Returns the version of a toolchain, such as {@code go1.26.8}. */
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

  private static int[] numbers(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.find()) {
      throw new QuorateException("'" + version + "' is not a version of Go");
    }
    String patch = matcher.group(3) == null ? "0" : matcher.group(3);
    return new int[] {
      Integer.parseInt(matcher.group(1)),
      Integer.parseInt(matcher.group(2)),
      Integer.parseInt(patch)
    };
  }

  private void build(Program program, BuildTool go, Path into) {
    console.say("building %s %s: fetching its sources ...", program.id(), program.version());
    List<String> sources = new ArrayList<>(List.of("list", "-mod=readonly", "-deps"));
    program.packages().forEach(each -> sources.add(each.path()));
    AtomicInteger all = new AtomicInteger();
    try (InstallOutput.Progress progress = console.progress(() -> "  still fetching ...")) {
      go.run("fetching the sources of " + program.id(), line -> all.incrementAndGet(), sources);
    }
    AtomicInteger compiled = new AtomicInteger();
    try (InstallOutput.Progress progress =
        console.progress(() -> "  compiled " + compiled + " of at most " + all + " packages")) {
      for (Program.GoPackage each : program.packages()) {
        console.say("building %s ...", each.executable());
        build(each, go, into.resolve(each.executable()), compiled);
      }
    }
  }

  private static void build(
      Program.GoPackage one, BuildTool go, Path executable, AtomicInteger compiled) {
    List<String> arguments = new ArrayList<>(List.of("build", "-v", "-mod=readonly", "-trimpath"));
    arguments.addAll(List.of("-ldflags=-s -w", "-o", executable.toString(), one.path()));
    go.run("building " + one.executable(), line -> compiled.incrementAndGet(), arguments);
    if (!Files.isExecutable(executable)) {
      throw new QuorateException("go build made no " + one.executable());
    }
  }

  /**
   * Returns the settings of Go: a static build, as pinned, and with the installed toolchain unless
   * the user wants another.
   */
  private Map<String, String> environment() {
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
      throw new QuorateException(
          "cannot read " + module + ": " + FileFailure.reason(failure), failure);
    }
  }

  private QuorateException needsGo(Program program, String found) {
    return new QuorateException(
        String.format(
            Locale.ROOT,
            "it needs Go %s or newer (https://go.dev/dl/): %s",
            neededGo(program),
            found));
  }
}
