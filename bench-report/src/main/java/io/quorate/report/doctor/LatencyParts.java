// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.threeDigits;
import static io.quorate.store.server.LatencyPart.Kind.ACKNOWLEDGMENT;
import static io.quorate.store.server.LatencyPart.Kind.LOG;
import static io.quorate.store.server.LatencyPart.Kind.ROUND_TRIP;

import io.quorate.report.figures.RequestFigures;
import io.quorate.store.Operation;
import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.MetricSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The parts of the mean latency of a write in a step, as far as members report them: a write waits
 * for a round trip from the leader to a follower and for the fsyncs of both. The rest is the way to
 * the leader, the service time, and waiting in queues.
 *
 * @param load load as a phrase
 * @param measuredMs mean latency of writes that clients measured
 * @param parts parts with known means, the longest first
 */
public record LatencyParts(String load, double measuredMs, List<Part> parts) {
  /** A part that is shorter than this does not explain the latency of a write. */
  private static final double LEAST_MS = 2;

  private static final double LARGE = 0.25;
  private static final double NANOS_PER_MS = 1e6;

  /**
   * A part of a latency.
   *
   * @param name such as {@code fsync of the log}
   * @param ms mean in milliseconds
   */
  public record Part(String name, double ms) {}

  /** Returns the parts in each step with writes, if members reported any. */
  static List<LatencyParts> of(CheckInput input) {
    List<LatencyParts> all = new ArrayList<>();
    for (MeasuredStep step : input.steps()) {
      List<Part> parts = parts(step, input);
      OptionalDouble measured = writes(step).map(LatencyParts::mean).orElse(OptionalDouble.empty());
      if (!parts.isEmpty() && measured.isPresent()) {
        all.add(
            new LatencyParts(
                step.load(),
                measured.getAsDouble(),
                parts.stream().sorted(Comparator.comparingDouble(Part::ms).reversed()).toList()));
      }
    }
    return all;
  }

  /**
   * Returns the parts. The write of the log is subtracted from the time until a follower
   * acknowledges: what remains is the network, and waiting in queues.
   */
  private static List<Part> parts(MeasuredStep step, CheckInput input) {
    List<Part> parts = new ArrayList<>(parts(step, input, LOG));
    Optional<Part> log = parts.stream().findFirst();
    parts.addAll(parts(step, input, ROUND_TRIP));
    parts(step, input, ACKNOWLEDGMENT).stream()
        .map(
            each ->
                log.map(
                        written ->
                            new Part(
                                "network and queues between the members",
                                Math.max(0, each.ms() - written.ms())))
                    .orElse(each))
        .forEach(parts::add);
    return parts;
  }

  private static List<Part> parts(MeasuredStep step, CheckInput input, LatencyPart.Kind kind) {
    return known(input, kind)
        .flatMap(
            part ->
                mean(step, input.metrics(), part.mean()).stream()
                    .mapToObj(ms -> new Part(part.name(), ms)))
        .toList();
  }

  private static Stream<LatencyPart> known(CheckInput input, LatencyPart.Kind kind) {
    return input.knowledge().latencyParts().stream().filter(part -> part.kind() == kind);
  }

  /**
   * Returns the time of all writes of a member's log, or commits to its database, in a step; in
   * milliseconds.
   */
  static OptionalDouble millis(
      LatencyPart.Kind kind, MeasuredStep step, CheckInput input, int member) {
    return known(input, kind)
        .map(LatencyPart::mean)
        .flatMapToDouble(
            mean ->
                input
                    .metrics()
                    .growth(member, mean.sum(), step.startMillis(), step.endMillis())
                    .stream()
                    .map(sum -> sum * mean.factor()))
        .findFirst();
  }

  private static OptionalDouble mean(
      MeasuredStep step, MemberMetrics metrics, MetricSource.Mean mean) {
    OptionalDouble sum = metrics.growthOfAll(mean.sum(), step.startMillis(), step.endMillis());
    double count =
        metrics.growthOfAll(mean.count(), step.startMillis(), step.endMillis()).orElse(0);
    return sum.isPresent() && count > 0
        ? OptionalDouble.of(mean.factor() * sum.getAsDouble() / count)
        : OptionalDouble.empty();
  }

  private static Optional<RequestFigures> writes(MeasuredStep step) {
    return step.results().stream()
        .flatMap(figures -> figures.operations().stream())
        .filter(each -> each.operation().filter(LatencyParts::isWrite).isPresent())
        .findFirst();
  }

  private static boolean isWrite(String operation) {
    return Operation.named(operation).filter(Operation::changesKeys).isPresent();
  }

  private static OptionalDouble mean(RequestFigures requests) {
    Histogram times =
        requests.service().getTotalCount() > 0 ? requests.service() : requests.response();
    return times.getTotalCount() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(times.getMean() / NANOS_PER_MS);
  }

  /** Returns the rest of the measured latency: the way to the leader, service, and queues. */
  public double restMs() {
    return Math.max(0, measuredMs - parts.stream().mapToDouble(Part::ms).sum());
  }

  /** Returns the part that takes most of a long latency; empty if none of them does. */
  public Optional<Part> largest() {
    return parts.stream()
        .filter(part -> part.ms() >= LEAST_MS && part.ms() >= LARGE * measuredMs)
        // a mean of all traffic can be longer than the writes took
        .filter(part -> part.ms() <= measuredMs)
        .findFirst();
  }

  /** Returns the largest part as a sentence; empty if none takes much of the latency. */
  public Optional<String> sentence() {
    return largest()
        .map(
            part ->
                "Mean write latency %s: %s ms, %s ms of it for %s."
                    .formatted(load, threeDigits(measuredMs), threeDigits(part.ms()), part.name()));
  }
}
