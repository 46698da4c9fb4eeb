// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What reports have to know about the servers of one store: how they are shown, what their metrics
 * mean, and how long they take after faults. Everything except the color is empty by default.
 * Implementations have no state.
 */
@FunctionalInterface
public interface ServerKnowledge {
  /** Knowledge about an unknown store, which is gray. */
  ServerKnowledge NONE = () -> 0x4d4d4d;

  /**
   * Returns the color of its lines in plots, as red, green and blue in 24 bits. Stores have colors
   * of the palette by Okabe and Ito, which suits all kinds of color vision. Its yellow is too faint
   * for lines, so one has an olive of Paul Tol's palette.
   */
  int color();

  /** Returns the courses that its servers report. */
  default Map<ServerCourse, MetricSource> courses() {
    return Map.of();
  }

  /** Returns what it does before it acknowledges a write, in words; empty if that is not known. */
  default Optional<String> promise() {
    return Optional.empty();
  }

  default List<LatencyPart> latencyParts() {
    return List.of();
  }

  default List<ServerCheck> checks() {
    return List.of();
  }

  /**
   * Returns how a member can be made to report all metrics; empty if it does.
   *
   * @param reported metrics that it reports; none if it does not answer
   */
  default Optional<String> advice(Set<String> reported) {
    return Optional.empty();
  }

  /** Returns the metrics that show causes of stalls. */
  default List<MetricEvidence> evidence() {
    return List.of();
  }

  /** Returns the causes that servers log each time, if Quorate started them. */
  default Set<StallCause> logged() {
    return Set.of();
  }

  /**
   * Returns the counter of seconds of a JVM's garbage collections; empty if there is none. A pause
   * of a JVM is one only if this counter grew.
   */
  default Optional<String> collections() {
    return Optional.empty();
  }

  /** Returns the metric with the bytes of the data or the database; empty if there is none. */
  default Optional<String> dataSize() {
    return Optional.empty();
  }

  /** Returns the counter of bytes that a member sent to other members; empty if there is none. */
  default Optional<String> memberTraffic() {
    return Optional.empty();
  }

  /** Returns the settings that determine how long writes stop, each with a default. */
  default List<Setting> timeouts() {
    return List.of();
  }

  /**
   * Returns how long writes stop until there is another leader; empty if it is not known.
   *
   * @param crash whether connections to the leader end; otherwise it is silent
   */
  default Optional<TimeRange> election(ServerSettings settings, boolean crash) {
    return Optional.empty();
  }

  /**
   * Returns how long writes stop until a leader that receives nothing steps down, and another one
   * is elected. Until then its heartbeats prevent an election. Empty if it is not known.
   */
  default Optional<TimeRange> stepDown(ServerSettings settings) {
    return Optional.empty();
  }

  /** Returns whether followers elect a leader when their connections to it are reset. */
  default boolean electsAfterReset() {
    return false;
  }

  /** Returns whether writes queue up while the leader's fsyncs are slow. */
  default boolean queuesSlowSyncs() {
    return false;
  }

  /**
   * Returns how much later than its TTL an abandoned session ends while no member fails; empty if
   * it is not known.
   */
  default Optional<TimeRange> overshoot(ServerSettings settings, double ttlMs) {
    return Optional.empty();
  }

  /** Returns how much longer than their TTL all sessions live with a new leader. */
  default double renewalMs(ServerSettings settings) {
    return 0;
  }
}
