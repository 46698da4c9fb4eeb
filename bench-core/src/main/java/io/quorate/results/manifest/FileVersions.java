// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static java.util.Map.entry;

import io.quorate.FileAction;
import io.quorate.results.DatabaseDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The versions of the formats of a run's files, by name; all {@code *-system-metrics*.csv} have
 * one. A file whose columns, fields or meaning change gets the next version. Files with a {@code
 * formatVersion} are not among them.
 */
public final class FileVersions {
  private static final Map<String, Integer> WRITTEN =
      Map.ofEntries(
          entry("attempts.csv", 1),
          entry("errors.csv", 1),
          entry("events.jsonl", 1),
          entry("faults.jsonl", 1),
          entry("history.bin", 1),
          entry("latency.hlog", 1),
          entry("locks.jsonl", 1),
          entry("seconds.csv", 1),
          entry("server-disk-space-usage-summary.csv", 1),
          entry("server-internals.csv", 1),
          entry("sessions.jsonl", 1),
          entry("steps.csv", 1),
          entry("system-metrics.csv", 1),
          entry("tenths.csv", 1),
          entry("trials.jsonl", 1),
          entry("watch.csv", 1),
          entry("watched.jsonl", 1),
          entry("zone-traffic.jsonl", 1));

  private static final Pattern SYSTEM_METRICS =
      Pattern.compile(".+-system-metrics(?:-steps)?\\.csv");

  private FileVersions() {}

  /** Returns the versions that this version of Quorate writes, in the order of the names. */
  public static SortedMap<String, Integer> written() {
    return new TreeMap<>(WRITTEN);
  }

  /** Returns the sizes in bytes of the files of a database whose formats have versions. */
  public static SortedMap<String, Long> sizes(Path directory) {
    SortedMap<String, Long> sizes = new TreeMap<>();
    for (Path file : DatabaseDirectory.entries(directory)) {
      String name = file.getFileName().toString();
      if (has(name)) {
        sizes.put(name, size(file));
      }
    }
    return sizes;
  }

  /** Returns whether the format of a file has a version. */
  public static boolean has(String name) {
    return WRITTEN.containsKey(name) || SYSTEM_METRICS.matcher(name).matches();
  }

  /** Returns the size of a file in bytes; 0 if there is none. */
  static long size(Path file) {
    return FileAction.read(file, () -> Files.exists(file) ? Files.size(file) : 0);
  }

  /** Refuses versions newer than those written here; ignores files that are unknown here. */
  static void requireReadable(Map<String, Integer> versions) {
    versions.forEach(
        (file, version) -> {
          int newest = WRITTEN.getOrDefault(file, Integer.MAX_VALUE);
          if (version > newest) {
            throw new IllegalArgumentException(
                "files: found version %d of %s, expected at most %d: it was written by a newer version of Quorate; update Quorate to read it"
                    .formatted(version, file, newest));
          }
        });
  }
}
