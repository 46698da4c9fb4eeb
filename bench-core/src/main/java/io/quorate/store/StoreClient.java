package io.quorate.store;

/**
 * Opens connections to a store, and owns the threads that they share. There is one for each run of
 * a store. Safe for several threads.
 */
public interface StoreClient extends AutoCloseable {
  /**
   * Opens one connection and waits until it can carry requests.
   *
   * @throws io.quorate.QuorateException if that takes longer than the connect timeout
   */
  Connection open(DriverSettings settings);

  /** Ends the shared threads, after the connections were closed. Does not wait. Idempotent. */
  @Override
  void close();
}
