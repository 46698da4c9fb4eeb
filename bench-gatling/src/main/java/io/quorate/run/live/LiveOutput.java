// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.DaemonThreads;
import io.quorate.cli.Quorate;
import io.quorate.format.StrictJson;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.requests.SecondRow;
import io.quorate.run.options.RunSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the process that waits for a load generator shows of the run, from the files that the load
 * generator appends to: the seconds as lines of JSON on standard output, and the page over HTTP.
 */
public final class LiveOutput implements AutoCloseable {
  private static final long SECOND_MILLIS = 1_000;

  /** Longest time for the last lines and the last answer. */
  private static final long END_MILLIS = 5_000;

  private final PrintStream out = System.out;
  private final RunDirectory run;
  private final Map<String, Object> place;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Long> offsets = new HashMap<>();

  /** Starts what the options ask for. */
  public LiveOutput(RunDirectory run, RunSettings settings) {
    this.run = run;
    this.place = MatrixDirectory.placeOf(run);
    if (settings.hasSecondsAsJson()) {
      threads.add(DaemonThreads.start("seconds", this::printUntilInterrupted));
    }
    settings
        .watch()
        .ifPresent(
            address -> {
              List<String> command = new ArrayList<>(List.of("report", run.toString()));
              command.addAll(List.of("--watch", address.toString()));
              settings
                  .metrics()
                  .ifPresent(source -> command.addAll(List.of("--metrics", source.toString())));
              String[] words = command.toArray(String[]::new);
              threads.add(DaemonThreads.start("page", () -> Quorate.run(words)));
            });
  }

  private void printUntilInterrupted() {
    try {
      while (true) {
        Thread.sleep(SECOND_MILLIS);
        print();
      }
    } catch (InterruptedException ended) {
      print();
    }
  }

  private void print() {
    run.databases().forEach(this::print);
    out.flush();
  }

  private void print(DatabaseDirectory database) {
    for (SecondRow row :
        SecondRow.FILE.parse(database.path(), newLines(SecondRow.FILE.in(database.path())))) {
      Map<String, Object> values = new LinkedHashMap<>(Map.of("database", database.id()));
      values.putAll(place);
      values.putAll(StrictJson.fields(row));
      out.print(StrictJson.line(values));
    }
  }

  /** Returns the complete lines since the last call, without the header. */
  private String newLines(Path file) {
    long begin = offsets.getOrDefault(file.toString(), 0L);
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(1 << 20, in.length() - begin)];
      in.seek(begin);
      in.readFully(bytes);
      String text = new String(bytes, StandardCharsets.US_ASCII);
      String complete = text.substring(0, text.lastIndexOf('\n') + 1);
      offsets.put(file.toString(), begin + complete.length());
      return begin == 0 ? complete.substring(complete.indexOf('\n') + 1) : complete;
    } catch (IOException notYet) {
      return "";
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    try {
      for (Thread each : threads) {
        each.join(END_MILLIS);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
