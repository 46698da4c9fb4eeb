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

  private static final List<Source> SOURCES =
      List.of(
          new Source(
              "fsync of the log",
              "etcd_disk_wal_fsync_duration_seconds_sum",
              "etcd_disk_wal_fsync_duration_seconds_count",
              1e3),
          new Source(
              "round trip between members",
              "etcd_network_peer_round_trip_time_seconds_sum",
              "etcd_network_peer_round_trip_time_seconds_count",
              1e3),
          new Source("fsync of the log", "zk_sum_fsynctime", "zk_cnt_fsynctime", 1),
          new Source(
              "acknowledgment by the quorum",
              "zk_sum_quorum_ack_latency",
              "zk_cnt_quorum_ack_latency",
              1),
          new Source(
              "write of the log",
              "consul_raft_leader_dispatchLog_sum",
              "consul_raft_leader_dispatchLog_count",
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
      List<Part> parts = new ArrayList<>();
      for (Source source : SOURCES) {
        mean(step, metrics, source)
            .ifPresent(ms -> parts.add(new Part(source.name(), ms, source.sum())));
      }
      OptionalDouble measured = writes(step).map(LatencyParts::mean).orElse(OptionalDouble.empty());
      if (!parts.isEmpty() && measured.isPresent()) {
        all.add(
            new LatencyParts(
                step.number(),
                step.load(),
                measured.getAsDouble(),
                replication(parts).stream()
                    .sorted(Comparator.comparingDouble(Part::ms).reversed())
                    .toList()));
      }
    }
    return all;
  }

  /**
   * Subtracts the fsync of a follower from the time until it acknowledges, which contains it: what
   * remains is the network.
   */
  private static List<Part> replication(List<Part> parts) {
    Optional<Part> sync =
        parts.stream()
            .filter(
                each -> each.source().contains("fsync") || each.source().contains("dispatchLog"))
            .findFirst();
    return parts.stream()
        .map(
            each ->
                sync.isPresent() && each.source().matches(".*(ack_latency|appendEntries).*")
                    ? new Part(
                        "network between members",
                        Math.max(0, each.ms() - sync.get().ms()),
                        each.source())
                    : each)
        .toList();
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
