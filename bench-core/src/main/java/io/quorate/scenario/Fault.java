// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static io.quorate.network.NetworkEffect.DELAY;
import static io.quorate.network.NetworkEffect.HOLD;
import static io.quorate.network.NetworkEffect.REFUSE;
import static io.quorate.network.NetworkEffect.RESET;
import static io.quorate.scenario.Fault.Expectation.ELECTION;
import static io.quorate.scenario.Fault.Expectation.ELECTION_BY_TIMEOUT;
import static io.quorate.scenario.Fault.Expectation.ELECTION_UNLESS_BACK;
import static io.quorate.scenario.Fault.Expectation.LENGTH_AND_ELECTION;
import static io.quorate.scenario.Fault.Expectation.NONE;
import static io.quorate.scenario.Fault.Expectation.RECONNECTION;
import static io.quorate.scenario.Fault.Expectation.SLOW_SYNCS;
import static io.quorate.scenario.Fault.Expectation.STEP_DOWN;
import static io.quorate.scenario.Fault.Expectation.UNKNOWN;
import static io.quorate.scenario.Fault.Target.ALL;
import static io.quorate.scenario.Fault.Target.FOLLOWER;
import static io.quorate.scenario.Fault.Target.LEADER;
import static io.quorate.scenario.Fault.Target.MAJORITY;
import static io.quorate.scenario.Fault.Target.NEW;
import static io.quorate.scenario.FaultAction.Network.Path.CLIENTS;
import static io.quorate.scenario.FaultAction.Network.Path.EVERYTHING;
import static io.quorate.scenario.FaultAction.Network.Path.FROM_MEMBERS;
import static io.quorate.scenario.FaultAction.Network.Path.MEMBERS;
import static io.quorate.scenario.FaultAction.Network.Path.ONE_MEMBER;
import static io.quorate.scenario.FaultAction.Network.Path.TO_MEMBERS;

import io.quorate.Named;
import io.quorate.network.NetworkEffect;
import io.quorate.scenario.FaultAction.Maintain;
import io.quorate.scenario.FaultAction.Network;
import io.quorate.scenario.FaultAction.Network.Path;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.scenario.FaultAction.Restart;
import io.quorate.scenario.FaultAction.Task;
import io.quorate.store.Maintenance;
import java.time.Duration;
import java.util.Optional;

