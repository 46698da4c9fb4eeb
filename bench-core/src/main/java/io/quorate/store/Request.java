// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A request to a store: one operation, tried once. Keys are printable ASCII, without {@code /}
 * after the prefix that was passed to {@link StoreClient#enter}. Neither side may change arrays
 * that were passed: a client library may send them later, even after the deadline.
 */
public sealed interface Request {
  /** Returns the operation; {@link Store#capabilities()} shows whether a store supports it. */
  Operation operation();

  /**
   * Writes one key.
   *
   * @param creates whether the key does not exist yet. A store that checks this rejects the
   *     creation of an existing key, and answers {@link Answer.Missing} to an update of a missing
   *     key
   */
  record Put(byte[] key, byte[] value, boolean creates) implements Request {
    @Override
    public Operation operation() {
      return Operation.PUT;
    }
  }

  /**
   * Writes one key, which the store removes when a lease ends. Only for stores with {@link
   * Capabilities.Expiry#LEASE}, by their default client.
   *
   * @param lease name from {@link Answer.Granted}
   * @param creates whether the key does not exist yet, as in {@link Put}; otherwise it may belong
   *     to another lease
   */
  record LeasedPut(byte[] key, byte[] value, String lease, boolean creates) implements Request {
    @Override
    public Operation operation() {
      return Operation.PUT;
    }
  }

  /**
   * Creates one key, which the store removes after a time without a write. An update by {@link Put}
   * counts as a write. Only for stores with {@link Capabilities.Expiry#TTL}, by their default
   * client.
   */
  record CreateWithTtl(byte[] key, byte[] value, Duration ttl) implements Request {
    @Override
    public Operation operation() {
      return Operation.PUT;
    }
  }

  /**
   * Creates one key, which the store removes when this connection ends. Only for stores with {@link
   * Capabilities#ephemeral()}.
   */
  record CreateEphemeral(byte[] key, byte[] value) implements Request {
    @Override
    public Operation operation() {
      return Operation.PUT;
    }
  }

  /** Reads one key. */
  record Get(byte[] key, ReadConsistency consistency) implements Request {
    @Override
    public Operation operation() {
      return Operation.GET;
    }
  }

  /** Finds out whether one key exists; the answer is {@link Answer#EXISTS} if it does. */
  record Exists(byte[] key, ReadConsistency consistency) implements Request {
    @Override
    public Operation operation() {
      return Operation.EXISTS;
    }
  }

  /**
   * Reads a key that does not exist; the answer is {@link Answer.Entries} without entries, for its
   * revision. A Kubernetes API server compares that with the state of its cache.
   */
  record Revision(byte[] key, ReadConsistency consistency) implements Request {
    @Override
    public Operation operation() {
      return Operation.REVISION;
    }
  }

  /**
   * Removes one key. For a missing key, a store that does not check this answers {@link
   * Answer.Written}.
   */
  record Delete(byte[] key) implements Request {
    @Override
    public Operation operation() {
      return Operation.DELETE;
    }
  }

  /**
   * Removes all keys from the first to the last, both included. Only for stores that read ranges
   * page by page ({@link Capabilities.RangeReads#isLimited}).
   */
  record DeleteRange(byte[] first, byte[] last) implements Request {
    @Override
    public Operation operation() {
      return Operation.DELETE;
    }
  }

  /**
   * Reads all keys that begin with a prefix.
   *
   * @param after key after which the returned keys begin; empty for all keys
   * @param limit most keys that are returned; 0 for all
   * @param revision state of the store that is read, from {@link Answer.Entries}, so that pages are
   *     consistent; 0 for the latest state. A store without a history always reads the latest
   * @param streamed whether the server sends them in chunks while it reads; the answer is the same.
   *     Only for stores with {@link Capabilities.RangeReads#STREAMED}, by their default client
   */
  record Range(
      byte[] prefix,
      byte[] after,
      long limit,
      ReturnedValue returned,
      long revision,
      ReadConsistency consistency,
      boolean streamed)
      implements Request {
    private static final byte[] FROM_THE_FIRST = {};

    /** Creates a read of the latest state from the first key on. */
    public Range(byte[] prefix, long limit, ReturnedValue returned, ReadConsistency consistency) {
      this(prefix, FROM_THE_FIRST, limit, returned, 0, consistency, false);
    }

    /** Returns the same read, in chunks or at once. */
    public Range inChunks(boolean chosen) {
      return new Range(prefix, after, limit, returned, revision, consistency, chosen);
    }

    /** Returns the read of the next page, after a key, in the state of the previous pages. */
    public Range behind(byte[] key, long state) {
      return new Range(prefix, key, limit, returned, state, consistency, streamed);
    }

    public boolean countOnly() {
      return returned == ReturnedValue.COUNT;
    }

    /** Returns whether every key of the prefix is requested, with or without values. */
    public boolean isWhole() {
      return limit == 0 && after.length == 0 && !countOnly();
    }

    @Override
    public Operation operation() {
      return Operation.RANGE;
    }
  }

  /**
   * Writes one key if it still has the revision that was read. Otherwise the answer is {@link
   * Answer.Conflict}, or {@link Answer.Missing} from a store that detects missing keys.
   *
   * @param revision revision from {@link Answer.Found}; not {@link Answer#NO_REVISION}
   */
  record CompareAndSet(byte[] key, byte[] value, long revision) implements Request {
    public CompareAndSet {
      if (revision < 0) {
        throw new IllegalArgumentException("nothing can be compared with revision " + revision);
      }
    }

    @Override
    public Operation operation() {
      return Operation.COMPARE_AND_SET;
    }
  }

  /**
   * Writes, removes and reads different keys at once. If no key was changed, the answer is the one
   * to the first part that failed.
   *
   * @param puts puts, at least one
   * @param deletes existing keys that are removed
   * @param gets keys that are read; then the answer is {@link Answer.Results}. Only for stores with
   *     {@link Capabilities#readsInTxn()}
   */
  record Txn(List<Put> puts, List<byte[]> deletes, List<byte[]> gets) implements Request {
    public Txn(List<Put> puts) {
      this(puts, List.of(), List.of());
    }

    public Txn {
      puts = List.copyOf(puts);
      deletes = List.copyOf(deletes);
      gets = List.copyOf(gets);
      if (puts.isEmpty()) {
        throw new IllegalArgumentException("a transaction needs at least one put");
      }
    }

    @Override
    public Operation operation() {
      return Operation.TXN;
    }
  }

  /**
   * Writes one key if it has the expected revision, as {@code OptimisticPut} of etcd's client for
   * Kubernetes does. Otherwise the answer to an update is {@link Answer.Conflict} with the current
   * value, or {@link Answer.Missing}; the answer to a creation is {@link Answer#CONFLICT}.
   *
   * @param revision last known revision of the key; 0 if it does not exist yet
   * @param lease lease with which the key ends, from {@link Answer.Granted}; empty for none
   */
  record OptimisticPut(byte[] key, byte[] value, long revision, Optional<String> lease)
      implements Request {
    public OptimisticPut {
      if (revision < 0) {
        throw new IllegalArgumentException("nothing can be compared with revision " + revision);
      }
    }

    public boolean creates() {
      return revision == 0;
    }

    @Override
    public Operation operation() {
      return creates() ? Operation.OPTIMISTIC_CREATE : Operation.OPTIMISTIC_UPDATE;
    }
  }

  /**
   * Removes one key if it has the expected revision, as {@code OptimisticDelete} of etcd's client
   * for Kubernetes does. Otherwise the answer is {@link Answer.Conflict} with the current value, or
   * {@link Answer.Missing}.
   *
   * @param revision last known revision of the key, at least 1
   */
  record OptimisticDelete(byte[] key, long revision) implements Request {
    public OptimisticDelete {
      if (revision < 1) {
        throw new IllegalArgumentException("nothing can be compared with revision " + revision);
      }
    }

    @Override
    public Operation operation() {
      return Operation.OPTIMISTIC_DELETE;
    }
  }

  /**
   * Removes the history of all keys up to a revision; the current values stay. If another request
   * has already removed more, the answer is {@link Answer.Written} as well.
   *
   * @param revision revision from {@link Answer.Written}, at least 1
   */
  record Compact(long revision) implements Request {
    public Compact {
      if (revision < 1) {
        throw new IllegalArgumentException("there is no history up to revision " + revision);
      }
    }

    @Override
    public Operation operation() {
      return Operation.COMPACT;
    }
  }

  /**
   * Grants a lease, with the answer {@link Answer.Granted}.
   *
   * @param ttlSeconds time after which it ends unless it is kept alive, at least 10. A store may
   *     extend it
   */
  record GrantLease(int ttlSeconds) implements Request {
    @Override
    public Operation operation() {
      return Operation.LEASE_GRANT;
    }
  }

  /**
   * Keeps a lease alive, with the answer {@link Answer.Renewed}; {@link Answer.Missing} if it has
   * ended.
   *
   * @param lease name from {@link Answer.Granted}
   */
  record KeepAlive(String lease) implements Request {
    @Override
    public Operation operation() {
      return Operation.LEASE_KEEPALIVE;
    }
  }

  /** Returns the write of a key that does not exist yet. */
  static Put create(byte[] key, byte[] value) {
    return new Put(key, value, true);
  }

  /** Returns the write of a key that already exists. */
  static Put update(byte[] key, byte[] value) {
    return new Put(key, value, false);
  }
}
