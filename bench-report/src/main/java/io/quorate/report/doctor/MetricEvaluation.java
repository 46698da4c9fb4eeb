// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.fixed;

import io.quorate.report.doctor.CheckResult.Status;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Evaluates what members report about themselves. */
final class MetricEvaluation {
  private MetricEvaluation() {}

  /** Checks a value of each member that reports it. */
  private static Stream<CheckResult> members(
      Check check,
      CheckInput input,
      Function<Integer, OptionalDouble> value,
      double warning,
      double bad,
      DoubleFunction<String> text) {
    return input.metrics().series().keySet().stream()
        .flatMap(
            member ->
                value.apply(member).stream()
                    .mapToObj(
                        found ->
                            check.of(
                                input.member(member), found, warning, bad, text.apply(found))));
  }

  /** Checks the usual p99 of a histogram; shows the bucket of its longest value. */
  static Evaluation limits(String metric, double millis, double warning, double bad) {
    return (check, input) ->
        input.metrics().series().keySet().stream()
            .flatMap(
                member ->
                    input.usual(member, metric).stream()
                        .mapToObj(
                            value ->
                                check.of(
                                    input.member(member),
                                    value * millis,
                                    warning,
                                    bad,
                                    Evaluation.ms(value * millis)
                                        + longest(input, member, metric, millis))));
  }

  private static String longest(CheckInput input, int member, String metric, double millis) {
    String name = metric.replace("_p99", "_max");
    OptionalDouble most = input.metrics().most(member, name);
    return most.isPresent()
        ? " (longest at most " + Evaluation.ms(most.getAsDouble() * millis) + ")"
        : "";
  }

  static Evaluation mean(String histogram, double millis, double warning, double bad) {
    return meanOf(histogram + "_sum", histogram + "_count", millis, warning, bad);
  }

  static Evaluation meanOf(String sum, String count, double millis, double warning, double bad) {
    return (check, input) ->
        members(
            check,
            input,
            member ->
                input.mean(member, sum, count).stream().map(value -> value * millis).findFirst(),
            warning,
            bad,
            Evaluation::ms);
  }

  static Evaluation counter(String metric, double warning, double bad) {
    return (check, input) ->
        members(
            check,
            input,
            member -> input.growth(member, metric),
            warning,
            bad,
            value -> commas((long) value));
  }

  /** Checks a counter by minute; a value at a limit is within it. */
  static Evaluation rate(String metric, double warning, double bad) {
    return (check, input) ->
        members(
            check,
            input,
            member ->
                input.growth(member, metric).stream()
                    .map(value -> value / input.minutes())
                    .findFirst(),
            Math.nextUp(warning),
            Math.nextUp(bad),
            value -> fixed(value, 1) + " a minute");
  }

  static Evaluation most(String metric, double factor, double warning, double bad, String unit) {
    return (check, input) ->
        members(
            check,
            input,
            member ->
                input.metrics().most(member, metric).stream()
                    .map(value -> value * factor)
                    .findFirst(),
            warning,
            bad,
            value -> "at most " + commas(Math.round(value)) + unit);
  }

  static Evaluation part(String metric, String whole, double warning, double bad) {
    return (check, input) ->
        members(
            check,
            input,
            member -> {
              OptionalDouble value = input.metrics().last(member, metric);
              OptionalDouble of = input.metrics().last(member, whole);
              return value.isPresent() && of.orElse(0) > 0
                  ? OptionalDouble.of(value.getAsDouble() / of.getAsDouble())
                  : OptionalDouble.empty();
            },
            warning,
            bad,
            Evaluation::percent);
  }

  static Evaluation share(String metric, double millis, double warning, double bad) {
    return (check, input) ->
        members(
            check,
            input,
            member ->
                input.growth(member, metric).stream()
                    .map(value -> value * millis / (input.endMillis() - input.startMillis()))
                    .findFirst(),
            warning,
            bad,
            Evaluation::percent);
  }

  /** Checks pauses of JVMs, and shows how much of them is garbage collection if that is known. */
  static Stream<CheckResult> pauses(Check check, CheckInput input) {
    double millis = input.endMillis() - input.startMillis();
    return input.metrics().series().keySet().stream()
        .flatMap(
            member ->
                input.growth(member, "zk_sum_jvm_pause_time_ms").stream()
                    .mapToObj(
                        pause ->
                            check.of(
                                input.member(member),
                                pause / millis,
                                0.01,
                                0.05,
                                Evaluation.percent(pause / millis)
                                    + input
                                        .growth(member, "zk_jvm_gc_collection_seconds_sum")
                                        .stream()
                                        .mapToObj(
                                            gc ->
                                                "; garbage collection "
                                                    + Evaluation.percent(1_000 * gc / millis))
                                        .findFirst()
                                        .orElse(""))));
  }

  static Stream<CheckResult> fragmentation(Check check, CheckInput input) {
    return input.metrics().series().keySet().stream()
        .flatMap(
            member -> {
              OptionalDouble size =
                  input.metrics().last(member, "etcd_mvcc_db_total_size_in_bytes");
              OptionalDouble used =
                  input.metrics().last(member, "etcd_mvcc_db_total_size_in_use_in_bytes");
              if (size.isEmpty() || used.isEmpty() || size.getAsDouble() <= 0) {
                return Stream.empty();
              }
              double part = used.getAsDouble() / size.getAsDouble();
              boolean bad = part < 0.5 && size.getAsDouble() > 100e6;
              return Stream.of(
                  new CheckResult(
                      check,
                      input.member(member),
                      bad ? Status.WARNING : Status.OK,
                      "%s of %s MB"
                          .formatted(
                              Evaluation.percent(part),
                              commas(Math.round(size.getAsDouble() / 1e6)))));
            });
  }

  static Stream<CheckResult> writeCapacity(Check check, CheckInput input) {
    // a low value is bad
    return members(
        check,
        input,
        member ->
            input.metrics().last(member, "consul_raft_boltdb_writeCapacity_p50").stream()
                .map(value -> -value)
                .findFirst(),
        -100,
        -10,
        value -> commas(Math.round(-value)) + " per second");
  }

  static Stream<CheckResult> oldestLog(Check check, CheckInput input) {
    return members(
        check,
        input,
        member -> {
          OptionalDouble age = input.metrics().last(member, "consul_raft_leader_oldestLogAge");
          double restore =
              input.metrics().last(member, "consul_raft_fsm_lastRestoreDuration").orElse(0);
          return age.isPresent() && age.getAsDouble() > 0 && restore > 0
              ? OptionalDouble.of(-age.getAsDouble() / restore)
              : OptionalDouble.empty();
        },
        -2,
        -1,
        value -> fixed(-value, 1) + " times");
  }
}
