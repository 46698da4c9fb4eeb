// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.export.Decimals;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import picocli.CommandLine;

/** A history of runs that no one has made, and the command that reads it. */
record MadeUpHistory(Path directory) {
  static final Instant START = Instant.parse("2026-11-01T02:00:00Z");
  static final double NOISE = 0.02;
  private static final int DAY = 86_400;

  /** What the command has printed. */
  record Printed(int code, String out, String err) {}

  /** Returns a run of each day with these values of p99, in milliseconds. */
  static List<HistoryEntry> runs(String database, double... p99) {
    List<HistoryEntry> entries = new ArrayList<>();
    for (int day = 0; day < p99.length; day++) {
      entries.add(run(day, database, Map.of("p99", p99[day])));
    }
    return entries;
  }

  static HistoryEntry run(int day, String database, Map<String, Double> metrics) {
    return run(day, database, "etcd 3.6.16", "10 clients, 1000 requests", metrics);
  }

  static HistoryEntry run(
      int day, String database, String title, String load, Map<String, Double> metrics) {
    return new HistoryEntry(
        "quick/day-" + day,
        START.plusSeconds((long) DAY * day),
        START.plusSeconds((long) DAY * day),
        Optional.of("%08x%032x".formatted(0xabcdef00 + day, 0)),
        Optional.of(Integer.toString(day + 1)),
        "quick",
        database,
        title,
        Map.of("load", load),
        List.of(group("10 clients, put", OptionalInt.of(1), metrics)));
  }

  static HistoryEntry.Group group(String name, OptionalInt step, Map<String, Double> metrics) {
    Map<String, BigDecimal> values = new LinkedHashMap<>();
    metrics.forEach((id, value) -> values.put(id, Decimals.significant(value)));
    return new HistoryEntry.Group(name, step, Optional.empty(), values);
  }

  /** Returns values around a level, and from one run on around another level. */
  static double[] levels(int seed, int runs, int change, double before, double after) {
    Random random = new Random(seed);
    double[] values = new double[runs];
    for (int i = 0; i < runs; i++) {
      values[i] = (i < change ? before : after) * (1 + NOISE * random.nextGaussian());
    }
    return values;
  }

  MadeUpHistory add(List<HistoryEntry> entries) {
    new HistoryStore(directory).append(entries);
    return this;
  }

  Path file() {
    return directory.resolve("history.ndjson");
  }

  String text() {
    return read(file());
  }

  String page() {
    return read(directory.resolve("history.html"));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Replaces a text in the manifest of a database, such as its start. */
  static void change(Path database, String before, String after) {
    Path manifest = database.resolve("manifest.json");
    String text = read(manifest);
    assertThat(text).contains(before);
    try {
      Files.writeString(manifest, text.replace(before, after));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Runs the command with this history. */
  Printed history(String... options) {
    return history(Map.of(), options);
  }

  Printed history(Map<String, String> environment, String... options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of(directory.toString()));
    arguments.addAll(List.of(options));
    int code =
        new CommandLine(new HistoryCommand(environment))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  err.write(failure.getMessage() + "\n");
                  return 1;
                })
            .execute(arguments.toArray(String[]::new));
    return new Printed(code, out.toString(), err.toString());
  }
}
