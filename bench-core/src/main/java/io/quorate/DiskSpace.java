// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Distinguishes a full device from other reasons why a file cannot be written. */
public final class DiskSpace {
  /** Free space below which no file of a run can be written. */
  private static final long FULL_BYTES = 64 << 10;

  private DiskSpace() {}

  /** Returns a readable reason why a file or directory could not be written. */
  public static String reason(Path place, IOException failure) {
    return tells(String.valueOf(failure.getMessage()))
        ? noneLeft(place)
        : full(place, FULL_BYTES).orElseGet(() -> FileFailure.reason(failure));
  }

  /** Returns the failure of writing a file or into a directory. */
  public static QuorateException exception(Path file, IOException failure) {
    return new QuorateException(unwritable(file, failure), failure);
  }

  /** Returns a message that a file could not be written, and why. */
  public static String unwritable(Path file, IOException failure) {
    String reason = reason(file, failure);
    return tells(String.valueOf(failure.getMessage())) || full(file).isPresent()
        ? reason
        : file + ": cannot be written: " + reason;
  }

  /** Returns whether a text, such as the log of a server, reports a full device. */
  public static boolean tells(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.contains("no space left on device") || lower.contains("disk quota exceeded");
  }

  /** Returns a message if the device that holds a place is full; empty if not. */
  public static Optional<String> full(Path place) {
    return full(place, FULL_BYTES);
  }

  /** Returns a message if less is free than needed; empty if not. The place need not exist. */
  public static Optional<String> full(Path place, long neededBytes) {
    Optional<Long> free = freeBytes(place);
    return free.filter(bytes -> bytes < neededBytes)
        .map(bytes -> sentence(place, bytes + " bytes are free, " + neededBytes + " are needed"));
  }

  public static String noneLeft(Path place) {
    return sentence(
        place, freeBytes(place).map(bytes -> bytes + " bytes are free now").orElse("it is full"));
  }

  private static String sentence(Path place, String figures) {
    return "no space left on the device that holds "
        + place.toAbsolutePath()
        + " ("
        + figures
        + "): make room there, or choose another directory";
  }

  /** Returns the free bytes of the device that holds a place, which need not exist. */
  public static Optional<Long> freeBytes(Path place) {
    Path there = place.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    Path existing = there;
    return FileAction.attempt(() -> Files.getFileStore(existing).getUsableSpace());
  }
}
