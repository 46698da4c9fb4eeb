// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.Named;
import java.util.EnumSet;
import java.util.Set;

/**
 * What can stall requests, from what explains the others to what is their consequence. If several
 * causes overlap the same stalls, the first of them is named: a process that was stopped also looks
 * like a slow disk.
 */
public enum StallCause implements Named {
  FAULT("a fault or maintenance that the run planned", "see the section on faults"),
  LOAD_GENERATOR(
      "a stall of the load generator", "give it a separate machine, or a load that it can send"),
  LOAD_GENERATOR_GC(
      "garbage collection of the load generator", "give it more memory (MAVEN_OPTS, -Xmx)"),
  OTHER_PROCESSES("CPU use of another process", "move them to another machine"),
  STEAL("CPU time that the hypervisor gave to others", "use a machine whose CPUs are not shared"),
  STOPPED("a stop of the process", "find out who sends SIGSTOP, or suspends the machine"),
  THROTTLED("throttling by a CPU limit", "raise the CPU limit of its container or cgroup"),
  SWAP("swapping of memory", "turn swap off, or add memory"),
  SERVER_GC("garbage collection of the server", "give the server a larger heap"),
  DEFRAGMENTATION("a defragmentation", "defragment one member at a time, the leader last"),
  SNAPSHOT("a snapshot", "write snapshots less often"),
  COMPACTION("a compaction", "compact more often, in smaller parts"),
  CPU("busy CPUs", "use more or faster CPUs"),
  JVM_PAUSE(
      "a pause of the server's JVM that was not garbage collection",
      "look for busy CPUs, swapping, and a suspended machine"),
  LEADER_CHANGE(
      "a change of the leader", "look for a slow disk or network; see the election timeout"),
  NETWORK("lost or late packets", "check the network between the members"),
  LOG_SYNC("a slow fsync of the log", "use a faster disk for the log, or a separate one"),
  COMMIT("a slow commit to the database", "use a faster disk"),
  DISK("a wait for the disk", "use a faster disk, or a separate one"),
  LIMIT("throttled requests", "see the limits of the server"),
  APPLY("requests that were slow to apply", "look for large ranges and transactions"),
  MEMBER("a late heartbeat", "look for an overloaded CPU or disk");

  private static final Set<StallCause> SPECIFIC =
      EnumSet.of(
          STOPPED, THROTTLED, SERVER_GC, DEFRAGMENTATION, SNAPSHOT, COMPACTION, LEADER_CHANGE);

  private final String words;
  private final String action;

  StallCause(String words, String action) {
    this.words = words;
    this.action = action;
  }

  /** Returns what happened, as a noun. */
  public String words() {
    return words;
  }

  /** Returns what a person can do about it, as an imperative without a full stop. */
  public String action() {
    return action;
  }

  /** Returns whether it needs no test of chance: it stalls whatever request it meets. */
  public boolean isCertain() {
    return this == FAULT || isOfLoadGenerator();
  }

  /** Returns whether a faster disk can help. */
  public boolean isOfDisk() {
    return this == LOG_SYNC || this == COMMIT || this == DISK;
  }

  /** Returns whether the cause is on the side of the load generator. */
  public boolean isOfLoadGenerator() {
    return this == LOAD_GENERATOR || this == LOAD_GENERATOR_GC;
  }

  /**
   * Returns whether its events are rare and have a known length, unlike the symptoms that any stall
   * can cause, such as a busy CPU.
   */
  public boolean isSpecific() {
    return SPECIFIC.contains(this);
  }
}
