package io.quorate.cluster;

import io.quorate.QuorateException;
import io.quorate.network.Hop;
import io.quorate.network.NetworkEffect;
import io.quorate.network.RelayReport;
import io.quorate.store.Store;
import java.util.Collection;

/**
 * Ends, pauses and restarts the members of a cluster that Quorate or its agents started, and
 * disturbs the network between them. Ends that were requested here do not count as failures of the
 * cluster. For one thread at a time.
 */
public interface MemberControl {
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

  /** An impairment of a running member, which ends when it is closed. For one thread. */
  interface Impairment extends AutoCloseable {
    /** Returns whether it has had its effect. */
    boolean isObserved();

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
   * Stops to read the pipe that takes the log of a member.
   *
   * @throws QuorateException if its log passes no pipe, or it is run by an agent
   */
  default Impairment blockLog(Member member) {
    throw new QuorateException("an agent does not block the log of its member");
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
