// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.StepMeasurement;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Manifests for tests. */
public final class Manifests {
  public static final Instant START = Instant.parse("2026-11-21T07:51:46Z");

  private Manifests() {}

  /** Returns the manifest of a started run of a scenario of etcd, ZooKeeper and Consul. */
  public static Manifest of(String id, String tag, double scale, long requests) {
    return new Manifest(
        RunStatus.INTERRUPTED,
        Optional.empty(),
        START,
        Optional.empty(),
        new BuildInfo(Optional.of("0.1.0"), Optional.of("f9c4a351"), true),
        new ScenarioInfo(
            "quick",
            "Quick look",
            scale,
            List.of("etcd", "zookeeper", "consul"),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            "title: Quick\n"),
        new StoreInfo(
            id,
            tag,
            servers(
                Optional.of("3.6.16"),
                List.of("10.0.0.1:2379", "10.0.0.2:2379"),
                Optional.of("10.0.0.2:2379")),
            Map.of()),
        load(Steps.closed(10, 2, requests)),
        new HostInfo(
            Optional.of("bench-1"),
            "Debian GNU/Linux 12 (bookworm)",
            "6.1.0-18-amd64",
            2,
            Optional.empty(),
            OptionalLong.of(8_000_000_000L),
            Optional.empty(),
            Optional.empty(),
            "17.0.15+6",
            "Debian",
            List.of("-Xmx256m"),
            Optional.empty()),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.of(FileVersions.written()),
        Optional.empty());
  }

  /**
   * Returns that manifest for a run with these steps; what of its requests was not measured is
   * asked of the last one.
   */
  public static Manifest withSteps(Manifest manifest, List<StepMeasurement> measured) {
    if (measured.isEmpty()) {
      return manifest;
    }
    List<Step> steps = new ArrayList<>();
    long left = manifest.load().requests();
    for (StepMeasurement each : measured) {
      long errors = each.errors().stream().mapToLong(ErrorTally::count).sum();
      boolean last = steps.size() + 1 == measured.size();
      long requests = last ? left : each.successes().count() + errors;
      steps.add(Steps.closed(each.clients(), 1, requests));
      left -= requests;
    }
    return withLoad(manifest, load(manifest.load().mix(), steps));
  }

  /** Returns that manifest with another load. */
  public static Manifest withLoad(Manifest manifest, LoadInfo load) {
    return new Manifest(
        manifest.status(),
        manifest.reason(),
        manifest.start(),
        manifest.end(),
        manifest.suite(),
        manifest.scenario(),
        manifest.store(),
        load,
        manifest.host(),
        manifest.costs(),
        manifest.verification(),
        Optional.empty(),
        List.of(),
        manifest.files(),
        manifest.sizes());
  }

  /** Returns facts about servers that nothing protects, and that came to be in an unknown way. */
  public static ServerInfo servers(
      Optional<String> version, List<String> members, Optional<String> leader) {
    return new ServerInfo(
        version,
        members,
        leader,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Puts with these steps. */
  public static LoadInfo load(Step... steps) {
    return load(OperationMix.of(Operation.PUT), List.of(steps));
  }

  /** Returns a load of the default client. */
  public static LoadInfo load(OperationMix mix, List<Step> steps) {
    return new LoadInfo(
        mix,
        ReadConsistency.LINEARIZABLE,
        Routing.SPREAD,
        Duration.ofSeconds(5),
        42,
        8,
        256,
        steps,
        new LoadInfo.ClientName("http2", true),
        new KeySpace(8, KeySpace.Order.SEQUENTIAL, 1000, false, KeySpace.USUAL_HOT_SET),
        Optional.empty(),
        ConnectionBinding.PINNED,
        Optional.empty(),
        Optional.empty());
  }
}
