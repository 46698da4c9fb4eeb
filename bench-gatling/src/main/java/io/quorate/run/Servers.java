// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.FileFailure;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.agent.AgentCluster;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
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
import io.quorate.scenario.PowerCut;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Capabilities.NonVoters;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(20);

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
      Optional<PowerCut> power = scenario.faults().flatMap(FaultPlan::powerCuts);
      boolean nonVoter = scenario.requests().routing() == Routing.NON_VOTER;
      String further = nonVoter ? ", and one without a vote" : "";
      say.accept(database.hasServers() ? "starting " + members + further : "in this process");
      if (relayed) {
        say.accept("all data of members and clients passes a relay, which causes network faults");
      }
      if (piped) {
        say.accept("the members log every request (debug), through pipes that can be blocked");
      }
      if (power.isPresent()) {
        say.accept("the data is on " + power.get().text());
        record.add(manifest -> manifest.withHost(manifest.host().withDisk(power.get().text())));
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
                  .withNonVoter(nonVoter)
                  .withTaps(new ClusterSettings.Taps(relayed, piped, power))),
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
    record.add(manifest -> manifest.withServers(facts(scenario)));
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

  private ServerInfo facts(Scenario scenario) {
    return new ServerInfo(
        Optional.of(cluster.version()).filter(version -> !version.isBlank()),
        cluster.members().stream().map(each -> each.endpoint().toString()).toList(),
        cluster.leader().map(each -> each.endpoint().toString()),
        ServerInfo.Secured.of(cluster.access()),
        Optional.of(hosting),
        agents,
        Optional.empty(),
        ownProgram().filter(any -> hosting == ServerInfo.Hosting.LOCAL),
        Optional.of(scenario)
            .filter(asked -> asked.requests().routing() == Routing.NON_VOTER)
            .map(any -> endpoints(members(false)).stream().map(Endpoint::toString).toList()));
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
      case NEAREST ->
          scenario.cluster().topology().orElseThrow().nearest().stream()
              .map(member -> all.get(member - 1))
              .toList();
      case NON_VOTER -> nonVoters();
    };
  }

  private List<Endpoint> nonVoters() {
    List<Endpoint> found = endpoints(members(false));
    if (found.isEmpty()) {
      throw new QuorateException(
          "%s: the scenario routes to members without a vote, but all of these have one: %s"
              .formatted(cluster.database(), endpoints(cluster.members())));
    }
    NonVoters can = cluster.database().capabilities().nonVoters();
    if (can.onlyStaleReads() && cluster.access().login() != Login.NONE) {
      throw new QuorateException(
          "%s: %s: use a certificate, not a password".formatted(cluster.database(), can.reason()));
    }
    return found;
  }

  private List<Member> members(boolean voting) {
    return cluster.members().stream()
        .filter(each -> cluster.protocol().isNonVoter(each) != voting)
        .toList();
  }

  private static List<Endpoint> endpoints(List<Member> members) {
    return members.stream().map(Member::endpoint).toList();
  }

  /**
   * Returns the members that keys are written to before the load and read back from after it: those
   * of the requests, if they have a vote.
   */
  List<Endpoint> writers(Scenario scenario, List<Endpoint> ofRequests) {
    if (scenario.requests().routing() != Routing.NON_VOTER) {
      return ofRequests;
    }
    List<Endpoint> voters = endpoints(members(true));
    if (voters.isEmpty()) {
      throw new QuorateException(
          "%s: none of the endpoints has a vote: name one more, which keys are written to"
              .formatted(cluster.database()));
    }
    return voters;
  }

  /** Waits until members without a vote have the keys that were written, if they get requests. */
  void awaitKeys(Scenario scenario) {
    if (scenario.requests().routing() != Routing.NON_VOTER) {
      return;
    }
    MemberProtocol protocol = cluster.protocol();
    long written = members(true).stream().mapToLong(protocol::applied).max().orElse(0);
    long deadline = System.nanoTime() + CATCH_UP_LIMIT.toNanos();
    for (Member each : members(false)) {
      while (protocol.applied(each) < written) {
        if (System.nanoTime() > deadline) {
          throw new QuorateException(
              "%s has not received the keys within %d s"
                  .formatted(each.name(), CATCH_UP_LIMIT.toSeconds()));
        }
        Pause.of(LOOK, each.name() + " to receive the keys");
      }
    }
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
