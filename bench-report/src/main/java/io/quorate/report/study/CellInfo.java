// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ServerInfo.Hosting;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The facts of a run of a cell, from its manifest.
 *
 * @param store id of the store without a version
 * @param operation operation, such as {@code put}, or a mix in words
 * @param reads guarantee of reads; empty if nothing is read
 * @param target id of the routing, such as {@code leader}
 * @param gigabytes size of all keys and values that were written before the load, in GB of 10^9
 *     bytes; 0 if none were
 * @param asked numbers of the members with connections, from 1
 * @param zones zones of these members, from the topology or the machines of agents; empty if they
 *     are not known
 */
public record CellInfo(
    String store,
    Optional<String> version,
    String operation,
    Optional<String> reads,
    String target,
    long requests,
    int valueBytes,
    int connections,
    int clients,
    @JsonIgnore boolean allKeys,
    @JsonIgnore boolean sequential,
    @JsonIgnore int members,
    @JsonIgnore double gigabytes,
    @JsonIgnore List<Integer> asked,
    @JsonIgnore List<String> zones) {
  private static final double BYTES_PER_GB = 1e9;

  static CellInfo of(DatabaseRun run) {
    StoreInfo store = run.manifest().store();
    ServerInfo servers = store.servers();
    LoadInfo load = run.manifest().load();
    Step step = load.steps().get(0);
    OperationMix mix = load.mix();
    List<Integer> asked = asked(run);
    return new CellInfo(
        store.baseId(),
        servers.version(),
        mix.isSingle() ? mix.operations().get(0).id() : mix.toString(),
        mix.reads() ? Optional.of(load.consistency().id()) : Optional.empty(),
        load.routing().id(),
        run.requests(),
        load.valueBytes(),
        step.connections(),
        step.clients(),
        mix.has(Operation.RANGE) && mix.range().isOfAll(),
        load.keys().order() == KeySpace.Order.SEQUENTIAL && !mix.has(Operation.RANGE),
        servers.members().size(),
        load.keys().prepared()
            ? (double) load.keys().count()
                * (load.keyBytes() + load.values().preloadedBytes())
                / BYTES_PER_GB
            : 0,
        asked,
        zones(run, asked));
  }

  private static List<String> zones(DatabaseRun run, List<Integer> asked) {
    ServerInfo servers = run.manifest().store().servers();
    Optional<List<String>> all =
        servers.are(Hosting.AGENTS)
            ? Optional.of(servers.machines())
            : run.zones().map(RunZones::members);
    return all.map(zones -> asked.stream().map(member -> zones.get(member - 1)).toList())
        .orElse(List.of());
  }

  /** Returns the members with connections, as chosen by the routing, in turn. */
  static List<Integer> asked(DatabaseRun run) {
    ServerInfo servers = run.manifest().store().servers();
    Routing routing = run.manifest().load().routing();
    int connections = run.manifest().load().steps().get(0).connections();
    int leader = servers.leaderNumber();
    if ((routing == Routing.LEADER || routing == Routing.FOLLOWERS) && leader == 0) {
      return List.of();
    }
    return IntStream.rangeClosed(1, servers.members().size())
        .filter(
            member ->
                switch (routing) {
                  case LEADER -> member == leader;
                  case FOLLOWERS -> member != leader;
                  case SPREAD -> true;
                  case NEAREST ->
                      run.zones().filter(zones -> zones.nearest().contains(member)).isPresent();
                  case NON_VOTER ->
                      servers
                          .nonVoters()
                          .orElse(List.of())
                          .contains(servers.members().get(member - 1));
                })
        .limit(connections)
        .boxed()
        .toList();
  }

  String server() {
    String numbers = asked.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return asked.isEmpty() ? "-" : (asked.size() == 1 ? "member " : "members ") + numbers;
  }

  String zone() {
    return zones.isEmpty() ? "-" : zones.stream().distinct().collect(Collectors.joining(", "));
  }
}
