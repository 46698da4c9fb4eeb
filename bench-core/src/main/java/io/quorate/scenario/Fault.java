// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;
import io.quorate.network.NetworkEffect;
import io.quorate.store.Maintenance;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;

/** A fault that a run causes in its cluster, or maintenance that it has the cluster do. */
public enum Fault implements Named {
  /** Ends the leader at once (SIGKILL), and starts it again after the time of the fault. */
  KILL_LEADER(Target.LEADER, Duration.ofSeconds(10), "its process ended by signal 9"),
  /** Ends a follower at once, and starts it again after the time of the fault. */
  KILL_FOLLOWER(Target.FOLLOWER, Duration.ofSeconds(10), "its process ended by signal 9"),
  /** Ends the leader and as many followers as make a majority at once; starts them again. */
  KILL_MAJORITY(Target.MAJORITY, Duration.ofSeconds(10), "their processes ended by signal 9"),
  /** Ends all members at once, and starts them again after the time of the fault. */
  KILL_ALL(Target.ALL, Duration.ofSeconds(10), "their processes ended by signal 9"),
  /** Asks the leader to end (SIGTERM), and starts it again after the time of the fault. */
  STOP_LEADER(Target.LEADER, Duration.ofSeconds(10), "its process ended"),
  /** Asks the leader to hand its leadership over to a follower; no process ends. */
  TRANSFER_LEADER(Target.LEADER, Duration.ofSeconds(5), "another member leads"),
  /** Stops the threads of the leader (SIGSTOP) for the time of the fault. */
  PAUSE_LEADER(Target.LEADER, Duration.ofSeconds(5), "its process was stopped, in the state T"),
  /** Stops the threads of a follower (SIGSTOP) for the time of the fault. */
  PAUSE_FOLLOWER(Target.FOLLOWER, Duration.ofSeconds(5), "its process was stopped, in the state T"),
  /**
   * Ends a follower at once, and starts it again when it has missed so much that it needs a
   * snapshot. The logs of the members have to be short enough for that.
   */
  LAG_FOLLOWER(
      Target.FOLLOWER, Duration.ofSeconds(20), "a snapshot was sent to it after its restart"),
  /** Lets each sync of files by the leader take 200 ms longer, by strace. */
  SLOW_FSYNC(Target.LEADER, Duration.ofSeconds(10), "strace delayed a sync of its files"),
  /** Stops to read the pipe that takes the log of the leader, so that it blocks. */
  BLOCKED_LOG(
      Target.LEADER, Duration.ofSeconds(10), "one of its threads waited to write to its log"),
  /** Restarts all members one after the other, the leader last, each when the one before serves. */
  ROLLING_RESTART(Target.ALL, Duration.ofSeconds(20), "each process ended and was started again"),
  /**
   * Restarts all members one after the other, the leader last, in the version that Quorate runs by
   * default. It cannot be repeated in a run.
   */
  ROLLING_UPGRADE(Target.ALL, Duration.ofSeconds(20), "each member reports the other version"),
  /**
   * Stops a follower, then another one, starts the latter again, stops the leader, and starts the
   * first follower again, each after a quarter of the time of the fault: a member that missed
   * changes leads one that missed more. The sequence of ZOOKEEPER-4925.
   */
  STALE_DIFF(Target.ALL, Duration.ofSeconds(20), "another member leads"),
  /** Cuts the leader off from all other members; its clients still reach it. */
  ISOLATE_LEADER(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** The same, but connections are reset instead of silent. */
  ISOLATE_LEADER_RESET(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.REFUSE),
  /** Cuts what the other members send to the leader. */
  ISOLATE_LEADER_IN(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** Cuts what the leader sends to the other members. */
  ISOLATE_LEADER_OUT(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** Cuts the leader off from one follower only. */
  PARTITION_LEADER(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** The same, but connections are reset instead of silent. */
  PARTITION_LEADER_RESET(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.REFUSE),
  /** Cuts a follower off from all other members; its clients still reach it. */
  ISOLATE_FOLLOWER(Target.FOLLOWER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** The same, but connections are reset instead of silent. */
  ISOLATE_FOLLOWER_RESET(Target.FOLLOWER, Duration.ofSeconds(10), NetworkEffect.REFUSE),
  /** Cuts the clients off from the leader; the members reach each other. */
  CLIENTS_OFF_LEADER(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.HOLD),
  /** The same, but connections are reset instead of silent. */
  CLIENTS_OFF_LEADER_RESET(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.REFUSE),
  /** Delays everything from and to the leader by 50 ms in each direction. */
  SLOW_LEADER(Target.LEADER, Duration.ofSeconds(10), NetworkEffect.DELAY),
  /** Resets all connections of the leader once, with members and clients. */
  RESET_LEADER(Target.LEADER, Duration.ofSeconds(5), NetworkEffect.RESET),
  /** Defragments the database of the leader. Like the following ones, no fault: maintenance. */
  DEFRAGMENT_LEADER(Target.LEADER, Maintenance.DEFRAGMENT, "the member counted a defragmentation"),
  /** Defragments the databases of all members one after the other, the leader last. */
  DEFRAGMENT(Target.ALL, Maintenance.DEFRAGMENT, "each member counted a defragmentation"),
  /** Removes all earlier values from the members, and waits until the leader has done so. */
  COMPACT(Target.LEADER, Maintenance.COMPACT, "an earlier revision can no longer be read"),
  /** Reads a snapshot of the leader's data, and discards it. */
  SNAPSHOT(Target.LEADER, Maintenance.SNAPSHOT, "the whole snapshot arrived"),
  /**
   * Adds a member, which catches up and then votes (in ZooKeeper: observes), and removes it after
   * the time of the fault. Also maintenance.
   */
  ADD_MEMBER(
      Target.NEW, Duration.ofSeconds(30), "the cluster listed the member, and then no longer"),
  /**
   * Replaces the certificates of all members one after the other, the leader last, each when new
   * connections to the one before get its new certificate. Also maintenance.
   */
  RELOAD_CERTIFICATES(
      Target.ALL,
      Duration.ofSeconds(10),
      "a new connection to each member got its new certificate");

  /** The members that a fault affects. */
  public enum Target {
    LEADER,
    /** The first member that does not lead. */
    FOLLOWER,
    /** The leader and as many followers as make a majority. */
    MAJORITY,
    ALL,
    /** A member that joins the cluster. */
    NEW
  }

  private final Target target;
  private final Duration usualLength;
  private final String control;
  private final Optional<NetworkEffect> network;
  private final Optional<Maintenance> maintenance;

  Fault(Target target, Duration usualLength, String control) {
    this.target = target;
    this.usualLength = usualLength;
    this.control = control;
    this.network = Optional.empty();
    this.maintenance = Optional.empty();
  }

  Fault(Target target, Maintenance maintenance, String control) {
    this.target = target;
    this.usualLength = Duration.ofSeconds(10);
    this.control = control;
    this.network = Optional.empty();
    this.maintenance = Optional.of(maintenance);
  }

  Fault(Target target, Duration usualLength, NetworkEffect effect) {
    this.target = target;
    this.usualLength = usualLength;
    this.control =
        switch (effect) {
          case HOLD, DELAY -> "the relay got data that it held or delayed";
          case REFUSE, RESET -> "the relay reset a connection or more";
        };
    this.network = Optional.of(effect);
    this.maintenance = Optional.empty();
  }

  /** Returns how long it lasts if a scenario does not say. */
  public Duration usualLength() {
    return usualLength;
  }

  /** Returns what must be observed if it took effect. */
  public String control() {
    return control;
  }

  /** Returns whether it has an end that the scenario determines. */
  public boolean lasts() {
    // no switch: the constructor has one, and both would share a class that needs all constants
    return maintenance.isEmpty()
        && !EnumSet.of(
                TRANSFER_LEADER,
                ROLLING_RESTART,
                ROLLING_UPGRADE,
                RESET_LEADER,
                RELOAD_CERTIFICATES)
            .contains(this);
  }

  /** Returns the members that it affects. */
  public Target target() {
    return target;
  }

  /** Returns what the relay does to the network; empty for a fault of processes. */
  public Optional<NetworkEffect> network() {
    return network;
  }

  /** Returns whether an operator causes it to keep a cluster in order. */
  public boolean isMaintenance() {
    return maintenance.isPresent() || needsOwnMembers();
  }

  /** Returns what it requests from servers; empty for a fault, and for other maintenance. */
  public Optional<Maintenance> maintenance() {
    return maintenance;
  }

  /** Returns whether a member causes it on request, over the API of its store. */
  public boolean isRequest() {
    return this == TRANSFER_LEADER || maintenance.isPresent();
  }

  /** Returns whether it impairs a process that continues, which only works on this machine. */
  public boolean impairs() {
    return this == SLOW_FSYNC || this == BLOCKED_LOG;
  }

  /** Returns whether only the program can cause it that has started the members. */
  public boolean needsOwnMembers() {
    return this == ADD_MEMBER || this == RELOAD_CERTIFICATES;
  }

  /** Returns whether the leader acknowledges no write that is sent after its beginning. */
  public boolean silencesLeader() {
    return EnumSet.of(
            KILL_LEADER,
            PAUSE_LEADER,
            ISOLATE_LEADER,
            ISOLATE_LEADER_RESET,
            ISOLATE_LEADER_IN,
            ISOLATE_LEADER_OUT)
        .contains(this);
  }

  public boolean isPause() {
    return this == PAUSE_LEADER || this == PAUSE_FOLLOWER;
  }
}
