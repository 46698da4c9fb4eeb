// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.cluster.process.PageCache;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.network.Hop;
import io.quorate.network.NetworkEffect;
import io.quorate.network.RelayReport;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Ends, pauses and restarts the members of a cluster that Quorate or its agents started, and
 * disturbs the network between them. Ends that were requested here do not count as failures of the
 * cluster. For one thread at a time.
 */
public interface MemberControl {
  /** Time in which a server may end because of a disk that was impaired. */
  Duration AFTERMATH = Duration.ofSeconds(5);

  /** Signals to a process. */
  enum Signal {
    KILL,
    TERMINATE,
    PAUSE,
    RESUME
  }

  /**
   * Sends a signal to the process of a member.
   *
   * @throws QuorateException if the signal cannot be sent
   */
  void send(Member member, Signal signal);

  /**
   * Replaces the files with the key and the certificate of a member by new ones of the same
   * authority; does not wait until its servers use them.
   *
   * @return the new certificate, in PEM
   * @throws QuorateException if it has none, if they cannot be written, or if an agent runs it
   */
  default String renewCertificate(Member member) {
    throw new QuorateException("an agent does not renew the certificate of its member");
  }

  /** An impairment of a running member, which ends when it is closed. For one thread. */
  interface Impairment extends AutoCloseable {
    /** Returns whether it has had its effect. */
    boolean isObserved();

    /** Returns whether the process may end by it, and has to start again when it is closed. */
    default boolean mayEndProcess() {
      return false;
    }

    @Override
    void close();
  }

  /**
   * Lets each sync of files by a member take 200 ms longer ({@code fsync}, {@code fdatasync}).
   *
   * @throws QuorateException if its process cannot be traced, or is run by an agent
   */
  default Impairment slowSyncs(Member member) {
    throw new QuorateException("an agent does not trace its member");
  }

  /**
   * Impairs the disk of a member, whose process may end by that.
   *
   * @throws QuorateException if its disk has no such impairment, or it is run by an agent
   */
  default Impairment impairDisk(Member member, PowerCutDisk.Defect defect) {
    throw new QuorateException("an agent does not impair the disk of its member");
  }

  /**
   * Stops to read the pipe that takes the log of a member.
   *
   * @throws QuorateException if its log passes no pipe, or it is run by an agent
   */
  default Impairment blockLog(Member member) {
    throw new QuorateException("an agent does not block the log of its member");
  }

  /**
   * Cuts the power of members together: their processes end, and what they have not synced is
   * discarded.
   *
   * @param seed of what survives by chance, and of the member that decides when: as soon as it has
   *     unsynced data, but after 20 ms at the latest
   * @param begins runs when the power fails
   * @return what was lost, in the order of the members
   * @throws QuorateException if a disk cannot lose power, or an agent runs them
   */
  default List<PowerCutDisk.Loss> cutPower(List<Member> members, long seed, Runnable begins) {
    throw new QuorateException("an agent does not cut the power of its member");
  }

  /**
   * Drops the files of a member that has ended from the page cache of this machine.
   *
   * @return how much of them is still in memory
   * @throws QuorateException if that fails, or it is run by an agent
   */
  default PageCache.Share dropFiles(Member member) {
    throw new QuorateException("an agent does not drop the files of its member");
  }

  /** Returns the last line that a member has logged; empty if there is none. */
  default Optional<String> lastLogLine(Member member) {
    return Optional.empty();
  }

  /** Returns whether the process of a member has ended. */
  boolean hasEnded(Member member);

  /** Returns whether the process of a member is stopped by a signal. */
  boolean isPaused(Member member);

  /**
   * Starts a member that has ended on its data again; does not wait until it serves.
   *
   * @throws QuorateException if it cannot be started
   */
  void restart(Member member);

  /**
   * Starts a member that has ended on its data, in the version of a store; does not wait until it
   * serves. Settings stay the same.
   *
   * @throws QuorateException if it cannot be started, or is run by an agent
   */
  default void upgrade(Member member, Store version) {
    throw new QuorateException("an agent does not start another version of its member");
  }

  /**
   * A member that joins a cluster, and leaves it again. For one thread. It has left, its processes
   * have ended and its data is removed when this is closed.
   */
  interface FurtherMember extends AutoCloseable {
    String name();

    /**
     * Announces the member to its cluster, and starts it; does not wait until it serves.
     *
     * @throws QuorateException if the cluster refuses it, or it cannot be started
     */
    void join();

    /** Returns the member, which was started. */
    Member member();

    /** Returns whether its process has ended. */
    boolean hasEnded();

    /** Returns the role that it has at last, such as {@code voter}. */
    String lastRole();

    /**
     * Lets it take its last role.
     *
     * @return why it does not have it yet; empty if it has it
     */
    Optional<String> takeRole();

    /** Returns the size of its data in words; empty if it does not report one. */
    Optional<String> size();

    /**
     * Leaves the cluster, and ends.
     *
     * @throws QuorateException if the cluster refuses or does not answer
     */
    void leave();

    /** Returns whether it has left the cluster. */
    boolean hasLeft();

    /**
     * Leaves the cluster, if it has not left; ends its process, and removes its data in any case.
     *
     * @throws QuorateException like {@link #leave}, after that
     */
    @Override
    void close();
  }

  /**
   * Prepares a further member on this machine, with new ports; starts nothing.
   *
   * @param leader the member that is asked to admit it and to remove it
   * @throws QuorateException if there is no free port, or agents run the members
   */
  default FurtherMember further(Member leader) {
    throw new QuorateException("an agent does not start further members");
  }

  /**
   * A new cluster of one server on this machine, which gets the data of a snapshot. For one thread.
   * Its process has ended, and the files of server and snapshot are removed, when this is closed.
   */
  interface RestoredServer extends AutoCloseable {
    String name();

    /**
     * Saves a snapshot of the leader.
     *
     * @return its size in bytes
     * @throws QuorateException if the leader refuses, or does not answer in time
     */
    long save(Duration timeout);

    /**
     * Starts the server; does not wait until it serves.
     *
     * @throws QuorateException if it cannot be started
     */
    void start();

    /** Returns whether it answers, and may take requests. */
    boolean isServing();

    /** Returns why its process has ended; empty if it runs. */
    Optional<String> end();

    /**
     * Loads the snapshot, unless the server has started on it.
     *
     * @throws QuorateException if it refuses, or does not answer in time
     */
    void load(Duration timeout);

    /**
     * Returns the number of keys of the leader, or of the server.
     *
     * @throws QuorateException if it does not answer in time
     */
    long keys(boolean ofLeader, Duration timeout);

    @Override
    void close();
  }

  /**
   * Prepares a cluster of one server with the data of a snapshot; starts nothing.
   *
   * @param leader the member whose snapshot it will be
   * @throws QuorateException if the store cannot restore one, or agents run the members
   */
  default RestoredServer restored(Member leader) {
    throw new QuorateException("an agent does not restore snapshots");
  }

  /**
   * Lets an effect begin between members, or between members and all clients; what this class asks
   * members is not affected.
   *
   * @throws QuorateException if the cluster was not started with a relay, or it does not answer
   */
  default RelayReport disturb(Collection<Hop> hops, NetworkEffect effect) {
    throw new QuorateException("found no relay between the members");
  }

  /**
   * Ends the effects between members; what was held is delivered.
   *
   * @throws QuorateException like {@link #disturb}
   */
  default RelayReport restore(Collection<Hop> hops) {
    throw new QuorateException("found no relay between the members");
  }
}
