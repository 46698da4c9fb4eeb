// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static java.util.Map.entry;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

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
          entry("watched.jsonl", 1));

  private FileVersions() {}

  /** Returns the versions that this version of Quorate writes, in the order of the names. */
  public static SortedMap<String, Integer> written() {
    return new TreeMap<>(WRITTEN);
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
