package io.quorate.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Something that happened during a run: a line of {@code events.jsonl}.
 *
 * @param kind of the event
 * @param step its number, from 1
 * @param startUnixNanos nanoseconds since 1970
 * @param endUnixNanos nanoseconds since 1970, not before the start
 * @param dropped requests that the load generator did not send before it had caught up; 0 for other
 *     kinds
 */
@JsonPropertyOrder({"kind", "step", "startUnixNanos", "endUnixNanos", "dropped"})
public record RunEvent(Kind kind, int step, long startUnixNanos, long endUnixNanos, long dropped) {
  /** Kinds of events. */
  public enum Kind {
    /** The load generator stood still. */
    @JsonProperty("load-generator-stall")
    LOAD_GENERATOR_STALL,

    /** No request succeeded, for a second or more. */
    @JsonProperty("no-success")
    NO_SUCCESS
  }

  public RunEvent {
    if (kind == null || step < 1 || endUnixNanos < startUnixNanos || dropped < 0) {
      throw new IllegalArgumentException(
          "expected a kind, a step of 1 or more, and an end that is not before the start");
    }
  }

  /** Returns how long it lasted, in nanoseconds. */
  public long nanos() {
    return endUnixNanos - startUnixNanos;
  }

  /** Returns for how long both lasted at the same time, in nanoseconds. */
  public long overlapNanos(RunEvent other) {
    return Math.max(
        0,
        Math.min(endUnixNanos, other.endUnixNanos)
            - Math.max(startUnixNanos, other.startUnixNanos));
  }

  /** Returns this event by a clock that is ahead by so much. */
  public RunEvent shifted(long nanos) {
    return new RunEvent(kind, step, startUnixNanos + nanos, endUnixNanos + nanos, dropped);
  }
}
