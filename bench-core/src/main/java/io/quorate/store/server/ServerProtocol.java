// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Maintenance;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Queries the state of servers of one kind. */
public interface ServerProtocol {
  Duration TIMEOUT = Duration.ofSeconds(3);

  /** The beginning of all keys in clusters that others use. */
  String KEYS = "quorate/";

  /**
   * Queries one server, without changing its data.
   *
   * @throws IOException if it does not answer, or with an unexpected answer
   */
  State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException;

  /**
   * Queries a server that Quorate has just started and that has no other clients yet; may therefore
   * try a write, and undo it.
   *
   * @param peers number of started servers of its kind
   * @throws IOException if it does not answer, or with an unexpected answer
   */
  default State askStarted(Endpoint endpoint, Access access, int peers, Duration timeout)
      throws IOException {
    return ask(endpoint, access, timeout);
  }

  /**
   * Requires the login of this access from now on; called once for a new cluster whose servers are
   * not configured by their settings.
   */
  default void lock(Endpoint endpoint, Access access, Duration timeout) throws IOException {}

  /**
   * Checks whether this access permits reading keys.
   *
   * @param prefix prefix of the keys; empty if none are used
   * @return the problem with advice, a sentence without a full stop; empty if there is none
   * @throws IOException if the server does not answer
   */
  default Optional<String> obstacle(
      Endpoint endpoint, Access access, String prefix, Duration timeout) throws IOException {
    return Optional.empty();
  }

  /**
   * Removes the history of keys from all members, and waits until that is done. Does nothing for a
   * store that keeps only current values.
   */
  default void forgetHistory(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {}

  /**
   * Ends leases or sessions to which keys with a prefix are attached, and no other keys.
   *
   * @return how many were ended
   * @throws IOException if the server does not answer, or refuses
   */
  default int endLeases(Endpoint endpoint, Access access, String prefix, Duration timeout)
      throws IOException {
    return 0;
  }

  /** The database of a server, which keeps the history of keys; its quota is 0 if unknown. */
  record Space(long usedBytes, long quotaBytes) {
    public long freeBytes() {
      return Math.max(0, quotaBytes - usedBytes);
    }
  }

  /**
   * Returns the space of a server whose database grows with each write up to a quota; empty if it
   * has none, or does not report it.
   */
  default Optional<Space> space(Endpoint endpoint, Access access, Duration timeout) {
    return Optional.empty();
  }

  /** Returns whether a leader hands its leadership over on request. */
  default boolean transfersLeadership() {
    return false;
  }

  /**
   * Asks the leader to hand its leadership over.
   *
   * @param leader endpoint of the leader
   * @param successor endpoint of the member that shall lead
   * @param begins runs just before the request
   * @throws IOException if one of them does not answer, or the leader refuses
   */
  default void transferLeadership(
      Endpoint leader, Endpoint successor, Access access, Duration timeout, Runnable begins)
      throws IOException {
    throw new IOException("has no request to hand leadership over");
  }

  /**
   * Returns how servers are added to a cluster that serves, and removed; empty if that is not
   * possible.
   */
  default Optional<Membership> membership() {
    return Optional.empty();
  }

  /** Returns how a snapshot is restored into a new cluster; empty if that is not possible. */
  default Optional<Restoration> restoration() {
    return Optional.empty();
  }

  /**
   * Lets a server read the files of its certificate again, if it does not do that by itself.
   *
   * @throws IOException if it does not answer, or refuses
   */
  default void reloadCertificate(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {}

  /** Returns the maintenance that a server does on request. */
  default Set<Maintenance> maintenance() {
    return Set.of();
  }

  /** Returns why a server does not do maintenance that {@link #maintenance} does not contain. */
  default String whyNot(Maintenance work) {
    return "it has no request for it";
  }

  /**
   * Lets a server do maintenance, and waits until it is done.
   *
   * @param timeout time limit of the maintenance, which may take seconds for each gigabyte
   * @param begins runs just before the request
   * @throws IOException if it does not answer in time, or refuses
   */
  default MaintenanceResult maintain(
      Maintenance work, Endpoint endpoint, Access access, Duration timeout, Runnable begins)
      throws IOException {
    throw new IOException("has no request for maintenance");
  }

  /**
   * What maintenance did.
   *
   * @param observed whether the server shows that it was done
   * @param text sizes in words, such as {@code database 105.2 MB; 105.3 MB received}
   */
  record MaintenanceResult(boolean observed, String text) {}

  /**
   * Returns how many snapshots a server has sent to others since its start, because its log no
   * longer had what they missed; 0 if it does not report that.
   *
   * @throws IOException if it does not answer
   */
  default long sentSnapshots(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    return 0;
  }

  default boolean tellsLeader() {
    return true;
  }

  /**
   * The state that a server reports about itself. Its texts are escaped for terminals and pages:
   * each is one line of at most 500 characters.
   *
   * @param version version, such as {@code 3.7.3}; empty if it did not report it
   * @param ready whether it serves requests, and so has a leader
   * @param leads whether it is the leader, or alone
   * @param said its answer in a few words, as readable text
   * @param applied position in the store's log of the last change that it applied, which grows with
   *     each change; 0 if it did not report it
   * @param votes false if it reports that it has no vote
   */
  record State(
      String version, boolean ready, boolean leads, String said, long applied, boolean votes) {
    public State(String version, boolean ready, boolean leads, String said, long applied) {
      this(version, ready, leads, said, applied, true);
    }

    public State(String version, boolean ready, boolean leads, String said) {
      this(version, ready, leads, said, 0);
    }

    public State {
      version = VisibleText.line(version);
      said = VisibleText.line(said);
    }
  }
}
