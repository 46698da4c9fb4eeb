// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quorate.VisibleText;
import io.quorate.store.Maintenance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The faults of a run.
 *
 * @param kinds faults, each injected several times
 * @param times how often each is injected
 * @param quiet time before a fault in which the cluster is left alone, at least
 * @param jitter longest additional time before a fault, so that it meets heartbeats at a random
 *     phase
 * @param recovery time after a fault in which its effects are measured
 * @param sessions number of clients next to the load that hold a session
 * @param watches number of watches next to the load
 * @param power what survives power cuts
 */
public record FaultPlan(
    List<Kind> kinds,
    int times,
    Duration quiet,
    Duration jitter,
    Duration recovery,
    int sessions,
    int watches,
    PowerCut power) {
  public FaultPlan {
    kinds = List.copyOf(kinds);
    if (kinds.isEmpty() || times < 1) {
      throw new IllegalArgumentException("expected a fault or more, each once or more");
    }
  }

  /** A fault and its length, as text {@code pause-leader 30s}. */
  public record Kind(Fault fault, Duration length) {
    private static final Pattern TEXT = Pattern.compile("([a-z-]+)(?: +([1-9][0-9]{0,2})s)?");

    /** Parses a fault and, after a blank, its length in seconds; empty if the text is wrong. */
    public static Optional<Kind> parse(String text) {
      Matcher parts = TEXT.matcher(text.strip());
      if (!parts.matches()) {
        return Optional.empty();
      }
      return Arrays.stream(Fault.values())
          .filter(each -> each.id().equals(parts.group(1)))
          .map(
              fault ->
                  new Kind(
                      fault,
                      parts.group(2) == null
                          ? fault.usualLength()
                          : Duration.ofSeconds(Long.parseLong(parts.group(2)))))
          .findFirst();
    }

    /** Returns what happened, in words: {@code the leader was paused for 5 s}. */
    public String text() {
      return fault.text(length);
    }

    @JsonCreator
    static Kind of(String text) {
      return parse(text)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "found "
                          + VisibleText.quoted(text)
                          + ", expected a fault such as 'kill-leader'"));
    }

    @JsonValue
    @Override
    public String toString() {
      return fault.id()
          + (length.equals(fault.usualLength()) ? "" : " " + length.toSeconds() + "s");
    }
  }

  /**
   * An injection.
   *
   * @param number number from 1, in the order of time
   * @param at when the fault begins, after the beginning of the load
   * @param endOfSlot when its effects are no longer measured, and the next slot begins
   */
  public record Injection(int number, Kind kind, Duration at, Duration endOfSlot) {}

  public static List<String> ids() {
    return Arrays.stream(Fault.values()).map(Fault::id).toList();
  }

  /** Returns the first fault of some kind, or with some action. */
  public Optional<Fault> first(Predicate<Fault> which) {
    return kinds.stream().map(Kind::fault).filter(which).findFirst();
  }

  /** Returns the first fault that has an action. */
  public Optional<Fault> first(FaultAction action) {
    return first(each -> each.action().equals(action));
  }

  /** Returns whether a fault disturbs the network, so that all data has to pass a relay. */
  public boolean disturbsNetwork() {
    return first(each -> each.action() instanceof FaultAction.Network).isPresent();
  }

  /** Returns what survives power cuts; empty if no fault needs their file system. */
  public Optional<PowerCut> powerCuts() {
    return first(Fault::needsPowerCutDisk).map(any -> power);
  }

  /** Returns the maintenance of the plan. */
  public Set<Maintenance> maintenance() {
    return kinds.stream()
        .flatMap(each -> each.fault().maintenance().stream())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Maintenance.class)));
  }

  /** Returns how long the load has to be, for all injections. */
  public Duration length() {
    return kinds.stream().map(this::slot).reduce(Duration.ZERO, Duration::plus).multipliedBy(times);
  }

  private Duration slot(Kind kind) {
    return quiet.plus(jitter).plus(kind.length()).plus(recovery);
  }

  /** Returns a plan with a part of the injections, at least one of each fault. */
  public FaultPlan scaled(double scale) {
    int part = (int) Math.max(1, Math.round(times * scale));
    return new FaultPlan(kinds, part, quiet, jitter, recovery, sessions, watches, power);
  }

  /** Returns all injections: every fault once, in a random order, and then all again. */
  public List<Injection> injections(long seed) {
    Random random = new Random(seed);
    List<Injection> injections = new ArrayList<>();
    Duration start = Duration.ZERO;
    for (int round = 0; round < times; round++) {
      List<Kind> order = new ArrayList<>(kinds);
      Collections.shuffle(order, random);
      for (Kind kind : order) {
        Duration at =
            start.plus(quiet).plusMillis(random.nextInt((int) Math.max(1, jitter.toMillis())));
        Duration end = start.plus(slot(kind));
        injections.add(new Injection(injections.size() + 1, kind, at, end));
        start = end;
      }
    }
    return injections;
  }
}
