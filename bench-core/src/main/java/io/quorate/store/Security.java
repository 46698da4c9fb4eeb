package io.quorate.store;

import io.quorate.Named;

/** The ways in which connections of servers and clients are secured. */
public enum Security implements Named {
  /** Everything is sent in plain text, and everyone is let in. */
  NONE,
  /** Everything is sent over TLS, and only clients that can say who they are are let in. */
  TLS;

  @Override
  public String toString() {
    return id();
  }
}
