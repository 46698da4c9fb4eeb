// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Locale;

/** The reason of a failed request, in terms that are the same for all stores. */
public enum ErrorKind {
  /** No answer before the deadline of the request. */
  TIMEOUT,
  /** The connection or session was lost, refused or not yet established. */
  CONNECTION,
  /** The server knew of no leader, and did not carry the request out. */
  NO_LEADER,
  /**
   * The server refused the request: quota exceeded, key exists. It did not carry the request out,
   * with one exception that the guide explains: etcd's quota.
   */
  REJECTED,
  /** The server answered that there is no such key. */
  MISSING,
  /** A read returned another value than the written one. */
  CORRUPT,
  /** Another client wrote the key between the read and the write of a compare-and-set. */
  CONFLICT,
  OTHER;

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns whether a server refused the request, and did not carry it out. */
  public boolean isRefusal() {
    return this == REJECTED || this == NO_LEADER;
  }
}
