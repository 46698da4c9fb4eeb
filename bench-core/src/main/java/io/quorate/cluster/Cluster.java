package io.quorate.cluster;

import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import io.quorate.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of one store, ready for requests, whoever started them. Methods may be called from
 * any thread and may block for as long as a server takes to answer.
 */
public interface Cluster extends AutoCloseable {
  Store database();

  /** Returns the members in the order of their index, at least one. */
  List<Member> members();

  /** Asks the members which one leads now; empty if none says so, or the store has no leader. */
  Optional<Member> leader();

  /** Returns the version of the first member, such as {@code 3.7.3}; empty if there is none. */
  String version();

  /** Returns the way in which clients get in to the servers. */
  default Access access() {
    return Access.PLAIN;
  }

  /** Returns the process that is between the zones of the members; empty if nothing is. */
  default Optional<Member.Server> relay() {
    return Optional.empty();
  }

  /**
   * Returns the round trip of each link between zones as it was measured when the servers had
   * started, by the names of the zones; empty if nothing is between members.
   */
  default Map<String, RoundTrip> roundTrips() {
    return Map.of();
  }

  /**
   * Removes the earlier values of keys that servers of ours keep, and waits until that is done.
   * Does nothing to servers that are not ours.
   *
   * @throws io.quorate.QuorateException if they do not
   */
  default void forgetHistory() {}

  /** Returns one line about each member of ours that has ended by itself since the start. */
  default List<String> failures() {
    return List.of();
  }

  /** Stops all servers that were started and removes their data; leaves logs. Idempotent. */
  @Override
  default void close() {}

  /**
   * Leaves it to the caller to close this when the JVM is ending, so that the servers can be asked
   * until then. Without it they are stopped as soon as the JVM begins to end.
   */
  default void leaveStoppingToCaller() {}
}
