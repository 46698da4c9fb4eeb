package io.quorate.store;

import java.util.Locale;

/** The reason of a failed request, in terms that are the same for all stores. */
public enum ErrorKind {
  /** No answer before the deadline of the request. */
  TIMEOUT,
  /** The connection or session was lost, refused or not yet there. */
  CONNECTION,
  /**
   * The server answered that it refused: no leader, quota exceeded, key already there. It did not
   * carry it out, with the one exception that the guide names: etcd's quota.
   */
  REJECTED,
  /** The server answered that there is no such key. */
  MISSING,
  /** A read was answered with another value than the one that was written. */
  CORRUPT,
  /** Someone else wrote the key between the read and the write of a compare-and-set. */
  CONFLICT,
  OTHER;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
