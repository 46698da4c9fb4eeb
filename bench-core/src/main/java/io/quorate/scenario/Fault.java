package io.quorate.scenario;

import io.quorate.Named;
import java.time.Duration;

/** A fault that a run causes in its cluster. */
public enum Fault implements Named {
  /** Ends the leader at once (SIGKILL), and starts it again after the time of the fault. */
  KILL_LEADER(Duration.ofSeconds(10), "its process ended by signal 9"),
  /** Ends a follower at once, and starts it again after the time of the fault. */
  KILL_FOLLOWER(Duration.ofSeconds(10), "its process ended by signal 9"),
  /** Ends the leader and as many followers as make a majority at once; starts them again. */
  KILL_MAJORITY(Duration.ofSeconds(10), "their processes ended by signal 9"),
  /** Ends all members at once, and starts them again after the time of the fault. */
  KILL_ALL(Duration.ofSeconds(10), "their processes ended by signal 9"),
  /** Asks the leader to end (SIGTERM), and starts it again after the time of the fault. */
  STOP_LEADER(Duration.ofSeconds(10), "its process ended"),
  /** Asks the leader to hand its leadership over to a follower; no process ends. */
  TRANSFER_LEADER(Duration.ofSeconds(5), "another member leads"),
  /** Stops the threads of the leader (SIGSTOP) for the time of the fault. */
  PAUSE_LEADER(Duration.ofSeconds(5), "its process was stopped, in the state T"),
  /** Stops the threads of a follower (SIGSTOP) for the time of the fault. */
  PAUSE_FOLLOWER(Duration.ofSeconds(5), "its process was stopped, in the state T"),
  /** Restarts all members one after the other, the leader last, each when the one before serves. */
  ROLLING_RESTART(Duration.ofSeconds(20), "each process ended and was started again"),
  /**
   * Restarts all members one after the other, the leader last, in the version that Quorate runs by
   * default. It cannot be repeated in a run.
   */
  ROLLING_UPGRADE(Duration.ofSeconds(20), "each member reports the other version"),
  /**
   * Stops a follower, then another one, starts the latter again, stops the leader, and starts the
   * first follower again, each after a quarter of the time of the fault: a member that missed
   * changes leads one that missed more. The sequence of ZOOKEEPER-4925.
   */
  STALE_DIFF(Duration.ofSeconds(20), "another member leads");

  private final Duration usualLength;
  private final String control;

  Fault(Duration usualLength, String control) {
    this.usualLength = usualLength;
    this.control = control;
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
    return this != TRANSFER_LEADER && this != ROLLING_RESTART && this != ROLLING_UPGRADE;
  }

  public boolean isPause() {
    return this == PAUSE_LEADER || this == PAUSE_FOLLOWER;
  }
}
