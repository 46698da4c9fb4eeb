// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.Named;
import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Conditions that have to be the same in runs that are compared. */
public enum Condition implements Named {
  OPERATIONS(true, manifest -> manifest.load().operations()),
  LOAD(true, manifest -> load(manifest.load())),
  SCALE(true, manifest -> Double.toString(manifest.scenario().scale())),
  KEYS(true, manifest -> keys(manifest.load().keys())),
  VALUES(true, manifest -> manifest.load().values().toString()),
  READS(true, manifest -> manifest.load().consistency().toString()),
  ROUTING(true, manifest -> routing(manifest.load())),
  TIMEOUT(true, manifest -> manifest.load().requestTimeout().toMillis() + " ms"),
  CLIENT(true, manifest -> manifest.load().client().name()),
  SEED(false, manifest -> Long.toString(manifest.load().seed())),
  REAL_TIME(false, manifest -> manifest.load().realTimeText()),
  MEMBERS(false, Condition::members),
  SECURITY(
      false,
      manifest -> manifest.store().servers().secured().map(each -> each.security()).orElse("none")),
  LOAD_GENERATORS(false, manifest -> Integer.toString(Math.max(1, manifest.shards().size()))),
  HOST(false, manifest -> manifest.host().host().orElse("unknown")),
  CORES(false, manifest -> Integer.toString(manifest.host().cores())),
  CPU(false, manifest -> manifest.host().cpuModel().orElse("unknown")),
  MEMORY(false, manifest -> memory(manifest.host())),
  FILE_SYSTEM(
      false, manifest -> manifest.host().disk().orElse("unknown").replaceFirst(" on .*", "")),
  CONTAINER(false, manifest -> manifest.host().container().orElse("no limits")),
  KERNEL(false, manifest -> manifest.host().kernel() + " of " + manifest.host().os()),
  JAVA(false, manifest -> manifest.host().jvmVersion()),
  JAVA_OPTIONS(false, manifest -> memoryOptions(manifest.host())),
  QUORATE(false, Condition::quorate);

  private static final int SHORT_COMMIT = 8;
  private static final double GIBIBYTE = 1L << 30;
  private static final String MEMORY_OPTION = "-X(m[sxn]|ss|X:[+-]?(New|Max|Use.*GC|.*Heap)).*";

  /** Connections of a rate, and requests in flight, if a scenario does not choose them. */
  private static final int USUAL_CONNECTIONS = 100;

  private static final int USUAL_OUTSTANDING = 10_000;

  private final boolean ofLoad;
  private final Function<Manifest, String> value;

  Condition(boolean ofLoad, Function<Manifest, String> value) {
    this.ofLoad = ofLoad;
    this.value = value;
  }

  /** Returns the ids of the conditions that describe the load, and not where it was sent. */
  public static List<String> ofLoad() {
    return Arrays.stream(values()).filter(each -> each.ofLoad).map(Condition::id).toList();
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Condition::id).toList();
  }

  /** Returns how a scenario was run, as far as its file does not say it. */
  public static List<String> ofOptions(Manifest manifest) {
    return Stream.of(
            SCALE, CLIENT, REAL_TIME, MEMBERS, SECURITY, LOAD_GENERATORS, CONTAINER, JAVA_OPTIONS)
        .map(each -> each.value.apply(manifest))
        .toList();
  }

  /** Returns all conditions of a run, by their ids. */
  static Map<String, String> of(Manifest manifest) {
    Map<String, String> conditions = new LinkedHashMap<>();
    for (Condition each : values()) {
      conditions.put(each.id(), each.value.apply(manifest));
    }
    return conditions;
  }

  private static String routing(LoadInfo load) {
    boolean moves = load.onFailure() == ConnectionBinding.FAILOVER;
    return load.routing() + (moves ? ", " + load.onFailure() : "");
  }

  private static String load(LoadInfo load) {
    return load.steps().stream().map(Condition::step).collect(Collectors.joining("; "));
  }

  private static String step(Step step) {
    return step.load()
        + special(step)
        + step.duration().map(length -> " for " + length.toSeconds() + " s").orElse("")
        + (step.endsByTime() ? "" : ", " + step.requests() + " requests");
  }

  /** Returns what of a load differs from the defaults, so that earlier conditions stay equal. */
  private static String special(Step step) {
    String connections = ", " + NumberFormats.count(step.connections(), "connection");
    if (step.model() instanceof LoadModel.Open open) {
      return (step.connections() == USUAL_CONNECTIONS ? "" : connections)
          + (open.arrivals() == LoadModel.Arrivals.CONSTANT ? "" : ", " + open.arrivals().id())
          + (open.maxOutstanding() == USUAL_OUTSTANDING
              ? ""
              : ", at most " + NumberFormats.commas(open.maxOutstanding()) + " in flight");
    }
    LoadModel.Closed closed = (LoadModel.Closed) step.model();
    return (step.connections() == closed.clients() ? "" : connections)
        + (closed.limitPerSecond().isEmpty()
            ? ""
            : ", at most " + NumberFormats.commas(closed.limitPerSecond().getAsLong()) + "/s");
  }

  private static String keys(KeySpace keys) {
    String order =
        keys.order() == KeySpace.Order.HOTSPOT
            ? "hot set of %d%% with %d%% of the requests"
                .formatted(keys.hotSet().keysPercent(), keys.hotSet().requestsPercent())
            : keys.order().id();
    return "%s of %d bytes, from %s, %s%s%s"
        .formatted(
            NumberFormats.count(keys.count(), "key"),
            keys.sizeBytes(),
            NumberFormats.commas(keys.first()),
            order,
            keys.prepared() ? ", written before" : "",
            keys.ends());
  }

  private static String members(Manifest manifest) {
    ServerInfo servers = manifest.store().servers();
    String count =
        servers.members().size()
            + servers
                .nonVoters()
                .map(each -> " (%d without a vote)".formatted(each.size()))
                .orElse("");
    return switch (servers.hosting().orElse(ServerInfo.Hosting.LOCAL)) {
      case LOCAL -> count + " on the host of the load generator";
      case GIVEN -> count + " of a cluster at " + String.join(", ", servers.members());
      case AGENTS ->
          servers.agents().stream()
              .map(
                  agent ->
                      agent.host().orElse(agent.address()) + " (kernel " + agent.kernel() + ")")
              .collect(Collectors.joining(", ", count + " on ", ""));
    };
  }

  /** Returns whole GiB, as kernels reserve some memory, and not always equally much. */
  private static String memory(HostInfo host) {
    return host.memoryBytes().isEmpty()
        ? "unknown"
        : Math.round(host.memoryBytes().getAsLong() / GIBIBYTE) + " GiB";
  }

  private static String memoryOptions(HostInfo host) {
    return host.jvmFlags().stream()
        .filter(flag -> flag.matches(MEMORY_OPTION))
        .collect(Collectors.joining(" "));
  }

  private static String quorate(Manifest manifest) {
    return manifest.suite().version().orElse("unknown")
        + manifest
            .suite()
            .commit()
            .map(id -> " (" + id.substring(0, Math.min(SHORT_COMMIT, id.length())) + ")")
            .orElse("");
  }
}