/** A fault that a run causes in its cluster, or maintenance that it has the cluster do. */
public enum Fault implements Named {
  /** Ends the leader at once (SIGKILL), and starts it again after the time of the fault. */
  KILL_LEADER(LEADER, 10, ProcessAction.KILL, ELECTION, "the leader was killed"),
  /** Ends a follower at once, and starts it again after the time of the fault. */
  KILL_FOLLOWER(FOLLOWER, 10, ProcessAction.KILL, NONE, "a follower was killed"),
  /** Ends the leader and as many followers as make a majority at once; starts them again. */
  KILL_MAJORITY(
      MAJORITY, 10, ProcessAction.KILL, LENGTH_AND_ELECTION, "a majority was killed for %d s"),
  /** Ends all members at once, and starts them again after the time of the fault. */
  KILL_ALL(ALL, 10, ProcessAction.KILL, LENGTH_AND_ELECTION, "all members were killed for %d s"),
  /** Ends a follower at once, and drops its files from the page cache before it starts again. */
  KILL_FOLLOWER_COLD(
      FOLLOWER, 10, ProcessAction.KILL_COLD, NONE, "a follower was killed, and its files dropped"),
  /** Ends all members at once, and drops their files from the page cache before they start. */
  KILL_ALL_COLD(
      ALL,
      10,
      ProcessAction.KILL_COLD,
      LENGTH_AND_ELECTION,
      "all members were killed for %d s, and their files dropped"),
  /** Cuts the power of the leader: it ends at once, and what it has not synced is gone. */
  POWER_CUT_LEADER(LEADER, 5, ProcessAction.POWER_CUT, ELECTION, "the power of the leader was cut"),
  /** Cuts the power of a follower. */
  POWER_CUT_MEMBER(FOLLOWER, 5, ProcessAction.POWER_CUT, NONE, "the power of a follower was cut"),
  /** Cuts the power of the leader and of as many followers as make a majority. */
  POWER_CUT_MAJORITY(
      MAJORITY,
      5,
      ProcessAction.POWER_CUT,
      LENGTH_AND_ELECTION,
      "the power of a majority was cut for %d s"),
  /** Cuts the power of all members. */
  POWER_CUT_ALL(
      ALL,
      5,
      ProcessAction.POWER_CUT,
      LENGTH_AND_ELECTION,
      "the power of all members was cut for %d s"),
  /** Asks the leader to end (SIGTERM), and starts it again after the time of the fault. */
  STOP_LEADER(LEADER, 10, ProcessAction.TERMINATE, UNKNOWN, "the leader was stopped"),
  /** Asks the leader to hand its leadership over to a follower; no process ends. */
  TRANSFER_LEADER(LEADER, 5, Task.TRANSFER_LEADERSHIP, NONE, "leadership was transferred"),
  /** Stops the threads of the leader (SIGSTOP) for the time of the fault. */
  PAUSE_LEADER(
      LEADER, 5, ProcessAction.PAUSE, ELECTION_BY_TIMEOUT, "the leader was paused for %d s"),
  /** Stops the threads of a follower (SIGSTOP) for the time of the fault. */
  PAUSE_FOLLOWER(FOLLOWER, 5, ProcessAction.PAUSE, NONE, "a follower was paused for %d s"),
  /**
   * Ends a follower at once, and starts it again when it has missed so much that it needs a
   * snapshot. The logs of the members have to be short enough for that.
   */
  LAG_FOLLOWER(
      FOLLOWER,
      20,
      ProcessAction.KILL_FOR_SNAPSHOT,
      NONE,
      "a follower was away until it needed a snapshot"),
  /** Lets each sync of files by the leader take 200 ms longer, by strace. */
  SLOW_FSYNC(
      LEADER,
      10,
      ProcessAction.SLOW_SYNCS,
      SLOW_SYNCS,
      "syncs of the leader's files were slow for %d s"),
  /** Lets each sync of files by a follower take 200 ms longer, by its file system. */
  SLOW_FSYNC_FOLLOWER(
      FOLLOWER,
      10,
      ProcessAction.SLOW_DISK,
      NONE,
      "syncs of a follower's files were slow for %d s"),
  /** Lets each write to the disk of a follower fail, as if it was full. */
  DISK_FULL_FOLLOWER(
      FOLLOWER, 10, ProcessAction.FULL_DISK, NONE, "the disk of a follower was full for %d s"),
  /** Lets each sync of files by a follower fail, as with a broken disk. */
  FAILED_FSYNC_FOLLOWER(
      FOLLOWER,
      10,
      ProcessAction.FAILING_SYNCS,
      NONE,
      "syncs of a follower's files failed for %d s"),
  /** Stops to read the pipe that takes the log of the leader, so that it blocks. */
  BLOCKED_LOG(LEADER, 10, ProcessAction.BLOCKED_LOG, UNKNOWN, "the leader could not log for %d s"),
  /** Restarts all members one after the other, the leader last, each when the one before serves. */
  ROLLING_RESTART(ALL, 20, Restart.ROLLING, UNKNOWN, "all members restarted in turn"),
  /**
   * Restarts all members one after the other, the leader last, in the version that Quorate runs by
   * default. It cannot be repeated in a run.
   */
  ROLLING_UPGRADE(ALL, 20, Restart.UPGRADE, UNKNOWN, "all members were upgraded in turn"),
  /**
   * Stops a follower, then another one, starts the latter again, stops the leader, and starts the
   * first follower again, each after a quarter of the time of the fault: a member that missed
   * changes leads one that missed more. The sequence of ZOOKEEPER-4925.
   */
  STALE_DIFF(ALL, 20, Restart.STAGGERED, UNKNOWN, "followers and the leader were away in turn"),
  /** Cuts the leader off from all other members; its clients still reach it. */
  ISOLATE_LEADER(
      LEADER, 10, MEMBERS, HOLD, ELECTION_BY_TIMEOUT, "the leader was isolated for %d s"),
  /** The same, but connections are reset instead of silent. */
  ISOLATE_LEADER_RESET(
      LEADER, 10, MEMBERS, REFUSE, ELECTION_UNLESS_BACK, "the leader was isolated for %d s"),
  /** Cuts what the other members send to the leader. */
  ISOLATE_LEADER_IN(
      LEADER, 10, FROM_MEMBERS, HOLD, STEP_DOWN, "the leader received nothing for %d s"),
  /** Cuts what the leader sends to the other members. */
  ISOLATE_LEADER_OUT(
      LEADER,
      10,
      TO_MEMBERS,
      HOLD,
      ELECTION_BY_TIMEOUT,
      "nothing from the leader arrived for %d s"),
  /** Cuts the leader off from one follower only. */
  PARTITION_LEADER(
      LEADER, 10, ONE_MEMBER, HOLD, NONE, "the leader did not reach one follower for %d s"),
  /** The same, but connections are reset instead of silent. */
  PARTITION_LEADER_RESET(
      LEADER, 10, ONE_MEMBER, REFUSE, NONE, "the leader did not reach one follower for %d s"),
  /** Cuts a follower off from all other members; its clients still reach it. */
  ISOLATE_FOLLOWER(FOLLOWER, 10, MEMBERS, HOLD, NONE, "a follower was isolated for %d s"),
  /** The same, but connections are reset instead of silent. */
  ISOLATE_FOLLOWER_RESET(FOLLOWER, 10, MEMBERS, REFUSE, NONE, "a follower was isolated for %d s"),
  /** Cuts the clients off from the leader; the members reach each other. */
  CLIENTS_OFF_LEADER(LEADER, 10, CLIENTS, HOLD, NONE, "clients did not reach the leader for %d s"),
  /** The same, but connections are reset instead of silent. */
  CLIENTS_OFF_LEADER_RESET(
      LEADER, 10, CLIENTS, REFUSE, NONE, "clients did not reach the leader for %d s"),
  /** Delays everything from and to the leader by 50 ms in each direction. */
  SLOW_LEADER(LEADER, 10, EVERYTHING, DELAY, NONE, "the leader's network was slow for %d s"),
  /** Resets all connections of the leader once, with members and clients. */
  RESET_LEADER(LEADER, 5, EVERYTHING, RESET, RECONNECTION, "the leader's connections were reset"),
  /** Defragments the database of the leader. Like the following ones, no fault: maintenance. */
  DEFRAGMENT_LEADER(LEADER, Maintenance.DEFRAGMENT, "the leader was defragmented"),
  /** Defragments the databases of all members one after the other, the leader last. */
  DEFRAGMENT(ALL, Maintenance.DEFRAGMENT, "all members were defragmented in turn"),
  /** Removes all earlier values from the members, and waits until the leader has done so. */
  COMPACT(LEADER, Maintenance.COMPACT, "the history of keys was compacted"),
  /** Reads a snapshot of the leader's data, and discards it. */
  SNAPSHOT(LEADER, Maintenance.SNAPSHOT, "a snapshot of the leader was read"),
  /**
   * Adds a member, which catches up and then votes (in ZooKeeper: observes), and removes it after
   * the time of the fault. Also maintenance.
   */
  ADD_MEMBER(NEW, 30, Task.ADD_MEMBER, UNKNOWN, "a member was added and removed"),
  /**
   * Saves a snapshot of the leader, and restores it into a new cluster of one server, which ends
   * when it serves. Also maintenance.
   */
  RESTORE(LEADER, 30, Task.RESTORE_SNAPSHOT, NONE, "a snapshot was restored into a new cluster"),
  /**
   * Replaces the certificates of all members one after the other, the leader last, each when new
   * connections to the one before get its new certificate. Also maintenance.
   */
  RELOAD_CERTIFICATES(
      ALL, 10, Task.RENEW_CERTIFICATES, NONE, "the members' certificates were replaced in turn");

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

