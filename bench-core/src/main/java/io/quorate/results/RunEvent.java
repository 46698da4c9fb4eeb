// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import java.util.List;

/**
 * An event on the timeline of a run: a line of {@code events.jsonl}. Doctor, plots and findings all
 * read this one timeline. Lines are appended when a step has ended, events of servers' logs at the
 * end of the run. There is no file if nothing happened.
 *
 * @param source source of the event, such as {@code load generator} or {@code etcd-1}
 * @param step number of the step in which it began, from 1; 0 if that is not known
 * @param endUnixNanos nanoseconds since 1970, not before the start; equal to it for an instant
 * @param dropped number of requests that the load generator did not send until it had caught up; 0
 *     for other kinds
 * @param text one line about it, such as the message of a server's log; may be empty
 */
public record RunEvent(
    Kind kind,
    String source,
    int step,
    long startUnixNanos,
    long endUnixNanos,
    long dropped,
    String text) {
  public static final JsonLines<RunEvent> FILE = new JsonLines<>("events.jsonl", RunEvent.class);

  /** The source of events of the load generator's process. */
  public static final String LOAD_GENERATOR = "load generator";

  /** The source of events that clients observe, whatever their cause. */
  public static final String CLIENTS = "clients";

  /** Kinds of events. */
  public enum Kind {
    /** The load generator stalled. */
    LOAD_GENERATOR_STALL,

    /** Garbage collection stopped all threads of the load generator. */
    GC_PAUSE,

    /** No request succeeded, for a second or more. */
    NO_SUCCESS,

    /** A server became the leader. */
    LEADER_CHANGE,

    /** A signal stopped the process of a member or of the relay. */
    PROCESS_STOPPED,

    /** The run caused a fault. */
    FAULT,

    /** A server logged that something slowed it down or went wrong. */
    SERVER_LOG
  }

  public RunEvent {
    if (step < 0 || endUnixNanos < startUnixNanos || dropped < 0) {
      throw new IllegalArgumentException(
          "expected a step of 0 or more, and an end that is not before the start");
    }
  }

  public static RunEvent stall(int step, long startUnixNanos, long endUnixNanos, long dropped) {
    return new RunEvent(
        Kind.LOAD_GENERATOR_STALL, LOAD_GENERATOR, step, startUnixNanos, endUnixNanos, dropped, "");
  }

  public static RunEvent noSuccess(int step, long startUnixNanos, long endUnixNanos) {
    return new RunEvent(Kind.NO_SUCCESS, CLIENTS, step, startUnixNanos, endUnixNanos, 0, "");
  }

  public long nanos() {
    return endUnixNanos - startUnixNanos;
  }

  /** Returns how long this event and another one overlap, in nanoseconds. */
  public long overlapNanos(RunEvent other) {
    return Math.max(
        0,
        Math.min(endUnixNanos, other.endUnixNanos)
            - Math.max(startUnixNanos, other.startUnixNanos));
  }

  /** Returns this event with a later end; the same event if it ends later already. */
  public RunEvent until(long unixNanos) {
    return new RunEvent(
        kind, source, step, startUnixNanos, Math.max(endUnixNanos, unixNanos), dropped, text);
  }

  /** Returns this event with an earlier start; the same event if it starts earlier already. */
  public RunEvent from(long unixNanos) {
    return new RunEvent(
        kind, source, step, Math.min(startUnixNanos, unixNanos), endUnixNanos, dropped, text);
  }

  /** Returns this event with the times of a clock that is ahead by this time. */
  public RunEvent shifted(long nanos) {
    return new RunEvent(
        kind, source, step, startUnixNanos + nanos, endUnixNanos + nanos, dropped, text);
  }

  /**
   * Appends events to the file, if there are any.
   *
   * @throws QuorateException if the file cannot be written
   */
  public static void append(DatabaseDirectory directory, List<RunEvent> events) {
    if (!events.isEmpty()) {
      FILE.append(directory, events);
    }
  }
}
