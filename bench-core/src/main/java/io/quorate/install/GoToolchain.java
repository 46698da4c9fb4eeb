package io.quorate.install;

import io.quorate.QuorateException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Go toolchain of this machine. Its commands run in one directory, with a fixed environment.
 */
final class GoToolchain {
  private static final int LAST_LINES = 20;
  private static final Pattern VERSION = Pattern.compile("go(\\d+)\\.(\\d+)(?:\\.(\\d+))?");

  private final Path go;
  private final Path directory;
  private final Map<String, String> environment;

  GoToolchain(Path go, Path directory, Map<String, String> environment) {
    this.go = go;
    this.directory = directory;
    this.environment = environment;
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
        .orElseThrow(() -> new QuorateException(go + " version: no version in " + lines));
  }

  /**
   * Runs a command and waits for its end.
   *
   * @param lines gets each line of output and errors, as it comes
   * @throws QuorateException if it fails, with its last lines; it is ended when this JVM ends
   */
  void run(String what, Consumer<String> lines, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(go.toString()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().clear();
    builder.environment().putAll(environment);
    Deque<String> last = new ArrayDeque<>();
    try (OwnedProcess owned = OwnedProcess.start(builder)) {
      Process process = owned.process();
      try (BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          last.addLast(line);
          if (last.size() > LAST_LINES) {
            last.removeFirst();
          }
          lines.accept(line);
        }
        int code = process.waitFor();
        if (code != 0) {
          throw failure(what, code, last);
        }
      }
    } catch (IOException failure) {
      throw new QuorateException("cannot run " + go + ": " + failure, failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted while " + what, interrupt);
    }
  }

  private QuorateException failure(String what, int code, Deque<String> last) {
    return new QuorateException(
        String.join(" ", what, "failed: go ended with exit code", Integer.toString(code))
            + (last.isEmpty() ? "" : "; its last lines:\n  " + String.join("\n  ", last)));
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