  /** How long writes are expected to stop. */
  public enum Expectation {
    /** Not at all, as a majority continues with its leader. */
    NONE,
    /** Until another leader is elected, of which the old one is not part. */
    ELECTION,
    /** The same, after connections were reset, unless the leader is back before. */
    ELECTION_UNLESS_BACK,
    /** The same, after a timeout. */
    ELECTION_BY_TIMEOUT,
    /** Until a leader steps down that hears of no majority. */
    STEP_DOWN,
    /** For the length of the fault, and then an election. */
    LENGTH_AND_ELECTION,
    /** It depends on the store whether a leader is replaced whose connections were reset. */
    RECONNECTION,
    /** It depends on the store whether slow syncs delay requests one after the other. */
    SLOW_SYNCS,
    /** It depends on more than the settings. */
    UNKNOWN
  }

  private final Target target;
  private final Duration usualLength;
  private final FaultAction action;
  private final Expectation expectation;
  private final String words;

  /**
   * @param seconds how long it lasts if a scenario does not say
   * @param words what happened, with a place for its length in seconds if that matters
   */
  Fault(Target target, int seconds, FaultAction action, Expectation expectation, String words) {
    this.target = target;
    this.usualLength = Duration.ofSeconds(seconds);
    this.action = action;
    this.expectation = expectation;
    this.words = words;
  }

