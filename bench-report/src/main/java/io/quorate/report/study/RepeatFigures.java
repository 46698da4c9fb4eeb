// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.ServerColumn;
import io.quorate.report.figures.outage.FaultFigures;
import io.quorate.report.figures.outage.Outage;
import io.quorate.report.figures.outage.OutageMetric;
import io.quorate.report.figures.outage.OutageSpread;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.judge.Sample;
import io.quorate.results.DatabaseRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.scenario.FaultAction.Task;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.Maintenance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The values of a run of a cell.
 *
 * @param repeat number of the repeat, from 1
 * @param meanMs mean latency of its successes, like the other values
 * @param p50ErrorMs standard error of the median, from the distance of the quartiles
 * @param values its values by step and operation
 * @param outages outages of each kind of fault or maintenance
 * @param times how long members took for restarts and maintenance
 * @param least the least time that its requests can take; empty if that is not known
 */
public record RepeatFigures(
    int repeat,
    long requests,
    long errors,
    double requestsPerSecond,
    double meanMs,
    double fastestMs,
    double p50Ms,
    @JsonIgnore double p50ErrorMs,
    double p99Ms,
    Optional<RoundTripBound> least,
    @JsonIgnore Basis basis,
    @JsonIgnore Map<Row, Double> values,
    @JsonIgnore Map<Row, Basis> bases,
    @JsonIgnore List<Outages> outages,
    @JsonIgnore MemberTimes times,
    @JsonIgnore Optional<String> disturbance) {
  /**
   * The outages of a kind of fault or maintenance, in milliseconds: medians of its injections.
   * There are none if most of the outages did not end while they were observed.
   *
   * @param anyClientMs longest time without an acknowledged write of any client
   * @param worstClientMs the same of the client with the longest one
   */
  record Outages(String kind, double anyClientMs, double worstClientMs) {
    private static Optional<Outages> of(FaultPlan.Kind kind, List<Outage> outages) {
      Optional<Double> any = median(outages, OutageMetric.WRITES_STOPPED);
      Optional<Double> worst = median(outages, OutageMetric.WORST_CLIENT);
      return any.isEmpty() || worst.isEmpty()
          ? Optional.empty()
          : Optional.of(new Outages(name(kind), any.get(), worst.get()));
    }

    /** The length of maintenance is only its limit, which may grow with the data. */
    private static String name(FaultPlan.Kind kind) {
      return kind.fault().maintenance().isPresent() ? kind.fault().id() : kind.toString();
    }

    private static Optional<Double> median(List<Outage> outages, OutageMetric metric) {
      return OutageSpread.of(outages.stream().flatMap(each -> metric.of(each).stream()).toList())
          .map(OutageSpread::median)
          .filter(OutageTime::ended)
          .map(OutageTime::ms);
    }

    static List<Outages> all(FaultFigures faults) {
      return faults.byKind().entrySet().stream()
          .flatMap(kind -> of(kind.getKey(), kind.getValue()).stream())
          .toList();
    }
  }

  /**
   * How long members took for restarts and maintenance: medians of the injections.
   *
   * @param seconds from the start of the processes until all members serve, or of the maintenance;
   *     also the most memory of a member before the first of them
   * @param kinds maintenance that was asked for
   * @param missing faults without such a time, with the reason
   */
  record MemberTimes(Map<String, Double> seconds, Set<Maintenance> kinds, List<String> missing) {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final double BYTES_PER_MB = 1e6;
    private static final String MEMORY = "most memory of a member (MB)";

    /** What is timed, and the name of its time. */
    private enum Timed {
      RESTART(" until all serve (s)"),
      ADDITION(" until caught up (s)"),
      RESTORE(" until it serves (s)"),
      WORK(" (s)");

      private final String words;

      Timed(String words) {
        this.words = words;
      }

      private static Optional<Timed> of(Fault fault) {
        return fault.action() == ProcessAction.KILL || fault.action() == ProcessAction.KILL_COLD
            ? Optional.of(RESTART)
            : fault.action() == Task.ADD_MEMBER
                ? Optional.of(ADDITION)
                : fault.action() == Task.RESTORE_SNAPSHOT
                    ? Optional.of(RESTORE)
                    : Optional.of(WORK).filter(any -> fault.isMaintenance());
      }

      /** Returns the time of a fault in seconds; infinite if it did not end in time. */
      private double seconds(FaultRecord fault) {
        OptionalLong end =
            switch (this) {
              case RESTART -> fault.servingNanos();
              case ADDITION, RESTORE -> fault.caughtUpNanos();
              case WORK -> OptionalLong.of(fault.endNanos());
            };
        long start = this == RESTART ? fault.endNanos() : fault.startNanos();
        return end.isPresent()
            ? (end.getAsLong() - start) / NANOS_PER_SECOND
            : Double.POSITIVE_INFINITY;
      }
    }

    private static MemberTimes of(FaultFigures faults, DatabaseRun run) {
      Map<String, Double> seconds = new LinkedHashMap<>();
      List<String> missing = new ArrayList<>();
      Map<FaultPlan.Kind, List<Outage>> kinds = new LinkedHashMap<>(faults.byKind());
      faults.outages().stream() // late maintenance was done, so its time is known
          .filter(each -> each.fault().observed().isPresent())
          .filter(each -> each.fault().kind().fault().isMaintenance())
          .forEach(each -> kinds.putIfAbsent(each.fault().kind(), List.of(each)));
      kinds.forEach(
          (kind, all) ->
              Timed.of(kind.fault())
                  .ifPresent(
                      timed -> {
                        double[] times =
                            all.stream().mapToDouble(each -> timed.seconds(each.fault())).toArray();
                        boolean first =
                            kinds.keySet().stream()
                                .filter(each -> each.fault() == kind.fault())
                                .findFirst()
                                .equals(Optional.of(kind));
                        if (Double.isFinite(Sample.median(times))) {
                          seconds.put(
                              (first ? kind.fault().id() : kind) + timed.words,
                              Sample.median(times));
                        }
                        long late = Arrays.stream(times).filter(Double::isInfinite).count();
                        if (late > 0) {
                          missing.add(
                              "%s: %d of %d times not all members served again in its time"
                                  .formatted(kind, late, all.size()));
                        }
                      }));
      faults.outages().stream()
          .map(Outage::fault)
          .forEach(each -> each.problem().ifPresent(why -> missing.add(each.kind() + ": " + why)));
      if (!seconds.isEmpty()) {
        long first =
            faults.outages().stream()
                .mapToLong(each -> each.fault().startUnixNanos())
                .min()
                .orElseThrow();
        run.machines().servers().values().stream()
            .flatMapToDouble(each -> before(each, first))
            .filter(bytes -> !Double.isNaN(bytes))
            .max()
            .ifPresent(bytes -> seconds.put(MEMORY, bytes / BYTES_PER_MB));
      }
      Set<Maintenance> asked =
          faults.outages().stream()
              .flatMap(each -> each.fault().kind().fault().maintenance().stream())
              .collect(Collectors.toSet());
      return new MemberTimes(seconds, asked, missing);
    }

    /** Returns the memory of a member before a time. */
    private static DoubleStream before(HostSamples member, long unixNanos) {
      double[] memory = member.values(ServerColumn.MEMORY.source());
      return IntStream.range(0, memory.length)
          .filter(row -> member.unixNanos(row) < unixNanos)
          .mapToDouble(row -> memory[row]);
    }
  }

  /** Returns whether it neither ended early nor goes on. */
  boolean isWhole() {
    return !basis.own().contains(Reservation.ENDED_EARLY);
  }

  /**
   * Factor for the standard error of a median, as for the notches of box plots. The error is this
   * times the distance of the quartiles, divided by the root of the number of values.
   */
  private static final double ERROR_OF_QUARTILES = 0.93;

  /**
   * Returns the values of a run, which may have ended early; empty if it was not measured, nothing
   * succeeded, or one of its files is unreadable.
   */
  static Optional<RepeatFigures> of(int repeat, DatabaseFigures figures) {
    DatabaseRun run = figures.run();
    if (!run.manifest().status().isMeasured()
        || run.clients().isEmpty()
        || !run.unreadable().isEmpty()) {
      return Optional.empty();
    }
    ClientResults clients = run.clients().get();
    if (figures.requests().latency().isEmpty() || clients.requestsPerSecond().isEmpty()) {
      return Optional.empty();
    }
    LatencySummary latency = figures.requests().latency().get();
    double quartiles = latency.percentileMs(Percentile.P75) - latency.percentileMs(Percentile.P25);
    long successes = run.requests() - clients.errorCount();
    RunValues values = RunValues.of(figures);
    return Optional.of(
        new RepeatFigures(
            repeat,
            run.requests(),
            clients.errorCount(),
            clients.requestsPerSecond().getAsDouble(),
            latency.averageMs(),
            latency.fastestMs(),
            latency.percentileMs(Percentile.P50),
            ERROR_OF_QUARTILES * quartiles / Math.sqrt(Math.max(1, successes)),
            latency.percentileMs(Percentile.P99),
            RoundTripBound.of(run, CellInfo.asked(run)),
            figures.total().orElseThrow().basis(),
            values.values(),
            values.bases(),
            figures.faults().map(Outages::all).orElse(List.of()),
            figures
                .faults()
                .map(faults -> MemberTimes.of(faults, run))
                .orElse(new MemberTimes(Map.of(), Set.of(), List.of())),
            figures.disturbance()));
  }
}
