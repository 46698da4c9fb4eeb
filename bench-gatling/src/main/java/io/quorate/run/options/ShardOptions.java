// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.results.manifest.RunStatus;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.shard.Barrier;
import io.quorate.shard.Heartbeat;
import io.quorate.shard.ShardCompletion;
import io.quorate.store.Security;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * The options of one of several load generators that generate a load together.
 *
 * @param shard this shard; empty for the only load generator
 * @param startAt start of the first step; empty for as soon as possible
 * @param barrier directory in which the shards wait for each other; empty for none
 */
public record ShardOptions(
    Optional<Shard> shard, Optional<Instant> startAt, Optional<Path> barrier) {
  static final String SHARD = "shard";

  /**
   * Variable with the number of shards, for the Pods of an indexed Job of Kubernetes, which are
   * numbered from 0.
   */
  private static final String SHARDS_VARIABLE = "QUORATE_SHARDS";

  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  static ShardOptions read(OptionReader options, Path directory) {
    return new ShardOptions(
        options.read(SHARD, Shard::parse),
        options.read("start-at", "a time such as 2026-11-22T12:00:00Z", ShardOptions::time),
        options.read("barrier", directory::resolve));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text.strip()).toInstant());
    } catch (DateTimeParseException other) {
      return Optional.empty();
    }
  }

  /** Sets the option from the environment, if that contains the number of this shard. */
  static void addFromEnvironment(Properties properties, Map<String, String> environment) {
    String count = environment.get(SHARDS_VARIABLE);
    if (count == null || properties.getProperty(SHARD) != null) {
      return;
    }
    String index = environment.getOrDefault(INDEX_VARIABLE, "");
    if (!index.matches("\\d{1,4}") || !count.matches("\\d{1,4}")) {
      throw new QuorateException(
          "found %s=%s and %s=%s, expected how many shards there are and the number of this one, from 0: 8 and 0 to 7; or give --shard 1/8"
              .formatted(
                  SHARDS_VARIABLE, VisibleText.of(count), INDEX_VARIABLE, VisibleText.of(index)));
    }
    properties.setProperty(SHARD, Integer.parseInt(index) + 1 + "/" + Integer.parseInt(count));
  }

  public void requireFuture(Instant now) {
    QuorateException.throwIf(
        startAt
            .filter(now::isAfter)
            .map(
                past ->
                    "start-at: found %s, expected a time to come: it is %s now"
                        .formatted(past, now)));
  }

  /** Meets the other shards in the directory; empty without one. */
  public Optional<Barrier> enter(LoadShare sharded, Consumer<String> say) {
    return barrier.map(
        directory ->
            Barrier.enter(directory, sharded.shard(), identity(sharded), Barrier.PATIENCE, say));
  }

  /** Shows the other shards that this one runs, until it is closed; empty without a barrier. */
  public Optional<Heartbeat> showLife() {
    return shard.flatMap(own -> barrier.map(directory -> new Heartbeat(directory, own)));
  }

  /**
   * Publishes the end of this shard's run and its status, for commands that wait for all shards.
   */
  public void publishCompletion(Path run, RunStatus status) {
    if (shard.isEmpty() || barrier.isEmpty()) {
      return;
    }
    if (status == RunStatus.COMPLETE) {
      ShardCompletion.publishCompletion(barrier.get(), shard.get(), run);
    } else if (status == RunStatus.INTERRUPTED) {
      // a failed shard has reported that itself, or its place belonged to another one
      ShardCompletion.publishFailure(barrier.get(), shard.get(), "its load generator was killed");
    }
  }

  /** Returns a text that is the same for all shards of a run. */
  private static String identity(LoadShare sharded) {
    Scenario whole = sharded.wholeScenario();
    return String.join(
        " ",
        sharded.whole().database().id(),
        whole.heading().name(),
        Double.toString(whole.scale()),
        Long.toString(whole.requests().seed()),
        Integer.toHexString(whole.heading().source().hashCode()));
  }

  /** Returns the name of a run in the keys of an existing cluster, the same for all shards. */
  String runName(LoadShare sharded, String proposal) {
    if (shard.isPresent() && barrier.isPresent()) {
      return Barrier.agree(barrier.get(), "run-name", proposal);
    }
    return shard.isPresent() && startAt.isPresent()
        ? RunSettings.name((identity(sharded) + " " + startAt.get()).hashCode())
        : proposal;
  }

  /** Returns the shard of the load that this load generator generates. */
  public Shard shardOrDefault() {
    return shard.orElse(Shard.WHOLE);
  }

  void check(Scenario scenario, RunSettings settings) {
    List<String> problems = new ArrayList<>();
    if (shard.isEmpty() && (startAt.isPresent() || barrier.isPresent())) {
      problems.add(
          "shard: found %s without it, which are for several load generators: give --shard 1/8, or leave them out"
              .formatted(startAt.isPresent() ? "a start time" : "a barrier"));
    }
    if (shard.isPresent()) {
      servers(scenario, settings.servers()).ifPresent(problems::add);
    }
    if (shard.isPresent()
        && (settings.capacity().isWanted() || scenario.goals().capacity().isPresent())) {
      problems.add(
          "capacity: found a search by a shard, which knows nothing of what the others found: leave"
              + " out --shard");
    }
    QuorateException.throwIfAny(problems);
  }

  private Optional<String> servers(Scenario scenario, ServerOptions servers) {
    if (!scenario.cluster().agents().isEmpty() && servers.agents().isEmpty()) {
      return Optional.of(
          "agents: every shard would start servers. Remove 'agents' from the scenario, and "
              + "pass --agents to one shard");
    }
    if (!scenario.cluster().agents().isEmpty() && barrier.isEmpty()) {
      return Optional.of(
          "agents: a shard with agents announces its servers in a barrier. Pass --barrier "
              + "DIR to all shards");
    }
    if (servers.endpoints().isEmpty() && barrier.isEmpty()) {
      return Optional.of(
          "endpoints: a shard starts no servers. Pass --endpoints HOST:PORT,..., "
              + "or --barrier to all shards and --agents to one");
    }
    return scenario.cluster().security() == Security.NONE || !servers.endpoints().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "security: found %s, but keys and passwords of servers that agents start are known to one shard only: leave it out, or name servers of your own with --endpoints"
                .formatted(scenario.cluster().security().id()));
  }

  void refuseMatrix() {
    if (shard.isPresent()) {
      throw new QuorateException(
          "shard: found a scenario with a matrix or repeats, whose runs one load generator makes one"
              + " after the other: leave out --shard, or give the file of one of its cells, or"
              + " --repeats 1");
    }
  }
}
