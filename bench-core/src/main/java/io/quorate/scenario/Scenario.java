// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.QuorateException;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A benchmark scenario: the requests, the databases and the clients. Read from a YAML file by
 * {@code ScenarioReader}; see {@code src/site/markdown/reference/scenario-keys.md}.
 *
 * @param requests requests, which are the same for all databases
 * @param databases databases in the order of the columns, each once
 * @param faults faults that the run causes; empty for none
 * @param scale part of its requests, or of its duration, that is run, above 0 and at most 1. It is
 *     below 1 only by an option of the command line, and then every output shows it
 */
public record Scenario(
    Heading heading,
    Requests requests,
    ClusterSpec cluster,
    List<StoreLoad> databases,
    Goals goals,
    Optional<FaultPlan> faults,
    double scale) {
  /** Maximum number of requests of a database, or of a step that ends by time. */
  public static final long MAX_REQUESTS = 1_000_000_000;

  /** Most keys that a search writes instead of the keys that requests would create. */
  private static final long MAX_PROBED_KEYS = 100_000;

  /**
   * Returns the closed loop that precedes a search for a capacity: the scenario's largest number of
   * clients, for a given time. All keys are written before, so that the store is not empty and does
   * not grow. If requests would create keys, at most {@value #MAX_PROBED_KEYS} keys are written. It
   * has no limits, as the search has its own.
   *
   * @throws QuorateException if the scenario cannot be searched
   */
  public Scenario asProbe(Duration duration) {
    KeySpace keys = requests.keys();
    QuorateException.throwIf(
        (anyStep(Step::isPhase)
                ? Optional.of("phases or groups")
                : obstacleToSearch(
                    requests.mix().removesEachKey(),
                    isWatched() && keys.resources().isEmpty(),
                    requests.values().growing()))
            .map(
                found ->
                    "scenario %s: found %s, of which no capacity can be searched: leave it out"
                        .formatted(heading.name(), found)));
    long count = keys.prepared() ? keys.count() : Math.min(keys.count(), MAX_PROBED_KEYS);
    List<StoreLoad> probes =
        databases.stream()
            .map(load -> new StoreLoad(load.column(), List.of(probe(load, duration))))
            .toList();
    KeySpace written =
        new KeySpace(keys.sizeBytes(), keys.order(), count, true, keys.hotSet())
            .ending(keys.ttl())
            .of(keys.resources());
    return new Scenario(
        heading,
        requests.with(MAX_REQUESTS, requests.warmUp(), written),
        cluster,
        probes,
        goals.withoutLimits(),
        faults,
        scale);
  }

  /** Returns the reason why a capacity cannot be searched; empty if it can. */
  public static Optional<String> obstacleToSearch(boolean deletes, boolean watched, boolean grows) {
    return watched
        ? Optional.of("'watch'")
        : deletes
            ? Optional.of("the operation 'delete'")
            : Optional.of("values that grow").filter(any -> grows);
  }

  private static Step probe(StoreLoad load, Duration duration) {
    int clients = load.steps().stream().mapToInt(Step::clients).max().orElseThrow();
    int connections = load.steps().stream().mapToInt(Step::connections).max().orElseThrow();
    return new Step(
        new LoadModel.Closed(clients, OptionalLong.empty()),
        connections,
        Scenario.MAX_REQUESTS,
        Optional.of(duration));
  }

  /** Returns this scenario with other agents, whose number is the number of members. */
  public Scenario withAgents(List<Endpoint> others) {
    return new Scenario(
        heading, requests, cluster.withAgents(others), databases, goals, faults, scale);
  }

  Scenario with(Requests others, Goals otherGoals) {
    return new Scenario(heading, others, cluster, databases, otherGoals, faults, scale);
  }

  /**
   * Returns the load of one database. A database that the file does not name gets the load of the
   * others, if it is the same for all of them, otherwise none.
   *
   * @throws QuorateException if the database cannot do all operations of the scenario
   */
  public Optional<StoreLoad> load(Store database) {
    List<UnsupportedFeature> unsupported =
        new ArrayList<>(UnsupportedFeature.of(requests.mix(), database));
    UnsupportedFeature.ofReads(requests.mix(), requests.consistency(), database)
        .ifPresent(unsupported::add);
    if (requests.keys().ttl().isPresent()) {
      UnsupportedFeature.ofTtl(database, database.clients().get(0)).ifPresent(unsupported::add);
    }
    if (isWatched()) {
      UnsupportedFeature.ofWatchers(
              database,
              requests.keys().count() == 1 && !requests.mix().isIdentifiedByValue(),
              anyStep(step -> step.watch().filter(WatchLoad::isOfHistory).isPresent()))
          .ifPresent(unsupported::add);
      UnsupportedFeature.ofEvents(
              requests.mix(),
              anyStep(step -> step.watch().filter(WatchLoad::isDetailed).isPresent()),
              database)
          .ifPresent(unsupported::add);
    }
    if (!unsupported.isEmpty()) {
      throw new QuorateException(
          unsupported.stream()
              .map(each -> "found " + each.found() + ", expected " + each.expected())
              .collect(Collectors.joining("; ", "scenario " + heading.name() + ": ", "")));
    }
    QuorateException.throwIf(
        obstacleTo(cluster.security(), database)
            .map(
                why ->
                    "scenario %s: security: %s is not supported by %s: %s"
                        .formatted(heading.name(), cluster.security(), database, why)));
    if (cluster.topology().isPresent() && !database.hasServers()) {
      throw new QuorateException(
          "scenario %s: found a topology with %s, which is in the load generator"
              .formatted(heading.name(), database));
    }
    return databases.stream()
        .filter(load -> load.database().equals(database))
        .findFirst()
        .or(() -> ofBase(database))
        .or(() -> sharedSteps().map(steps -> new StoreLoad(database, steps)));
  }

  /**
   * Returns the reason why a store does not support this security, a sentence without a full stop;
   * empty if it does.
   */
  public static Optional<String> obstacleTo(Security security, Store database) {
    return security == Security.NONE ? Optional.empty() : database.obstacleToTls();
  }

  /** Returns the load of one database as {@link #load} does; it must exist. */
  public StoreLoad requireLoad(Store database) {
    return load(database)
        .orElseThrow(
            () ->
                new QuorateException(
                    ("scenario %s has no load for %s: it names %s, each with a separate "
                            + "load; copy the file and add %s")
                        .formatted(
                            heading.name(),
                            database,
                            databases.stream().map(StoreLoad::database).toList(),
                            database)));
  }

  /** Returns the title, with the part of the requests that is sent if it is not 1. */
  public String headline() {
    BigDecimal percent = BigDecimal.valueOf(scale).movePointRight(2).stripTrailingZeros();
    return scale == 1
        ? heading.title()
        : "%s (scaled to %s%% of its %s)"
            .formatted(
                heading.title(),
                percent.toPlainString(),
                anyStep(step -> step.duration().isPresent()) ? "duration" : "requests");
  }

  /**
   * Returns the time after which no request can succeed any more: its timeout or, if that is
   * longer, the time of the longest fault or of an operation of a session.
   */
  public Duration longestRequest() {
    return Stream.concat(
            faults.stream().flatMap(plan -> plan.kinds().stream()).map(FaultPlan.Kind::length),
            requests.mix().sessions().stream().map(OperationMix.Sessions::longest))
        .reduce(requests.timeout(), (most, each) -> each.compareTo(most) > 0 ? each : most);
  }

  public boolean isWatched() {
    return anyStep(step -> step.watch().isPresent());
  }

  private boolean anyStep(Predicate<Step> has) {
    return databases.stream().flatMap(load -> load.steps().stream()).anyMatch(has);
  }

  private Optional<StoreLoad> ofBase(Store version) {
    return databases.stream()
        .filter(load -> !version.equals(version.base()) && load.database().equals(version.base()))
        .findFirst()
        .map(
            load ->
                new StoreLoad(
                    new Column(version, load.settings(), load.column().client(), Optional.empty()),
                    load.steps()));
  }

  private Optional<List<Step>> sharedSteps() {
    List<List<Step>> different = databases.stream().map(StoreLoad::steps).distinct().toList();
    return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
  }
}
