// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.fixed;

import io.quorate.report.figures.RequestFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The parts of the mean latency of a write in a step, as far as members report them: a write waits
 * for a round trip from the leader to a follower and for the fsyncs of both. The rest is the way to
 * the leader, the service time, and waiting in queues.
 *
 * @param step number of the step, from 1
 * @param load load as a phrase
 * @param measuredMs mean latency of writes that clients measured
 * @param parts parts with known means, the longest first
 */
public record LatencyParts(int step, String load, double measuredMs, List<Part> parts) {
  /** A part that is shorter than this does not explain the latency of a write. */
  private static final double LEAST_MS = 2;

  private static final double LARGE = 0.25;
  private static final double NANOS_PER_MS = 1e6;

  /**
   * A part of a latency.
   *
   * @param name such as {@code fsync of the log}
   * @param ms mean in milliseconds
   * @param source metric that it was computed from
   */
  public record Part(String name, double ms, String source) {}

  /** The metrics of a store: a sum in some unit, and a count. */
  private record Source(String name, String sum, String count, double millis) {}

  /** The writes of each store's log. */
  private static final List<Source> LOGS =
      List.of(
          new Source(
              "fsync of the log",
              "etcd_disk_wal_fsync_duration_seconds_sum",
              "etcd_disk_wal_fsync_duration_seconds_count",
              1e3),
          new Source("fsync of the log", "zk_sum_fsynctime", "zk_cnt_fsynctime", 1),
          new Source(
              "write of the log",
              "consul_raft_leader_dispatchLog_sum",
              "consul_raft_leader_dispatchLog_count",
              1));

  /** The commits to each store's database, which are not on the way of a request. */
  private static final List<Source> COMMITS =
      List.of(
          new Source(
              "commit to the database",
              "etcd_disk_backend_commit_duration_seconds_sum",
              "etcd_disk_backend_commit_duration_seconds_count",
              1e3));

  private static final Source ROUND_TRIP =
      new Source(
          "round trip between members",
          "etcd_network_peer_round_trip_time_seconds_sum",
          "etcd_network_peer_round_trip_time_seconds_count",
          1e3);

  /** Times until a follower acknowledges, which contain the write of its log. */
  private static final List<Source> ACKNOWLEDGMENTS =
      List.of(
          new Source(
              "acknowledgment by the quorum",
              "zk_sum_quorum_ack_latency",
              "zk_cnt_quorum_ack_latency",
              1),
          new Source(
              "round trip between members",
              "consul_raft_replication_appendEntries_rpc_sum",
              "consul_raft_replication_appendEntries_rpc_count",
              1));

  /** Returns the parts in each step with writes, if members reported any. */
  static List<LatencyParts> of(List<MeasuredStep> steps, MemberMetrics metrics) {
    List<LatencyParts> all = new ArrayList<>();
    for (MeasuredStep step : steps) {
      List<Part> parts = parts(step, metrics);
      OptionalDouble measured = writes(step).map(LatencyParts::mean).orElse(OptionalDouble.empty());
      if (!parts.isEmpty() && measured.isPresent()) {
        all.add(
            new LatencyParts(
                step.number(),
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
  private static List<Part> parts(MeasuredStep step, MemberMetrics metrics) {
    List<Part> parts = new ArrayList<>();
    LOGS.forEach(each -> parts.addAll(part(step, metrics, each)));
    Optional<Part> log = parts.stream().findFirst();
    parts.addAll(part(step, metrics, ROUND_TRIP));
    ACKNOWLEDGMENTS.stream()
        .flatMap(each -> part(step, metrics, each).stream())
        .map(
            each ->
                log.map(
                        written ->
                            new Part(
                                "way to the members and back (network, queues)",
                                Math.max(0, each.ms() - written.ms()),
                                each.source()))
                    .orElse(each))
        .forEach(parts::add);
    return parts;
  }

  private static List<Part> part(MeasuredStep step, MemberMetrics metrics, Source source) {
    return mean(step, metrics, source).stream()
        .map(ms -> new Part(source.name(), ms, source.sum()))
        .toList();
  }

  /** Returns the time of all writes of a member's log in a step, in milliseconds. */
  static OptionalDouble logMillis(MeasuredStep step, MemberMetrics metrics, int member) {
    return millis(LOGS, step, metrics, member);
  }

  /** Returns the time of all commits to a member's database in a step, in milliseconds. */
  static OptionalDouble commitMillis(MeasuredStep step, MemberMetrics metrics, int member) {
    return millis(COMMITS, step, metrics, member);
  }

  private static OptionalDouble millis(
      List<Source> sources, MeasuredStep step, MemberMetrics metrics, int member) {
    return sources.stream()
        .flatMapToDouble(
            each ->
                metrics.growth(member, each.sum(), step.startMillis(), step.endMillis()).stream()
                    .map(sum -> sum * each.millis()))
        .findFirst();
  }

  private static Optional<Double> mean(MeasuredStep step, MemberMetrics metrics, Source source) {
    OptionalDouble sum = metrics.growthOfAll(source.sum(), step.startMillis(), step.endMillis());
    OptionalDouble count =
        metrics.growthOfAll(source.count(), step.startMillis(), step.endMillis());
    return sum.isPresent() && count.orElse(0) > 0
        ? Optional.of(source.millis() * sum.getAsDouble() / count.getAsDouble())
        : Optional.empty();
  }

  private static Optional<RequestFigures> writes(MeasuredStep step) {
    return step.results().stream()
        .flatMap(figures -> figures.operations().stream())
        .filter(each -> each.operation().filter(LatencyParts::isWrite).isPresent())
        .findFirst();
  }

  private static boolean isWrite(String operation) {
    return List.of("put", "delete", "transaction", "compare-and-set", "stm").contains(operation);
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
        .findFirst();
  }

  /** Returns the largest part as a sentence; empty if none takes much of the latency. */
  public Optional<String> sentence() {
    return largest()
        .map(
            part ->
                "A write took %s ms on average %s; the mean %s took %s ms."
                    .formatted(fixed(measuredMs, 1), load, part.name(), fixed(part.ms(), 1)));
  }
}
