// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.List;
import java.util.Optional;

/** The answer of a store to a request that it carried out. */
public sealed interface Answer {
  /** Revision of an answer that does not contain one. */
  long NO_REVISION = -1;

  /** The answer to a write without a revision. */
  Written WRITTEN = new Written(NO_REVISION);

  Missing MISSING = new Missing();

  /** The answer without the current value. */
  Conflict CONFLICT = new Conflict(Optional.empty());

  Renewed RENEWED = new Renewed();

  Exists EXISTS = new Exists();

  /**
   * Acknowledges a write by the quorum.
   *
   * @param revision revision of the write, as {@link Request.CompareAndSet} compares it; {@link
   *     #NO_REVISION} if the store does not report it
   */
  record Written(long revision) implements Answer {}

  /**
   * Returns the value of a key.
   *
   * @param value the stored bytes, not to be changed; empty for an empty value
   * @param revision revision of the last write of this key, 0 or more; {@link #NO_REVISION} if the
   *     store does not report it
   */
  record Found(byte[] value, long revision) implements Answer {}

  /**
   * Returns the keys of a range.
   *
   * @param count number of keys after the key where the range begins, at least the number of
   *     returned keys
   * @param entries returned entries, ascending by key; empty if only the count was requested
   * @param revision revision of the store when it was read; {@link #NO_REVISION} if it has no
   *     history
   */
  record Entries(long count, List<Entry> entries, long revision) implements Answer {
    public Entries {
      entries = List.copyOf(entries);
    }

    public Entries(long count, List<Entry> entries) {
      this(count, entries, NO_REVISION);
    }
  }

  /**
   * Acknowledges a transaction, and returns what it has read.
   *
   * @param revision as of {@link Written}
   * @param reads the answer to each of its reads, in order: {@link Found} or {@link Missing}
   */
  record Results(long revision, List<Answer> reads) implements Answer {
    public Results {
      reads = List.copyOf(reads);
    }

    /** Returns the answer of a transaction, which has results only if it reads. */
    public static Answer of(long revision, List<Answer> reads) {
      return reads.isEmpty() ? new Written(revision) : new Results(revision, reads);
    }
  }

  /** A key and its value, not to be changed; the value is empty if only keys were requested. */
  record Entry(byte[] key, byte[] value) {}

  /** Returns the name of a granted lease, which is needed to keep it alive. */
  record Granted(String lease) implements Answer {}

  /**
   * Returns a place in the queue of a lock.
   *
   * @param key name of the place in the store
   * @param revision revision of its creation if it is a new place; otherwise the revision of the
   *     store when it was read, {@link #NO_REVISION} if the store does not report it
   */
  record Place(byte[] key, long revision) implements Answer {}

  /** Reports that a key exists. */
  record Exists() implements Answer {}

  /** Confirms that a lease was kept alive. */
  record Renewed() implements Answer {}

  /** Reports that there is no such key or lease. */
  record Missing() implements Answer {}

  /**
   * Reports that another client has written the key since it was read, so nothing was written.
   *
   * @param current current value; empty if the request did not ask for it
   */
  record Conflict(Optional<Found> current) implements Answer {}
}
