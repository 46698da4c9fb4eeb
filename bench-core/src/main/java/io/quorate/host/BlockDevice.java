// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileAction;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The block device under a directory, by its name in {@code /proc/diskstats}, such as {@code sda1}
 * or {@code dm-0}.
 */
public final class BlockDevice {
  private BlockDevice() {}

  /**
   * Finds the device by the device numbers of the directory, otherwise (btrfs has separate numbers)
   * by the name that was mounted. Empty where there is none, such as on tmpfs or overlay, and on
   * systems without {@code /proc}.
   */
  public static Optional<String> under(Path directory) {
    Path existing = directory.toAbsolutePath();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    try {
      long device = ((Number) Files.getAttribute(existing, "unix:dev")).longValue();
      Optional<String> byNumbers = named(major(device), minor(device));
      return byNumbers.isPresent() ? byNumbers : mounted(Files.getFileStore(existing));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  /** Returns how long a device was busy since the machine started; empty if that is unknown. */
  public static OptionalLong busyMillis(String device) {
    DiskReading disk = DiskReading.all().get(device);
    return disk == null ? OptionalLong.empty() : OptionalLong.of(disk.busyMillis());
  }

  static String fileSystem(Path directory) {
    return FileAction.attempt(() -> Files.getFileStore(directory).type())
        .orElse("an unknown file system");
  }

  static long major(long device) {
    return device >>> 8 & 0xfff | device >>> 32 & ~0xfffL;
  }

  static long minor(long device) {
    return device & 0xff | device >>> 12 & ~0xffL;
  }

  private static Optional<String> mounted(FileStore store) throws IOException {
    if (!store.name().startsWith("/dev/")) {
      return Optional.empty();
    }
    Path node = Path.of(store.name()).toRealPath();
    if (!Files.exists(node, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    long device = ((Number) Files.getAttribute(node, "unix:rdev")).longValue();
    return named(major(device), minor(device));
  }

  private static Optional<String> named(long major, long minor) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/diskstats"))) {
      return lines
          .map(line -> line.strip().split("\\s+"))
          .filter(fields -> fields.length > 2)
          .filter(fields -> fields[0].equals("" + major) && fields[1].equals("" + minor))
          .map(fields -> fields[2])
          .findFirst();
    }
  }
}
