// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.Named;

/** The ways in which connections of servers and clients are secured. */
public enum Security implements Named {
  /** Plain text, without authentication. */
  NONE,
  /** TLS, for authenticated clients only. */
  TLS;

  @Override
  public String toString() {
    return id();
  }
}
