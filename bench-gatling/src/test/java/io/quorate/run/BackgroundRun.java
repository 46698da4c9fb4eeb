// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An {@link InProcessRun} on another thread, with whose servers a test interferes meanwhile. */
final class BackgroundRun implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Path directory;
  private final CompletableFuture<InProcessRun> run = new CompletableFuture<>();

  private BackgroundRun(Path directory) {
    this.directory = directory;
  }

  static BackgroundRun start(Path directory, String... arguments) {
    BackgroundRun background = new BackgroundRun(directory);
    Thread thread =
        new Thread(
            () -> {
              try {
                background.run.complete(InProcessRun.run(directory, arguments));
              } catch (Throwable failure) {
                background.run.completeExceptionally(failure);
              }
            },
            "background-run");
    thread.setDaemon(true);
    thread.start();
    return background;
  }

  /** Waits until the results of a second of the load are written. */
  void awaitLoad(String scenario, String database) throws InterruptedException {
    QuorateProcess.await(
        () -> run.isDone() || hasSeconds(scenario, database), LIMIT, () -> "no load was sent");
    if (run.isDone()) {
      throw new AssertionError("ended too early:\n" + run.join().output());
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
        .filter(this::isOurs)
        .sorted(Comparator.comparingLong(ProcessHandle::pid))
        .toList();
  }

  private boolean isOurs(ProcessHandle process) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
          .startsWith(directory.toRealPath());
    } catch (IOException ended) {
      return false;
    }
  }

  /** Waits for its end. */
  InProcessRun end() throws Exception {
    return run.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** Waits for its end, whatever a test has found, as there is one run at a time in a JVM. */
  @Override
  public void close() {
    run.handle((ended, failure) -> true).orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }
}