  Fault(Target target, Maintenance maintenance, String words) {
    // how long writes stop depends on the size of the data
    this(target, 10, new Maintain(maintenance), UNKNOWN, words);
  }

  Fault(
      Target target,
      int seconds,
      Path path,
      NetworkEffect effect,
      Expectation expectation,
      String words) {
    this(target, seconds, new Network(path, effect), expectation, words);
  }

  /** Returns how long it lasts if a scenario does not say. */
  public Duration usualLength() {
    return usualLength;
  }

  /** Returns the members that it affects. */
  public Target target() {
    return target;
  }

  /** Returns how it is caused, unless a command of the user does that. */
  public FaultAction action() {
    return action;
  }

  /** Returns how long writes are expected to stop. */
  public Expectation expectation() {
    return expectation;
  }

  /** Returns what happened, in words: {@code the leader was paused for 5 s}. */
  public String text(Duration length) {
    return words.formatted(length.toSeconds());
  }

  /** Returns whether it has an end that the scenario determines. */
  public boolean lasts() {
    return !(isRequest()
        || action == Restart.ROLLING
        || action == Restart.UPGRADE
        || action == Task.RENEW_CERTIFICATES
        || action == Task.RESTORE_SNAPSHOT
        || action instanceof Network network && network.effect() == RESET);
  }

  /** Returns whether an operator causes it to keep a cluster in order. */
  public boolean isMaintenance() {
    return maintenance().isPresent() || needsOwnMembers();
  }

  /** Returns what it requests from servers; empty for a fault, and for other maintenance. */
  public Optional<Maintenance> maintenance() {
    return action instanceof Maintain request
        ? Optional.of(request.maintenance())
        : Optional.empty();
  }

  /** Returns whether a member causes it on request, over the API of its store. */
  public boolean isRequest() {
    return action instanceof Maintain || action == Task.TRANSFER_LEADERSHIP;
  }

  /** Returns whether only the program can cause it that has started the members. */
  public boolean needsOwnMembers() {
    return action instanceof Task && action != Task.TRANSFER_LEADERSHIP;
  }

  /** Returns whether it only works if the members run on this machine. */
  public boolean isLocal() {
    return action instanceof Network
        || action instanceof ProcessAction process
            && (process.impairs()
                || process == ProcessAction.POWER_CUT
                || process == ProcessAction.KILL_COLD)
        || action == Restart.UPGRADE
        || needsOwnMembers();
  }

  /** Returns whether it needs the file system of power cuts. */
  public boolean needsPowerCutDisk() {
    return action instanceof ProcessAction process
        && (process == ProcessAction.POWER_CUT || process.impairsDisk());
  }

  /** Returns whether it can be caused in a cluster of one member. */
  public boolean needsNoOthers() {
    return maintenance().isPresent()
        || action == Task.RESTORE_SNAPSHOT
        || target == ALL && action instanceof ProcessAction process && !process.impairs();
  }

  /** Returns whether the leader acknowledges no write that is sent after its beginning. */
  public boolean silencesLeader() {
    return target == LEADER
        && (action == ProcessAction.KILL
            || action == ProcessAction.POWER_CUT
            || action == ProcessAction.PAUSE
            || action instanceof Network network && network.silences());
  }
}
