package io.quorate.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The disk under a directory, and for how long it was busy. */
public final class BusyDisk {
  private static final Path STATISTICS = Path.of("/proc/diskstats");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final int DEVICE = 2;

  /** The column with the milliseconds in which requests were under way. */
  private static final int BUSY = 12;

  private final Optional<String> device;

  private BusyDisk(Optional<String> device) {
    this.device = device;
  }

  /** Finds the disk under a directory. */
  public static BusyDisk under(Path directory) {
    return new BusyDisk(BlockDevice.under(directory));
  }

  /**
   * Returns for how long it was busy since the machine started; empty if there is no disk, such as
   * under tmpfs, or the system does not tell.
   */
  public OptionalLong millis() {
    if (device.isEmpty()) {
      return OptionalLong.empty();
    }
    try (Stream<String> lines = Files.lines(STATISTICS)) {
      return lines
          .map(line -> BLANKS.split(line.strip()))
          .filter(fields -> fields.length > BUSY && fields[DEVICE].equals(device.get()))
          .mapToLong(fields -> Long.parseLong(fields[BUSY]))
          .findFirst();
    } catch (IOException | UncheckedIOException | NumberFormatException unknown) {
      return OptionalLong.empty();
    }
  }
}
