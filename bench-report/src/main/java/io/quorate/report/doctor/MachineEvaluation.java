// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.milliseconds;

import io.quorate.format.NumberFormats;
import io.quorate.report.doctor.Check.Evaluation;
import io.quorate.report.doctor.CheckResult.Status;
import io.quorate.results.hosts.HostSamples;
import io.quorate.store.server.CheckRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Evaluates machines, processes, probes and the load generator. */
final class MachineEvaluation {
  private MachineEvaluation() {}

  /** Checks a value of each machine where it is known. */
  private static Stream<CheckResult> machines(
      CheckRule check,
      CheckInput input,
      ToDoubleFunction<HostSamples> value,
      double warning,
      double bad,
      DoubleFunction<String> text) {
    return known(check, hosts(input), value, warning, bad, text);
  }

  private static Stream<CheckResult> known(
      CheckRule check,
      Map<String, HostSamples> subjects,
      ToDoubleFunction<HostSamples> value,
      double warning,
      double bad,
      DoubleFunction<String> text) {
    return subjects.entrySet().stream()
        .flatMap(
            each -> {
              double found = value.applyAsDouble(each.getValue());
              return Double.isFinite(found)
                  ? Stream.of(
                      CheckResult.of(check, each.getKey(), found, warning, bad, text.apply(found)))
                  : Stream.empty();
            });
  }

  /** Checks the part of the CPUs of each machine that was used. */
  static Evaluation cpu(double warning, double bad) {
    return (check, input) ->
        parts((step, rows) -> step.cpu(rows == input.machine(), rows), warning, bad)
            .results(check, input);
  }

  /** Checks the growth of a counter of milliseconds of each CPU as part of the time. */
  static Evaluation cpus(String column, double warning, double bad) {
    return parts((step, rows) -> step.cpuPart(rows, column), warning, bad);
  }

  /** Checks the growth of a counter of milliseconds of a machine as part of the time. */
  static Evaluation machine(String column, double warning, double bad) {
    return parts((step, rows) -> step.part(rows, column), warning, bad);
  }

  /** Checks a part of the time of each step of a machine, over all steps. */
  private static Evaluation parts(
      ToDoubleBiFunction<MeasuredStep, HostSamples> part, double warning, double bad) {
    return (check, input) ->
        machines(
            check,
            input,
            rows ->
                input.steps().stream()
                        .mapToDouble(step -> step.millis() * part.applyAsDouble(step, rows))
                        .sum()
                    / millis(input),
            warning,
            bad,
            NumberFormats::percent);
  }

  /** Checks the growth of a counter of milliseconds of each member as part of the time. */
  static Evaluation member(String column, double warning, double bad) {
    return (check, input) -> {
      Map<String, HostSamples> members = new LinkedHashMap<>();
      input.servers().forEach((number, rows) -> members.put(input.member(number), rows));
      return known(
          check,
          members,
          rows -> growth(input, rows, column) / millis(input),
          warning,
          bad,
          NumberFormats::percent);
    };
  }

  static Stream<CheckResult> swapped(CheckRule check, CheckInput input) {
    return machines(
        check,
        input,
        rows -> growth(input, rows, "SWAPPED-PAGES"),
        1,
        1_000,
        pages -> commas((long) pages) + " pages");
  }

  static Stream<CheckResult> retransmits(CheckRule check, CheckInput input) {
    // on one machine, segments are sent again only because it is busy
    return input.isLocal()
        ? Stream.empty()
        : machines(
            check,
            input,
            rows -> growth(input, rows, "TCP-RETRANSMITS") / (millis(input) / 1000),
            1,
            10,
            rate -> fixed(rate, 1) + " per second");
  }

  static Stream<CheckResult> governor(CheckRule check, CheckInput input) {
    return hosts(input).entrySet().stream()
        .flatMap(
            host -> {
              HostSamples rows = host.getValue();
              String found = rows.size() == 0 ? "" : rows.text("CPU-GOVERNOR", rows.size() - 1);
              return found.isEmpty()
                  ? Stream.empty()
                  : Stream.of(
                      new CheckResult(
                          check,
                          host.getKey(),
                          found.equals("performance") ? Status.OK : Status.WARNING,
                          found));
            });
  }

