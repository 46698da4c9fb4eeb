// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.install.Installation;
import io.quorate.load.RunningStep;
import io.quorate.results.RunDirectory;
import io.quorate.run.options.RunCommands;
import io.quorate.run.options.RunSettings;
import io.quorate.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A command that sends load, in the JVM of the test: with its options, real servers, recording,
 * files and report, but without a second JVM and without Gatling, whose virtual users are calls
 * here. For tests that assert files, values, pages or sentences; {@link QuorateProcess} is for exit
 * codes of processes, signals, kills, and what Gatling does.
 */
final class InProcessRun {
  private final Path directory;
  private final int exitCode;
  private final String output;

  private InProcessRun(Path directory, int exitCode, String output) {
    this.directory = directory;
    this.exitCode = exitCode;
    this.output = output;
  }

  /**
   * Runs a command to its end.
   *
   * @param directory the directory to which the paths of the arguments are relative
   */
  static InProcessRun run(Path directory, String... arguments) {
    Map<String, String> properties =
        Map.of("quorate.directory", directory.toString(), "quorate.progress.seconds", "1");
    Map<String, String> before = new HashMap<>();
    properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (PrintStream both = new PrintStream(output, true, UTF_8)) {
      System.setOut(both);
      System.setErr(both);
      int exitCode =
          Quorate.run(
              new PrintWriter(both, true, UTF_8),
              new PrintWriter(both, true, UTF_8),
              Installation.of(System.getenv(), System.getProperties()),
              List.of(new RunCommands(InProcessRun::generate)),
              arguments);
      return new InProcessRun(directory, exitCode, output.toString(UTF_8));
    } finally {
      System.setOut(out);
      System.setErr(err);
      before.forEach(InProcessRun::restore);
    }
  }

  private static void restore(String property, String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** Does what a load generator does, but for Gatling. */
  private static int generate(
      RunSettings settings, Store database, RunDirectory run, int databasesLeft) {
    Properties planned = new Properties();
    planned.putAll(System.getProperties());
    planned.setProperty(
        RunSettings.PLAN, settings.plan().orElseThrow().write(run).toString());
    planned.setProperty(RunSettings.DATABASE, database.id());
    try (RunningDatabase running = new RunningDatabase(RunSettings.of(planned), database)) {
      running.open();
      for (RunningStep step : running.load().steps()) {
        step.start();
        step.awaitEnd(Long.MAX_VALUE);
      }
      running.finish();
      return 0;
    } catch (QuorateException failure) {
      Console.lines(failure.getMessage());
      return 1;
    }
  }

  int exitCode() {
    return exitCode;
  }

  /** Returns what the command printed on both streams. */
  String output() {
    return output;
  }

  /** Returns the directory of the only run of a scenario in {@code results}. */
  Path onlyRun(String scenario) {
    return onlyRun(directory, scenario);
  }

  static Path onlyRun(Path directory, String scenario) {
    try (Stream<Path> runs = Files.list(directory.resolve("results").resolve(scenario))) {
      List<Path> all = runs.toList();
      if (all.size() != 1) {
        throw new AssertionError("not one run: " + all);
      }
      return all.get(0);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
