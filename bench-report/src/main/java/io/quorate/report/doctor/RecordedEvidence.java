// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.wholePercent;
import static io.quorate.report.judge.Sample.median;

import io.quorate.report.doctor.MemberMetrics.Sample;
import io.quorate.report.figures.OtherProcess;
import io.quorate.report.findings.Phrases;
import io.quorate.results.FaultRecord;
import io.quorate.results.RunEvent;
import io.quorate.results.hosts.HostSamples;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.MetricEvidence;
import io.quorate.store.server.MetricSource;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Finds the evidence for stalls in the files of a database's run. */
final class RecordedEvidence {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Shortest wait that is evidence: below it, disks and schedulers are as they usually are. */
  static final double LEAST_WAIT_MS = 20;

  /** CPUs that other processes use when they slow the others. */
  private static final double OTHERS = 0.4;

  /** Least part of a pause that is garbage collection. */
  private static final double GC_PART = 0.5;

  private static final double BUSY = 0.9;
  private static final double PRESSURE_MS = 300;
  private static final double LEAST_STEAL_MS = 50;
  private static final double LEAST_STOP_MS = 50;
  private static final double LEAST_SWAPPED_PAGES = 100;
  private static final double LEAST_RETRANSMITS = 3;

  /** Causes whose events have exact times. */
  private static final Set<StallCause> EXACT =
      Set.of(StallCause.STOPPED, StallCause.SERVER_GC, StallCause.JVM_PAUSE);

  /** Causes with messages about their beginning, and metrics of their length. */
  private static final Set<StallCause> WORK = Set.of(StallCause.SNAPSHOT);

  private final CheckInput input;
  private final List<LogRule> rules;

  /** Evidence with exact times, from the timeline of the run. */
  private final List<Evidence> events = new ArrayList<>();

  /** Evidence of the seconds between two samples. */
  private final List<Evidence> samples = new ArrayList<>();

  private RecordedEvidence(CheckInput input) {
    this.input = input;
    this.rules = input.logRules();
  }

  /**
   * Returns all evidence of a run, in no order.
   *
   * @param faults faults and maintenance that the run planned
   */
  static List<Evidence> of(List<RunEvent> timeline, List<FaultRecord> faults, CheckInput input) {
    RecordedEvidence evidence = new RecordedEvidence(input);
    faults.stream().filter(FaultRecord::tookEffect).forEach(evidence::fault);
    timeline.forEach(evidence::event);
    evidence.internals();
    input
        .servers()
        .forEach(
            (member, rows) -> {
              evidence.member(input.member(member), rows);
              if (!input.isLocal()) {
                evidence.machine(input.member(member), rows);
              }
            });
    evidence.machine(CheckInput.LOAD_GENERATOR, input.machine());
    return evidence.exact();
  }

  /**
   * Leaves out seconds of a metric if events tell the same with their times, and messages about the
   * beginning of work whose length is known.
   */
  private List<Evidence> exact() {
    Set<StallCause> exact = causes(events);
    Set<StallCause> logged = input.isLocal() ? input.knowledge().logged() : Set.of();
    exact.removeIf(cause -> !EXACT.contains(cause) && !logged.contains(cause));
    Set<StallCause> measured = causes(samples);
    measured.retainAll(WORK);
    return Stream.concat(
            events.stream().filter(each -> !measured.contains(each.cause())),
            samples.stream().filter(each -> !exact.contains(each.cause())))
        .toList();
  }

