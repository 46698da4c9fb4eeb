// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.Named;

/** What an operator does to a running server to keep it in order. */
public enum Maintenance implements Named {
  /** Gives free space of the database file back to the file system. */
  DEFRAGMENT,
  /** Removes all earlier values of keys. */
  COMPACT,
  /** Reads a snapshot of all data over the network: a backup. */
  SNAPSHOT
}
