// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The activity of a block device since the machine was started. Sectors have 512 bytes on all
 * devices.
 *
 * @param busyMillis milliseconds with requests in flight
 */
record DiskReading(
    String device,
    long reads,
    long sectorsRead,
    long readMillis,
    long writes,
    long sectorsWritten,
    long writeMillis,
    long busyMillis) {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,16}");

  /** Returns the activity of all block devices by name; empty where that is unknown. */
  static Map<String, DiskReading> all() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/diskstats"))) {
      return lines
          .flatMap(line -> ofLine(line).stream())
          .collect(Collectors.toMap(DiskReading::device, disk -> disk, (one, other) -> other));
    } catch (IOException | UncheckedIOException absent) {
      return Map.of();
    }
  }

  /**
   * Reads a line of {@code /proc/diskstats}: major, minor, name, then reads completed, reads
   * merged, sectors read, milliseconds, the same of writes, requests in flight, and milliseconds
   * with requests in flight. Empty for other lines.
   */
  static Optional<DiskReading> ofLine(String line) {
    String[] fields = BLANKS.split(line.strip());
    if (fields.length < 13) {
      return Optional.empty();
    }
    long[] numbers = new long[10];
    for (int i = 0; i < numbers.length; i++) {
      if (!NUMBER.matcher(fields[i + 3]).matches()) {
        return Optional.empty();
      }
      numbers[i] = Long.parseLong(fields[i + 3]);
    }
    return Optional.of(
        new DiskReading(
            fields[2],
            numbers[0],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[6],
            numbers[7],
            numbers[9]));
  }
}
