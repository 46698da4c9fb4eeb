package io.quorate.host;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The activity of a block device since the machine was started. Sectors have 512 bytes, whatever
 * the device says.
 */
record DiskReading(
    String device,
    long reads,
    long sectorsRead,
    long readMillis,
    long writes,
    long sectorsWritten,
    long writeMillis) {
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,16}");

  /**
   * Reads a line of {@code /proc/diskstats}: major, minor, name, then reads completed, reads
   * merged, sectors read, milliseconds, and the same of writes. Empty when it is no such line.
   */
  static Optional<DiskReading> ofLine(String line) {
    String[] fields = BLANKS.split(line.strip());
    if (fields.length < 11) {
      return Optional.empty();
    }
    long[] numbers = new long[8];
    for (int i = 0; i < numbers.length; i++) {
      if (!NUMBER.matcher(fields[i + 3]).matches()) {
        return Optional.empty();
      }
      numbers[i] = Long.parseLong(fields[i + 3]);
    }
    return Optional.of(
        new DiskReading(
            fields[2], numbers[0], numbers[2], numbers[3], numbers[4], numbers[6], numbers[7]));
  }
}
