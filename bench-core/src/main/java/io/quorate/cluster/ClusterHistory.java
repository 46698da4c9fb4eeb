package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.time.Duration;

/** The earlier values of keys that a store keeps beside the current ones. */
public final class ClusterHistory {
  /** A member may have millions of values to remove. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private ClusterHistory() {}

  /**
   * Removes it, and waits until that is done.
   *
   * @param member one of the members, which sees to it that all do
   * @throws QuorateException if it does not in time
   */
  public static void forget(Store database, Endpoint member, Access access) {
    try {
      Stores.servers(database).kinds().get(0).protocol().forgetHistory(member, access, LIMIT);
    } catch (IOException failure) {
      throw new QuorateException(
          "%s at %s keeps the history of its keys, and grows: %s"
              .formatted(database, member, VisibleText.line(String.valueOf(failure.getMessage()))),
          failure);
    }
  }
}
