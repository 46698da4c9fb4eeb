package io.quorate.store;

/**
 * A stream on which one member of a store reports changes: what is not a request with one answer.
 * It is made by {@link StoreClient#subscribe}, and has one or several separate network connections.
 *
 * <p>Any thread may use it. The events of one watch come in the order of the store. A stream that
 * is cut is made again, about once a second, until it is closed.
 */
public interface Subscriptions extends AutoCloseable {
  /**
   * Starts a watch, without waiting for it.
   *
   * @param watch that the store can do, see {@link Store#watches()}
   * @throws IllegalArgumentException if it cannot
   */
  void watch(Watch watch, WatchListener listener);

  /**
   * Ends all watches, of which nothing more is reported soon after. Does not wait for the server.
   * Idempotent.
   */
  @Override
  void close();
}