  static Stream<CheckResult> sharedDisk(CheckRule check, CheckInput input) {
    List<String> devices =
        input.servers().values().stream()
            .filter(rows -> rows.size() > 0)
            .map(rows -> rows.text("DEVICE", rows.size() - 1))
            .filter(device -> !device.isEmpty())
            .toList();
    if (devices.isEmpty() || !isOnOneMachine(input)) {
      return Stream.empty();
    }
    long distinct = devices.stream().distinct().count();
    return Stream.of(
        new CheckResult(
            check,
            input.store(),
            distinct == devices.size() ? Status.OK : Status.WARNING,
            "%d members on %s"
                .formatted(
                    devices.size(),
                    String.join(", ", devices.stream().distinct().sorted().toList()))));
  }

  static Stream<CheckResult> disk(CheckRule check, CheckInput input) {
    return ofDisk(check, input.probes().disk());
  }

  static Stream<CheckResult> ofDisk(CheckRule check, Map<String, Histogram> probes) {
    return ofProbe(
        check,
        probes,
        10,
        20,
        times ->
            "longest %s of %s writes"
                .formatted(milliseconds(times.getMaxValue() / 1e6), commas(times.getTotalCount())));
  }

  /** Connects to a member show nothing if this machine needs half of their time for itself. */
  static Stream<CheckResult> ofConnects(CheckRule check, Probes probes) {
    return ofProbe(
            check,
            probes.connects(),
            33,
            66,
            times ->
                "jitter %s of %s connects"
                    .formatted(
                        milliseconds((times.getMaxValue() - times.getMinValue()) / 1e6),
                        commas(times.getTotalCount())))
        .map(found -> found.status() == Status.OK ? found : judged(found, probes));
  }

  /** Returns a result that accuses a member, or why this machine cannot tell. */
  private static CheckResult judged(CheckResult found, Probes probes) {
    Optional<Histogram> own = Optional.ofNullable(probes.own().get(found.subject()));
    Optional<Histogram> times = Optional.ofNullable(probes.connects().get(found.subject()));
    return own.filter(any -> times.isPresent())
        .map(MachineEvaluation::p99)
        .filter(p99 -> 2 * p99 > p99(times.get()))
        .map(
            p99 ->
                CheckResult.unknown(
                    found.check(),
                    found.subject(),
                    found.measured()
                        + "; this machine is too busy to tell: p99 %s of connects to itself"
                            .formatted(milliseconds(p99))))
        .orElse(found);
  }

  private static double p99(Histogram times) {
    return times.getValueAtPercentile(99) / 1e6;
  }

  /** Checks the p99 of measured times in nanoseconds, with limits in milliseconds. */
  private static Stream<CheckResult> ofProbe(
      CheckRule check,
      Map<String, Histogram> probes,
      double warning,
      double bad,
      Function<Histogram, String> spread) {
    return probes.entrySet().stream()
        .map(
            probe -> {
              Histogram times = probe.getValue();
              double p99 = p99(times);
              return CheckResult.of(
                  check,
                  probe.getKey(),
                  p99,
                  warning,
                  bad,
                  "p50 %s, p99 %s, %s"
                      .formatted(
                          milliseconds(times.getValueAtPercentile(50) / 1e6),
                          milliseconds(p99),
                          spread.apply(times)));
            });
  }

  static Stream<CheckResult> late(CheckRule check, CheckInput input) {
    return input.steps().stream()
        .flatMap(step -> step.results().stream())
        .filter(step -> step.asked().isOpen())
        .map(
            step ->
                new CheckResult(
                    check,
                    "load generator",
                    step.isLate() ? Status.BAD : Status.OK,
                    "%s %s".formatted(step.isLate() ? "late" : "on time", step.atLoad())));
  }

  /** Returns the machines with their rows: one if all members are on the load generator's. */
  static Map<String, HostSamples> hosts(CheckInput input) {
    Map<String, HostSamples> hosts = new LinkedHashMap<>();
    hosts.put(CheckInput.LOAD_GENERATOR, input.machine());
    if (!isOnOneMachine(input)) {
      input.servers().forEach((member, rows) -> hosts.put(input.member(member), rows));
    }
    return hosts;
  }

  private static boolean isOnOneMachine(CheckInput input) {
    return !input.hasAgents();
  }

  private static double growth(CheckInput input, HostSamples rows, String column) {
    return input.steps().stream().mapToDouble(step -> step.growth(rows, column)).sum();
  }

  private static double millis(CheckInput input) {
    return input.steps().stream().mapToDouble(MeasuredStep::millis).sum();
  }
}
