// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quorate.results.DatabaseRun;
import io.quorate.results.hosts.MemberSeries;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.Operation;
import io.quorate.store.RequestPath;
import io.quorate.store.Store;
import io.quorate.store.server.MetricSource;
import io.quorate.stores.Stores;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The least time that the requests of a run can take. It is the sum of the round trips on their
 * path, as declared by the store, with the measured times.
 *
 * @param path path of the requests to the nearest of the asked members
 * @param tripMs time of a round trip from the leader to a majority, by the medians of the pings
 * @param roundTripsMs time of the path, by the medians of the pings
 * @param floorMs time of the path, by the fastest pings: no request can be faster
 * @param syncMs least mean time of a member's syncs of its log; empty if the path has no sync, or
 *     servers do not report it
 */
@JsonPropertyOrder({"roundTripsToLeader", "roundTripsToMajority"})
record RoundTripBound(
    @JsonIgnore RequestPath path,
    @JsonIgnore double tripMs,
    double roundTripsMs,
    double floorMs,
    OptionalDouble syncMs) {
  private static final double NANOS_IN_MS = 1e6;
  private static final double MS_IN_SECOND = 1e3;

  /**
   * Returns the least time of a run; empty if the path of its requests is not known, or the servers
   * were not started by the load generator.
   *
   * @param asked numbers of the members that requests went to, from 1
   */
  static Optional<RoundTripBound> of(DatabaseRun run, List<Integer> asked) {
    return path(run).flatMap(path -> of(run, asked, path));
  }

  /** Returns the shortest path of all operations, on a store of this version. */
  static Optional<RequestPath> path(DatabaseRun run) {
    LoadInfo load = run.manifest().load();
    Optional<Store> store = run.manifest().store().store();
    List<Operation> operations = load.mix().operations();
    List<RequestPath> paths =
        operations.stream()
            .map(each -> store.flatMap(Store::paths).flatMap(of -> of.of(each, load.consistency())))
            .flatMap(Optional::stream)
            .toList();
    return paths.size() < operations.size()
        ? Optional.empty()
        : paths.stream().min(Comparator.comparingInt(each -> each.toLeader() + each.toMajority()));
  }

  private static Optional<RoundTripBound> of(
      DatabaseRun run, List<Integer> asked, RequestPath path) {
    ServerInfo servers = run.manifest().store().servers();
    int leader = servers.leaderNumber();
    if (!servers.are(ServerInfo.Hosting.LOCAL) || leader == 0 || asked.isEmpty()) {
      return Optional.empty();
    }
    Ways ways = new Ways(run.zones(), leader, servers.members().size(), asked);
    return Optional.of(
        new RoundTripBound(
            ways.of(path),
            ways.majority(RunZones.Link::medianNanos) / NANOS_IN_MS,
            ways.nanos(path, RunZones.Link::medianNanos) / NANOS_IN_MS,
            ways.nanos(path, RunZones.Link::leastNanos) / NANOS_IN_MS,
            syncMs(run, path)));
  }

  @JsonProperty
  int roundTripsToLeader() {
    return path.toLeader();
  }

  @JsonProperty
  int roundTripsToMajority() {
    return path.toMajority();
  }

  /** Returns the least mean time of a member's syncs of its log; empty if none reported it. */
  static OptionalDouble syncMs(DatabaseRun run, RequestPath path) {
    Optional<Store> store = run.manifest().store().store();
    Optional<String> figure =
        store.map(Stores::servers).flatMap(servers -> servers.logSyncFigure());
    if (!path.syncs() || figure.isEmpty()) {
      return OptionalDouble.empty();
    }
    MetricSource.Mean sync = MetricSource.Mean.of(figure.get(), MS_IN_SECOND);
    MemberSeries reported = run.machines().reported();
    return reported.members().stream()
        .flatMapToDouble(
            member -> {
              OptionalDouble sum = reported.of(member, sync.sum()).last();
              double count = reported.of(member, sync.count()).last().orElse(0);
              return count > 0
                  ? sum.stream().map(all -> all / count * sync.factor())
                  : DoubleStream.empty();
            })
        .min();
  }

  /**
   * The delays between the machines of a run.
   *
   * @param zones zones of the machines; empty for no delays
   */
  private record Ways(Optional<RunZones> zones, int leader, int members, List<Integer> asked) {
    /** Returns the part of a path that applies to the nearest of the asked members. */
    RequestPath of(RequestPath path) {
      return new RequestPath(
          asked.contains(leader) ? 0 : path.toLeader(),
          members == 1 ? 0 : path.toMajority(),
          path.syncs());
    }

    double nanos(RequestPath path, ToLongFunction<RunZones.Link> time) {
      return path.toMajority() * majority(time)
          + asked.stream()
              .mapToDouble(
                  member ->
                      nanos(zones.flatMap(all -> all.fromLoadGenerator(member)), time)
                          + path.toLeader() * between(member, leader, time))
              .min()
              .orElseThrow();
    }

    /** Returns the time from the leader to the farthest member of the nearest majority. */
    double majority(ToLongFunction<RunZones.Link> time) {
      return IntStream.rangeClosed(1, members)
          .filter(member -> member != leader)
          .mapToDouble(member -> between(leader, member, time))
          .sorted()
          .limit(members / 2)
          .reduce(0, Math::max);
    }

    private double between(int member, int other, ToLongFunction<RunZones.Link> time) {
      return nanos(zones.flatMap(all -> all.between(member, other)), time);
    }

    private static double nanos(Optional<RunZones.Link> link, ToLongFunction<RunZones.Link> time) {
      return link.map(time::applyAsLong).orElse(0L);
    }
  }
}
