// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorate.QuorateException;
import io.quorate.cli.CommandProvider;
import io.quorate.cli.Quorate;
import io.quorate.install.Installation;
import io.quorate.load.RunningStep;
import io.quorate.results.RunDirectory;
import io.quorate.run.options.RunCommands;
import io.quorate.run.options.RunOptions;
import io.quorate.run.options.RunSettings;
import io.quorate.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.commons.io.output.TeeOutputStream;

/**
 * A command in the JVM of the test. One that sends load has its options, real servers, recording,
 * files and report, but no plots, no second JVM and no Gatling, whose virtual users are calls here.
 * For tests that assert files, values, pages or sentences; {@link QuorateProcess} is for exit codes
 * of processes, signals, kills, plots, and what Gatling does.
 */
final class InProcessRun implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Path directory;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream standardOutput = new ByteArrayOutputStream();
  private final EarlyEnd early = new EarlyEnd();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicReference<RunningDatabase> running = new AtomicReference<>();

  private InProcessRun(Path directory) {
    this.directory = directory;
  }

  /**
   * Runs a command to its end.
   *
   * @param directory the directory to which the paths of commands that send load are relative;
   *     those of other commands have to be absolute
   */
  static InProcessRun run(Path directory, String... arguments) {
    InProcessRun run = start(directory, arguments);
    run.awaitEnd();
    return run;
  }

  /** Writes a scenario, and runs it; its results are below {@code results}. */
  static InProcessRun ofScenario(Path directory, String name, String text, String... options)
      throws IOException {
    Files.writeString(directory.resolve(name + ".yaml"), text);
    List<String> arguments =
        new ArrayList<>(List.of("run", name + ".yaml", "--results", "results"));
    arguments.addAll(List.of(options));
    return run(directory, arguments.toArray(String[]::new));
  }

  /**
   * Starts a command. Until it has ended, it has the standard streams of this JVM, so there is one
   * at a time.
   */
  static InProcessRun start(Path directory, String... arguments) {
    InProcessRun run = new InProcessRun(directory);
    new Thread(() -> run.runWithStreams(arguments), "in-process-run").start();
    return run;
  }

  private void runWithStreams(String... arguments) {
    Map<String, String> properties =
        Map.of(
            "quorate.directory",
            directory.toString(),
            "quorate.progress.seconds",
            "1",
            "quorate.plots",
            "false",
            Quorate.STACKTRACE,
            "false",
            Quorate.VERBOSE,
            "false");
    Map<String, String> before = new HashMap<>();
    properties.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
    PrintStream out = System.out;
    PrintStream err = System.err;
    PrintStream both = new PrintStream(output, true, UTF_8);
    PrintStream first = new PrintStream(new TeeOutputStream(standardOutput, both), true, UTF_8);
    System.setOut(first);
    System.setErr(both);
    try {
      int code =
          Quorate.run(
              new PrintWriter(first, true, UTF_8),
              new PrintWriter(both, true, UTF_8),
              Installation.of(System.getenv(), System.getProperties()),
              commands(),
              arguments);
      restore(out, err, before);
      exitCode.complete(code);
    } catch (Throwable defect) {
      restore(out, err, before);
      exitCode.completeExceptionally(defect);
    }
  }

  /** Returns all commands; those that send load do it here. */
  private List<CommandProvider> commands() {
    List<CommandProvider> commands = new ArrayList<>();
    for (CommandProvider each : ServiceLoader.load(CommandProvider.class)) {
      commands.add(each instanceof RunCommands ? new RunCommands(this::generate, early) : each);
    }
    return commands;
  }

  private static void restore(PrintStream out, PrintStream err, Map<String, String> properties) {
    System.setOut(out);
    System.setErr(err);
    properties.forEach(
        (name, value) -> {
          if (value == null) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  /** Does what a load generator does, but for Gatling. */
  private int generate(
      RunSettings settings, Store database, RunDirectory run, int databasesLeft, EarlyEnd end) {
    Properties planned = new Properties();
    planned.putAll(System.getProperties());
    planned.setProperty(RunOptions.PLAN, settings.plan().orElseThrow().write(run).toString());
    planned.setProperty(RunOptions.DATABASE, database.id());
    PrintStream before = System.out;
    System.setOut(System.err); // as a load generator prints to a file
    try (RunningDatabase current = new RunningDatabase(RunSettings.of(planned), database, end)) {
      running.set(current);
      current.open();
      for (RunningStep step : current.load().steps()) {
        step.start();
        step.awaitEnd(Long.MAX_VALUE);
      }
      current.finish();
      return 0;
    } catch (QuorateException failure) {
      Console.failure(failure);
      return 1;
    } finally {
      System.setOut(before);
    }
  }

  /** Waits for its end. */
  void awaitEnd() {
    waitFor(LIMIT);
  }

  /** Waits for its end, and returns its exit code. */
  int waitFor(Duration limit) {
    try {
      return exitCode.get(limit.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException | InterruptedException failure) {
      throw new AssertionError("no end within " + limit + ":\n" + output(), failure);
    }
  }

  int exitCode() {
    return exitCode.join();
  }

  boolean isAlive() {
    return !exitCode.isDone();
  }

  /** Ends it as the first Ctrl-C does. */
  void endEarly() {
    early.request(EarlyEnd.Cause.INT);
  }

  /** Returns what the command has printed on both streams. */
  String output() {
    return output.toString(UTF_8);
  }

  /** Returns what the command has printed on standard output. */
  String standardOutput() {
    return standardOutput.toString(UTF_8);
  }

  /** Waits until the output has a text; fails if the command ends without it. */
  void awaitOutput(String text, Duration limit) throws InterruptedException {
    QuorateProcess.await(
        () -> output().contains(text) || !isAlive(),
        limit,
        () -> "no '" + text + "' in:\n" + output());
    if (!output().contains(text)) {
      throw new AssertionError("ended without '" + text + "':\n" + output());
    }
  }

  /** Waits until the results of a second of the load are written. */
  void awaitLoad(String scenario, String database) throws InterruptedException {
    QuorateProcess.await(
        () -> !isAlive() || hasSeconds(scenario, database), LIMIT, () -> "no load was sent");
    if (!isAlive()) {
      throw new AssertionError("ended too early:\n" + output());
    }
  }

  private boolean hasSeconds(String scenario, String database) {
    Path runs = directory.resolve("results").resolve(scenario);
    if (Files.notExists(runs)) {
      return false;
    }
    try (Stream<Path> all = Files.list(runs)) {
      for (Path each : all.toList()) {
        Path seconds = each.resolve(database).resolve("seconds.csv");
        if (Files.exists(seconds) && Files.readAllLines(seconds).size() > 1) {
          return true;
        }
      }
      return false;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns its servers of a program, in the order in which they were started. */
  List<ProcessHandle> servers(String program) {
    return ProcessHandle.current()
        .children()
        .filter(each -> each.info().command().orElse("").endsWith("/" + program))
        .filter(each -> QuorateProcess.worksBelow(each, directory))
        .sorted(Comparator.comparingLong(ProcessHandle::pid))
        .toList();
  }

  @Override
  public void close() {
    stop();
  }

  /** Cancels its load if it still runs, and waits for its end. */
  void stop() {
    if (isAlive()) {
      Optional.ofNullable(running.get()).ifPresent(each -> each.load().cancel());
      awaitEnd();
    }
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