  private static Set<StallCause> causes(List<Evidence> evidence) {
    return evidence.stream()
        .map(Evidence::cause)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(StallCause.class)));
  }

  private void add(
      StallCause cause, String source, double start, double end, double ms, String detail) {
    samples.add(new Evidence(cause, source, start, end, ms, detail));
  }

  private void add(StallCause cause, Sample sample, double ms, String detail) {
    add(cause, input.member(sample.member()), sample.startMillis(), sample.endMillis(), ms, detail);
  }

  private void event(RunEvent event) {
    switch (event.kind()) {
      case LOAD_GENERATOR_STALL -> timed(StallCause.LOAD_GENERATOR, event);
      case GC_PAUSE -> timed(StallCause.LOAD_GENERATOR_GC, event);
      case PROCESS_STOPPED -> timed(StallCause.STOPPED, event);
      case LEADER_CHANGE -> event(StallCause.LEADER_CHANGE, event, Double.POSITIVE_INFINITY, "");
      case SERVER_LOG ->
          rules.stream()
              .filter(rule -> rule.matches(event.text()))
              .findFirst()
              .flatMap(LogRule::cause)
              .ifPresent(
                  cause -> timed(cause == StallCause.JVM_PAUSE ? pause(event) : cause, event));
      case NO_SUCCESS, FAULT -> {} // a stall itself; the records of faults have more
    }
  }

  /** Adds a fault until all members serve and have caught up again. */
  private void fault(FaultRecord fault) {
    long end =
        LongStream.of(
                fault.endNanos(), fault.servingNanos().orElse(0), fault.caughtUpNanos().orElse(0))
            .max()
            .getAsLong();
    double start = fault.startUnixNanos() / NANOS_PER_MS;
    events.add(
        new Evidence(
            StallCause.FAULT,
            Phrases.list(fault.members()),
            start,
            start + (end - fault.startNanos()) / NANOS_PER_MS,
            Double.POSITIVE_INFINITY,
            fault.kind().toString()));
  }

  /** A pause of a JVM is a garbage collection only if the server used its time for one. */
  private StallCause pause(RunEvent event) {
    double end = event.endUnixNanos() / NANOS_PER_MS;
    double ms = Math.max(1, event.nanos() / NANOS_PER_MS);
    return input.metrics().reported().members().stream()
        .filter(member -> input.member(member).equals(event.source()))
        .map(member -> pause(member, end - ms, end, ms))
        .findFirst()
        .orElse(StallCause.JVM_PAUSE);
  }

  private StallCause pause(int member, double startMillis, double endMillis, double ms) {
    double gc =
        input.knowledge().collections().stream()
            .flatMapToDouble(
                seconds ->
                    input
                        .metrics()
                        .growth(
                            member,
                            seconds,
                            startMillis - MILLIS_PER_SECOND,
                            endMillis + MILLIS_PER_SECOND)
                        .stream())
            .sum();
    return gc * MILLIS_PER_SECOND >= GC_PART * ms ? StallCause.SERVER_GC : StallCause.JVM_PAUSE;
  }

  /** Adds an event whose length is known, or a message without one. */
  private void timed(StallCause cause, RunEvent event) {
    if (event.nanos() > 0) {
      double ms = event.endUnixNanos() / NANOS_PER_MS - event.startUnixNanos() / NANOS_PER_MS;
      event(cause, event, ms, duration(ms));
    } else {
      event(cause, event, Double.POSITIVE_INFINITY, "");
    }
  }

  private void event(StallCause cause, RunEvent event, double ms, String detail) {
    events.add(
        new Evidence(
            cause,
            event.source(),
            event.startUnixNanos() / NANOS_PER_MS,
            event.endUnixNanos() / NANOS_PER_MS,
            ms,
            detail));
  }

  /** Reads what members reported about themselves. */
  private void internals() {
    for (MetricEvidence metric : input.knowledge().evidence()) {
      switch (metric.kind()) {
        case HIGHEST -> highest(metric);
        case EXCESS -> excess(metric);
        case WORK -> work(metric);
        case COUNT -> count(metric);
      }
    }
  }

  /** Adds seconds in which the highest bucket of a histogram shows a long wait. */
  private void highest(MetricEvidence histogram) {
    for (Sample each : input.metrics().samples(histogram.metric() + "_max")) {
      double ms = each.value() * histogram.millis();
      if (ms > LEAST_WAIT_MS) {
        add(histogram.cause(), each, ms, "up to " + duration(ms));
      }
    }
  }

  /** Adds seconds in which a sum grew by more than usual for as many values. */
  private void excess(MetricEvidence summary) {
    MetricSource.Mean mean = MetricSource.Mean.of(summary.metric(), summary.millis());
    List<Sample> sums = input.metrics().growth(mean.sum());
    List<Sample> counts = input.metrics().growth(mean.count());
    int size = Math.min(sums.size(), counts.size());
    double usual =
        median(
            IntStream.range(0, size)
                .filter(i -> counts.get(i).value() > 0)
                .mapToDouble(i -> sums.get(i).value() / counts.get(i).value())
                .toArray());
    for (int i = 0; i < size; i++) {
      Sample each = sums.get(i);
      double ms = summary.millis() * (each.value() - usual * counts.get(i).value());
      // one slow write, not many that are a little slower
      if (ms > LEAST_WAIT_MS && ms > usual * counts.get(i).value()) {
        add(summary.cause(), each, ms, "up to " + duration(ms));
      }
    }
  }

  /**
   * Adds work whose duration is reported when it has ended. It began at the latest message of the
   * server's log about it that fits, otherwise some time before.
   */
  private void work(MetricEvidence sum) {
    for (Sample each : input.metrics().growth(sum.metric())) {
      double ms = each.value() * sum.millis();
      if (ms > LEAST_WAIT_MS) {
        StallCause cause =
            sum.cause() == StallCause.JVM_PAUSE
                ? pause(each.member(), each.startMillis(), each.endMillis(), ms)
                : sum.cause();
        String member = input.member(each.member());
        double earliest = Math.min(each.startMillis(), each.endMillis() - ms);
        OptionalDouble logged =
            events.stream()
                .filter(event -> event.cause() == cause && event.source().equals(member))
                .mapToDouble(Evidence::startMillis)
                .filter(
                    time ->
                        time > earliest - MILLIS_PER_SECOND
                            && time < each.endMillis() - ms + MILLIS_PER_SECOND)
                .max();
        double start = logged.orElse(earliest);
        double end = logged.isPresent() ? start + ms : each.endMillis();
        add(cause, member, start, end, ms, duration(ms));
      }
    }
  }

  private void count(MetricEvidence counter) {
    for (Sample each : input.metrics().growth(counter.metric())) {
      if (each.value() > 0) {
        add(counter.cause(), each, Double.POSITIVE_INFINITY, "");
      }
    }
  }

  private void machine(String source, HostSamples rows) {
    double[] cpus = rows.values("CPUS");
    double[] busy = rows.growth("MACHINE-CPU-MILLISECONDS");
    double[] steal = rows.growth("MACHINE-STEAL-MILLISECONDS");
    double[] cpuPressure = rows.growth("CPU-PRESSURE-MILLISECONDS");
    double[] diskPressure = rows.growth("IO-PRESSURE-MILLISECONDS");
    double[] swapped = rows.growth("SWAPPED-PAGES");
    double[] retransmits = rows.growth("TCP-RETRANSMITS");
    double[] machineTime = rows.growth(MeasuredStep.MACHINE_TIME);
    Map<Integer, OtherProcess> named =
        input.others(rows).stream().collect(Collectors.toMap(OtherProcess::row, other -> other));
    for (int i = 1; i < rows.size(); i++) {
      double start = rows.unixNanos(i - 1) / NANOS_PER_MS;
      double end = rows.unixNanos(i) / NANOS_PER_MS;
      double measured = machineTime[i] > 0 ? machineTime[i] / cpus[i] : end - start;
      double seconds = measured / MILLIS_PER_SECOND;
      double part = Math.min(1, busy[i] / (cpus[i] * measured));
      boolean busyCpus = part > BUSY || cpuPressure[i] > PRESSURE_MS * seconds;
      OtherProcess other = named.get(i);
      if (busyCpus && other != null && other.cpus() > OTHERS) {
        add(
            StallCause.OTHER_PROCESSES,
            other.name(),
            start,
            end,
            Math.min(1, other.cpus()) * (end - start),
            "%s of %s CPUs".formatted(fixed(other.cpus(), 1), fixed(cpus[i], 0)));
      }
      if (part > BUSY) {
        add(StallCause.CPU, source, start, end, end - start, wholePercent(part) + " busy");
      }
      if (steal[i] > LEAST_STEAL_MS) {
        add(StallCause.STEAL, source, start, end, steal[i], duration(steal[i]));
      }
      if (diskPressure[i] > PRESSURE_MS * seconds) {
        add(StallCause.DISK, source, start, end, diskPressure[i], duration(diskPressure[i]));
      }
      if (swapped[i] > LEAST_SWAPPED_PAGES) {
        add(StallCause.SWAP, source, start, end, end - start, fixed(swapped[i], 0) + " pages");
      }
      if (retransmits[i] >= LEAST_RETRANSMITS && !input.isLocal()) {
        add(
            StallCause.NETWORK,
            source,
            start,
            end,
            Double.POSITIVE_INFINITY,
            fixed(retransmits[i], 0) + " retransmitted segments");
      }
    }
  }

  /** Reads the rows of a member's process. */
  private void member(String member, HostSamples rows) {
    double[] stopped = rows.growth("STOPPED-MILLISECONDS");
    double[] throttled = rows.growth("THROTTLED-MILLISECONDS");
    for (int i = 1; i < rows.size(); i++) {
      double start = rows.unixNanos(i - 1) / NANOS_PER_MS;
      double end = rows.unixNanos(i) / NANOS_PER_MS;
      if (stopped[i] >= LEAST_STOP_MS) {
        add(StallCause.STOPPED, member, start, end, stopped[i], "about " + duration(stopped[i]));
      }
      if (throttled[i] >= LEAST_WAIT_MS) {
        add(StallCause.THROTTLED, member, start, end, throttled[i], duration(throttled[i]));
      }
    }
  }

  static String duration(double ms) {
    return ms >= 1000
        ? fixed(ms / MILLIS_PER_SECOND, 1) + " s"
        : String.format(Locale.ROOT, "%.0f ms", ms);
  }
}
