package io.quorate.host;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The disk under a directory, and for how long it was busy. */
public final class BusyDisk {
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
    Optional<DiskReading> disk = device.map(DiskReading.all()::get);
    return disk.isPresent() ? OptionalLong.of(disk.get().busyMillis()) : OptionalLong.empty();
  }
}
