package io.quorate.store;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One open connection to one member of a store, through that store's client library.
 *
 * <p>Requests do not block and may be pipelined from any thread. Each is one attempt: no retry, no
 * logging, and a deadline (see {@link DriverSettings#requestTimeout()}), after which it fails with
 * {@link ErrorKind#TIMEOUT}; so every request ends, exactly once. Keys are printable ASCII without
 * {@code /}. Arrays that were handed over are not changed any more, by neither side: a client
 * library may send them later, even after the deadline.
 */
public interface KeyValueDriver extends AutoCloseable {
  /** Writes a key that is not there yet; a store that can tell fails with REJECTED if it is. */
  void create(byte[] key, byte[] value, Completion completion);

  /** Writes a key that is there already; a store that can tell answers MISSING if it is not. */
  void update(byte[] key, byte[] value, Completion completion);

  /** Reads one key. */
  void get(byte[] key, ReadConsistency consistency, Completion completion);

  /** Removes one key; of a key that is not there, either {@code written} or {@code missing}. */
  void delete(byte[] key, Completion completion);

  /**
   * Returns the thread on which completions run, so that its lag can be probed; empty if the client
   * library takes no tasks there.
   */
  default Optional<Executor> eventLoop() {
    return Optional.empty();
  }

  /**
   * Ends the connection; requests that are under way, and all later ones, fail with CONNECTION.
   * Does not wait for the server. Idempotent; not to be called by a completion.
   */
  @Override
  void close();
}
