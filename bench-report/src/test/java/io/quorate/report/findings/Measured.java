package io.quorate.report.findings;

import io.quorate.report.figures.Basis;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Builds the results of a database for verdicts; what is not given was not measured. */
final class Measured {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  private final String name;
  private final long successes;
  private final long errors;
  private OptionalDouble requestsPerSecond = NONE;
  private OptionalDouble p50Ms = NONE;
  private OptionalDouble p99Ms = NONE;
  private OptionalDouble serverCpuPercent = NONE;
  private OptionalDouble serverMemoryBytes = NONE;
  private OptionalDouble serverDiskBytes = NONE;
  private OptionalDouble clientCpuPercent = NONE;
  private OptionalDouble slowestMs = NONE;
  private Optional<Stall> stall = Optional.empty();
  private List<Standing.OfLoad> steps = List.of();
  private List<Standing.OfOperation> operations = List.of();
  private boolean open;
  private Optional<WatchedEvents> watched = Optional.empty();
  private Basis basis;

  private Measured(String name, long successes, long errors) {
    this.name = name;
    this.successes = successes;
    this.errors = errors;
    this.basis =
        new Basis(Optional.empty(), OptionalLong.empty(), successes + errors, errors, 0, Set.of());
  }

  static Measured database(String name, long successes, long errors) {
    return new Measured(name, successes, errors);
  }

  Measured perSecond(double requests) {
    requestsPerSecond = OptionalDouble.of(requests);
    return this;
  }

  Measured p50(double ms) {
    p50Ms = OptionalDouble.of(ms);
    return this;
  }

  Measured p99(double ms) {
    p99Ms = OptionalDouble.of(ms);
    return this;
  }

  Measured serverCpu(double percent) {
    serverCpuPercent = OptionalDouble.of(percent);
    return this;
  }

  Measured serverMemory(double bytes) {
    serverMemoryBytes = OptionalDouble.of(bytes);
    return this;
  }

  Measured serverDisk(double bytes) {
    serverDiskBytes = OptionalDouble.of(bytes);
    return this;
  }

  Measured clientCpu(double percent) {
    clientCpuPercent = OptionalDouble.of(percent);
    return this;
  }

  Measured slowest(double ms) {
    slowestMs = OptionalDouble.of(ms);
    return this;
  }

  Measured stalled(Stall longest) {
    stall = Optional.of(longest);
    return this;
  }

  Measured steps(List<Standing.OfLoad> all) {
    steps = all;
    return this;
  }

  Measured operations(List<Standing.OfOperation> all) {
    operations = all;
    return this;
  }

  Measured atRates() {
    open = true;
    return this;
  }

  Measured watched(WatchedEvents events) {
    watched = Optional.of(events);
    return this;
  }

  Measured on(Basis of) {
    basis = of;
    return this;
  }

  Standing standing() {
    return new Standing(
        name,
        successes + errors,
        successes,
        errors,
        requestsPerSecond,
        p50Ms,
        p99Ms,
        serverCpuPercent,
        serverMemoryBytes,
        serverDiskBytes,
        clientCpuPercent,
        slowestMs,
        stall,
        steps,
        operations,
        open,
        watched,
        basis);
  }
}
