// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that goes from one machine to another one: computes when it arrives, and knows whether
 * a {@link NetworkEffect} prevents that. For one thread.
 */
final class Route {
  private final Wire wire;
  private final Set<Direction> directions = new HashSet<>();
  private Optional<NetworkEffect> effect = Optional.empty();
  private List<Runnable> held = new ArrayList<>();
  private boolean cut;
  private long extraNanos;
  private long bytes;

  Route(Wire wire) {
    this.wire = wire;
  }

  Link link() {
    return wire.link();
  }

  long lifeNanos() {
    return wire.lifeNanos();
  }

  /** Returns when bytes that are being read now arrive, by the caller's clock, if it is not cut. */
  long arrivalNanos(long nowNanos, int more) {
    long arrival = wire.arrivalNanos(nowNanos, more);
    if (effect.isEmpty()) {
      return arrival;
    }
    bytes += more;
    return arrival + extraNanos;
  }

  /** Returns whether nothing arrives now. */
  boolean isCut() {
    return cut;
  }

  /** Returns whether new connections are reset. */
  boolean refuses() {
    return effect.filter(any -> any == NetworkEffect.REFUSE).isPresent();
  }

  long extraNanos() {
    return extraNanos;
  }

  /** Returns the number of bytes that were sent under the effect. */
  long bytes() {
    return bytes;
  }

  void add(Direction direction) {
    directions.add(direction);
  }

  void remove(Direction direction) {
    directions.remove(direction);
  }

  /** Returns the connections, by the end that has connected to the relay. */
  Set<Channel> connections() {
    Set<Channel> connections = new HashSet<>();
    directions.forEach(each -> connections.add(each.accepted()));
    return connections;
  }

  /** Runs an action when this is next restored. */
  void whenRestored(Runnable action) {
    held.add(action);
  }

  /** Begins an effect, instead of another one. */
  void begin(NetworkEffect next) {
    set(next == NetworkEffect.RESET ? Optional.empty() : Optional.of(next));
    bytes = 0;
    if (next.resets()) {
      List.copyOf(directions).forEach(Direction::reset);
    }
  }

  /** Ends the effect, but delivers nothing yet. */
  void end() {
    set(Optional.empty());
  }

  private void set(Optional<NetworkEffect> next) {
    effect = next;
    cut = next.filter(NetworkEffect::cuts).isPresent();
    extraNanos = next.filter(any -> any == NetworkEffect.DELAY).isPresent() ? extra() : 0;
  }

  private static long extra() {
    return NetworkEffect.EXTRA.toNanos();
  }

  /** Delivers what was held. */
  void resume() {
    List<Runnable> actions = held;
    held = new ArrayList<>();
    actions.forEach(Runnable::run);
    List.copyOf(directions).forEach(Direction::deliver);
  }
}
