package io.quorate.install;

import io.quorate.QuorateException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Go toolchain of this machine. Its commands run in one directory, with a fixed environment.
 */
final class GoToolchain {
  private static final Pattern VERSION = Pattern.compile("go(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  private final BuildTool go;

  GoToolchain(Path go, Path directory, Map<String, String> environment) {
    this.go = new BuildTool("go", go, directory, environment);
  }

  /** Returns whether the version is at least that of a {@code go} line of a go.mod. */
  boolean isAtLeast(String needed) {
    return compare(numbers(version()), numbers("go" + needed)) >= 0;
  }

  /** Returns the version, such as {@code go1.26.8}. */
  String version() {
    List<String> lines = new ArrayList<>();
    run("asking for its version", lines::add, List.of("version"));
    return lines.stream()
        .map(VERSION::matcher)
        .filter(Matcher::find)
        .map(Matcher::group)
        .findFirst()
        .orElseThrow(
            () -> new QuorateException(go.executable() + " version: no version in " + lines));
  }

  /**
   * Runs a command and waits for its end.
   *
   * @param lines gets each line of output and errors, as it comes
   * @throws QuorateException as of {@link BuildTool#run}
   */
  void run(String what, Consumer<String> lines, List<String> arguments) {
    go.run(what, lines, arguments);
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

  private static int compare(int[] one, int[] other) {
    return Arrays.compare(one, other);
  }
}
