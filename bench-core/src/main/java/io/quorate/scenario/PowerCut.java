// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;

/**
 * What survives a power cut.
 *
 * @param isNew whether the power of a cluster may fail before the files that its servers did not
 *     sync at their start are written, as the kernel does after 5 to 30 s
 */
public record PowerCut(Durability durability, Entries entries, Disk disk, boolean isNew) {
  /** The data that was not synced and survives nevertheless. */
  public enum Durability implements Named {
    /** None. */
    STRICT,
    /** What lies before a random sector of 512 bytes in each file. */
    TORN,
    /** A random half of the blocks of each file, in no order. */
    REORDERED
  }

  /** When the entry of a file in its directory becomes durable. */
  public enum Entries implements Named {
    /** With the sync of any new or resized file, as in ext4 and XFS. */
    EXT4,
    /** Only with the sync of the directory. */
    POSIX
  }

  /** Whether a sync makes data durable. */
  public enum Disk implements Named {
    HONEST,
    /** A sync answers at once, and makes nothing durable: the control of the method. */
    LYING
  }

  public static final PowerCut DEFAULT =
      new PowerCut(Durability.STRICT, Entries.EXT4, Disk.HONEST, false);

  /** Returns the file system in words, for facts about the host of the members. */
  public String text() {
    return "a file system that can lose power (%s, entries as in %s%s%s)"
        .formatted(
            durability.id(),
            entries.id(),
            disk == Disk.LYING ? ", a disk that lies" : "",
            isNew ? ", new clusters" : "");
  }
}
