// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.network.NetworkEffect;
import io.quorate.store.Maintenance;

/** The means by which a fault is caused; several faults share them. */
public sealed interface FaultAction {
  /** Affects the processes of members. */
  enum ProcessAction implements FaultAction {
    KILL("its process ended by signal 9"),
    /** Kills a process, and drops its files from the page cache of the machine. */
    KILL_COLD("its process ended by signal 9, and no page of its files was in memory"),
    /** Kills a process until it has missed so much that it needs a snapshot. */
    KILL_FOR_SNAPSHOT("a snapshot was sent to it after its restart"),
    TERMINATE("its process ended"),
    PAUSE("its process was stopped, in the state T"),
    /** Kills a process, and discards what it has not synced to its disk. */
    POWER_CUT("data or entries of directories that were not synced were discarded"),
    /** Lets each sync of files take longer, by strace. */
    SLOW_SYNCS("strace delayed a sync of its files"),
    /** Lets each sync of files take longer, by the file system of power cuts. */
    SLOW_DISK("its disk delayed a sync"),
    /** Lets each write to a disk fail. */
    FULL_DISK("its disk refused a write"),
    /** Lets each sync of files fail. */
    FAILING_SYNCS("its disk refused a sync"),
    /** Stops to read the pipe that takes the log. */
    BLOCKED_LOG("one of its threads waited to write to its log");

    private final String control;

    ProcessAction(String control) {
      this.control = control;
    }

    /** Returns what must be observed if it took effect. */
    public String control() {
      return control;
    }

    /** Returns whether it impairs a process that continues. */
    public boolean impairs() {
      return this == SLOW_SYNCS || this == BLOCKED_LOG || impairsDisk();
    }

    /** Returns whether it impairs the disk of a member, whose process may end by that. */
    public boolean impairsDisk() {
      return this == SLOW_DISK || this == FULL_DISK || this == FAILING_SYNCS;
    }
  }

  /** Lets the relay disturb connections of a member. */
  record Network(Path path, NetworkEffect effect) implements FaultAction {
    /** The connections of a member: with others, or with clients. */
    public enum Path {
      MEMBERS,
      FROM_MEMBERS,
      TO_MEMBERS,
      ONE_MEMBER,
      CLIENTS,
      EVERYTHING
    }

    /** Returns whether it resets connections; otherwise it holds or delays their data. */
    public boolean resets() {
      return effect == NetworkEffect.REFUSE || effect == NetworkEffect.RESET;
    }

    /** Returns what must be observed if it took effect. */
    public String control() {
      return resets()
          ? "the relay reset a connection or more"
          : "the relay got data that it held or delayed";
    }

    boolean silences() {
      return (effect == NetworkEffect.HOLD || effect == NetworkEffect.REFUSE)
          && (path == Path.MEMBERS || path == Path.FROM_MEMBERS || path == Path.TO_MEMBERS);
    }
  }

  /** Restarts members one after the other. */
  enum Restart implements FaultAction {
    /** All members, the leader last, each when the one before serves. */
    ROLLING,
    /** The same, in the version that Quorate runs by default. */
    UPGRADE,
    /** Two followers and the leader, at fixed times. */
    STAGGERED
  }

  /** Requests maintenance from members, over the API of their store. */
  record Maintain(Maintenance maintenance) implements FaultAction {}

  /** What an operator does in a cluster, apart from maintenance of members. */
  enum Task implements FaultAction {
    /** Asks the leader to hand its leadership over, over the API of its store. */
    TRANSFER_LEADERSHIP,
    /** Lets a further member join the cluster, and leave it again. */
    ADD_MEMBER,
    /** Restores a snapshot into a new cluster of one server, which ends again. */
    RESTORE_SNAPSHOT,
    /** Renews the certificates of members. */
    RENEW_CERTIFICATES
  }
}
