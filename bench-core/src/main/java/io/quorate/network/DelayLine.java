package io.quorate.network;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The things of one direction of a connection that are on their way, in their order: none overtakes
 * another. For one thread.
 */
final class DelayLine<T> {
  /** A thing that arrives at a time. */
  private record Underway<T>(T thing, int bytes, long arrivalNanos) {}

  private final ArrayDeque<Underway<T>> underway = new ArrayDeque<>();
  private long bytes;
  private long lastNanos;

  /**
   * Creates an empty line.
   *
   * @param earliestNanos nothing arrives before
   */
  DelayLine(long earliestNanos) {
    this.lastNanos = earliestNanos;
  }

  /**
   * Adds a thing.
   *
   * @param bytes that it takes while it is on its way
   * @param arrivalNanos when it arrives, or with the one before it, if that is later
   */
  void add(T thing, int bytes, long arrivalNanos) {
    lastNanos = Math.max(lastNanos, arrivalNanos);
    underway.add(new Underway<>(thing, bytes, lastNanos));
    this.bytes += bytes;
  }

  /** Returns the next thing that has arrived, and removes it; empty if none has. */
  Optional<T> poll(long nowNanos) {
    Underway<T> first = underway.peek();
    if (first == null || first.arrivalNanos > nowNanos) {
      return Optional.empty();
    }
    underway.remove();
    bytes -= first.bytes;
    return Optional.of(first.thing);
  }

  /** Returns when the next thing arrives; empty if none is on its way. */
  OptionalLong nextNanos() {
    Underway<T> first = underway.peek();
    return first == null ? OptionalLong.empty() : OptionalLong.of(first.arrivalNanos);
  }

  /** Returns the bytes of all things on their way. */
  long bytes() {
    return bytes;
  }
}
