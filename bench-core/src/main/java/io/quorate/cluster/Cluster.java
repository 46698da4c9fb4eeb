// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.network.RoundTrip;
import io.quorate.store.Access;
import io.quorate.store.Store;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of one store, ready for requests, no matter who started them. Any thread may call its
 * methods, which may block until a server answers.
 */
public interface Cluster extends AutoCloseable {
  Store database();

  /** Returns the members in the order of their index, at least one. */
  List<Member> members();

  /**
   * Returns the current leader; empty if no member reports that it leads, or the store has no
   * leader.
   */
  Optional<Member> leader();

  /** Returns the version of the first member, such as {@code 3.7.3}; empty if there is none. */
  String version();

  /** Returns how clients authenticate to the servers. */
  default Access access() {
    return Access.PLAIN;
  }

  /**
   * Returns the process that delays the traffic between the members' zones; empty if there are no
   * zones.
   */
  default Optional<Member.Server> relay() {
    return Optional.empty();
  }

  /**
   * Returns the round trip of each link between zones, measured after the servers' start, by the
   * names of the zones; empty if there are no zones.
   */
  default Map<String, RoundTrip> roundTrips() {
    return Map.of();
  }

  /**
   * Returns the bytes that were sent over each link between zones so far, by the names of the
   * zones; empty if there are no zones.
   */
  default Map<String, Long> bytesBetweenZones() {
    return Map.of();
  }

  /**
   * Removes the earlier values of keys on servers that Quorate started, and waits until that is
   * done. Does nothing to other servers.
   *
   * @throws io.quorate.QuorateException if the servers do not remove them
   */
  default void forgetHistory() {}

  /** Returns one line about each member that Quorate started and that has ended by itself since. */
  default List<String> failures() {
    return List.of();
  }

  /** Returns how its members are asked for their state. */
  default MemberProtocol protocol() {
    return new MemberProtocol(database(), access());
  }

  /** Returns the control of its members; empty if neither Quorate nor its agents started them. */
  default Optional<MemberControl> control() {
    return Optional.empty();
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
