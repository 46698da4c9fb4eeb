// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.agent.AgentCluster;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.Member;
import io.quorate.format.NumberFormats;
import io.quorate.host.RemoteMetrics;
import io.quorate.install.Installation;
import io.quorate.network.Link;
import io.quorate.network.RoundTrip;
import io.quorate.network.ZonePair;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.FaultAction.ProcessAction;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The servers of a run: started here or by agents, or an existing cluster.
 *
 * @param agents agents that run the members; empty if there are none
 * @param metrics metrics of members on other machines; empty if agents do not run them
 */
record Servers(
    Cluster cluster,
    ServerInfo.Hosting hosting,
    List<ServerInfo.Agent> agents,
    Optional<RemoteMetrics> metrics) {

  /** Starts the servers of a scenario, or checks the existing cluster; reports its progress. */
  static Servers start(
      StoreLoad load,
      Scenario scenario,
      RunSettings settings,
      ShardStarts shards,
      RunRecord record,
      Consumer<String> say) {
    Store database = load.database();
    if (settings.hosting(scenario) == ServerInfo.Hosting.GIVEN) {
      List<Endpoint> given = settings.servers().endpoints();
      ServerSettings chosen = scenario.requireLoad(database).settings();
      if (!given.isEmpty() && !chosen.isEmpty()) {
        say.accept("existing cluster: ignoring the scenario's server settings: " + chosen);
      }
      List<Endpoint> endpoints = given.isEmpty() ? shards.awaitServers() : given;
      say.accept("using the existing cluster");
      return new Servers(
          ExternalCluster.of(
              database,
              endpoints,
              settings.servers().access(scenario, database),
              scenario.requests().keys().prefix()),
          ServerInfo.Hosting.GIVEN,
          List.of(),
          Optional.empty());
    }
    String members = NumberFormats.count(scenario.cluster().members(), "member");
    if (scenario.cluster().agents().isEmpty() || !database.hasServers()) {
      boolean relayed = scenario.faults().filter(FaultPlan::disturbsNetwork).isPresent();
      boolean piped =
          scenario.faults().flatMap(plan -> plan.first(ProcessAction.BLOCKED_LOG)).isPresent();
      say.accept(database.hasServers() ? "starting " + members : "in this process");
      if (relayed) {
        say.accept("all data of members and clients passes a relay, which causes network faults");
      }
      if (piped) {
        say.accept("the members log every request (debug), through pipes that can be blocked");
      }
      return new Servers(
          LocalCluster.start(
              database,
              scenario.cluster().members(),
              record.directory().path(),
              ClusterSettings.defaults(Installation.of(System.getenv(), System.getProperties()))
                  .withServers(load.settings())
                  .withSecurity(scenario.cluster().security())
                  .withTopology(scenario.cluster().topology())
                  .withTaps(relayed, piped)),
          ServerInfo.Hosting.LOCAL,
          List.of(),
          Optional.empty());
    }
    say.accept("starting " + members + " through agents");
    String runName =
        String.join(
            "-",
            scenario.heading().name(),
            Objects.requireNonNull(record.directory().path().getParent()).getFileName().toString(),
            database.id().replace('@', '-'));
    AgentCluster remote =
        AgentCluster.start(
            database,
            load.settings(),
            scenario.cluster().security(),
            scenario.cluster().agents(),
            settings.servers().agentKeys(scenario),
            runName,
            record.directory());
    return new Servers(
        remote, ServerInfo.Hosting.AGENTS, remote.agents(), Optional.of(remote.metrics()));
  }

  /** Writes the facts about the servers; fails if they have another version than asked for. */
  void record(Scenario scenario, RunRecord record, Consumer<String> say) {
    record.add(manifest -> manifest.withServers(facts()));
    Optional<RunZones> zones = zones(scenario);
    if (zones.isPresent()) {
      zones.get().write(record.directory());
      zones.get().links().forEach(link -> say.accept(link.text()));
    }
    String version = cluster.version();
    Optional<String> asked = cluster.database().version();
    if (asked.isPresent() && !asked.get().equals(version)) {
      throw new QuorateException(
          "found servers of version %s, expected %s"
              .formatted(VisibleText.quoted(version), asked.get()));
    }
    if (!version.isEmpty()) {
      String leader = cluster.leader().map(it -> ", leader " + it.name()).orElse("");
      say.accept("version " + version + leader);
    }
  }

  private ServerInfo facts() {
    return new ServerInfo(
        Optional.of(cluster.version()).filter(version -> !version.isBlank()),
        cluster.members().stream().map(each -> each.endpoint().toString()).toList(),
        cluster.leader().map(each -> each.endpoint().toString()),
        ServerInfo.Secured.of(cluster.access()),
        Optional.of(hosting),
        agents,
        Optional.empty(),
        ownProgram().filter(any -> hosting == ServerInfo.Hosting.LOCAL));
  }

  /** Returns the SHA-256 of the user's own program; empty for releases. */
  private Optional<String> ownProgram() {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    return Stores.servers(cluster.database()).programs().stream()
        .filter(Program::isOwn)
        .findFirst()
        .flatMap(installation::find)
        .map(found -> sha256(found.executable()));
  }

  private static String sha256(Path program) {
    try {
      return new DigestUtils(DigestUtils.getSha256Digest()).digestAsHex(program);
    } catch (IOException failure) {
      throw FileFailure.exception("cannot read " + program, failure);
    }
  }

  /** Returns the zones of the members, with their measured round trips; empty if there are none. */
  private Optional<RunZones> zones(Scenario scenario) {
    Map<String, RoundTrip> found = cluster.roundTrips();
    return scenario
        .cluster()
        .topology()
        .filter(any -> hosting == ServerInfo.Hosting.LOCAL)
        .map(
            topology ->
                new RunZones(
                    topology.name(),
                    topology.zones(),
                    topology.loadGenerator(),
                    topology.made().entrySet().stream()
                        .map(link -> link(link.getKey(), link.getValue(), found))
                        .toList()));
  }

  private static RunZones.Link link(ZonePair zones, Link link, Map<String, RoundTrip> found) {
    RoundTrip measured = Objects.requireNonNull(found.get(zones.toString()));
    return new RunZones.Link(
        zones.toString(),
        link.toString(),
        link.roundTripNanos(),
        measured.pings(),
        measured.leastNanos(),
        measured.medianNanos(),
        measured.p99Nanos());
  }

  /** Returns the members that requests go to, at least one. */
  List<Endpoint> endpoints(Scenario scenario) {
    List<Endpoint> all = cluster.members().stream().map(Member::endpoint).toList();
    return switch (scenario.requests().routing()) {
      case SPREAD -> all;
      case LEADER -> List.of(leader());
      case FOLLOWERS -> {
        Endpoint leading = leader();
        List<Endpoint> others = all.stream().filter(each -> !each.equals(leading)).toList();
        if (others.isEmpty()) {
          throw new QuorateException(
              "%s: the scenario routes to followers, but there is one member only"
                  .formatted(cluster.database()));
        }
        yield others;
      }
    };
  }

  private Endpoint leader() {
    return cluster
        .leader()
        .map(Member::endpoint)
        .orElseThrow(
            () ->
                new QuorateException(
                    "%s: the scenario routes by leadership, but no member says that it leads"
                        .formatted(cluster.database())));
  }
}
