package io.quorate.store;

import java.util.List;

/** The answer of a store to a request that it carried out. */
public sealed interface Answer {
  /** Revision of an answer that does not contain one. */
  long NO_REVISION = -1;

  /** The answer to a write of whose revision nothing is said. */
  Written WRITTEN = new Written(NO_REVISION);

  Missing MISSING = new Missing();
  Conflict CONFLICT = new Conflict();
  Renewed RENEWED = new Renewed();

  /**
   * Acknowledges a write by the quorum.
   *
   * @param revision that the write has, as {@link Request.CompareAndSet} compares it; {@link
   *     #NO_REVISION} if the store does not say
   */
  record Written(long revision) implements Answer {}

  /**
   * Returns the value of a key.
   *
   * @param value the stored bytes, not to be changed; of length 0 for an empty value
   * @param revision of the last write of this key, 0 or more; {@link #NO_REVISION} if the store
   *     does not say
   */
  record Found(byte[] value, long revision) implements Answer {}

  /**
   * Returns the keys of a range.
   *
   * @param count how many keys there are, behind the key where the range begins, not fewer than are
   *     returned
   * @param entries those that were returned, ascending by key; empty if only the count was asked
   *     for
   * @param revision of the store when it was read; {@link #NO_REVISION} if it has no history
   */
  record Entries(long count, List<Entry> entries, long revision) implements Answer {
    public Entries {
      entries = List.copyOf(entries);
    }

    public Entries(long count, List<Entry> entries) {
      this(count, entries, NO_REVISION);
    }
  }

  /** A key and its value, not to be changed; of length 0 if only keys were asked for. */
  record Entry(byte[] key, byte[] value) {}

  /** Returns the name of a lease that was made, by which it is kept alive. */
  record Granted(String lease) implements Answer {}

  /** Says that a lease lives on. */
  record Renewed() implements Answer {}

  /** Says that there is no such key or lease. */
  record Missing() implements Answer {}

  /** Another client has written the key since it was read, so nothing was written. */
  record Conflict() implements Answer {}
}
