package io.quorate.store;

import java.util.Locale;

/** The ways in which connections of servers and clients are secured. */
public enum Security {
  /** Everything is sent in plain text, and everyone is let in. */
  NONE,
  /** Everything is sent over TLS, and only clients that can say who they are are let in. */
  TLS;

  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return id();
  }
}
