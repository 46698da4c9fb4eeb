// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StepUsage;
import io.quorate.results.requests.ClientResults;
import io.quorate.run.LoadGenerator;
import io.quorate.run.options.RunSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Measures Quorate's load generator as in every run, with Gatling, recorder and statistics. */
final class QuorateItself implements ComparedTool {
  private static final double NANOS_PER_MICRO = 1000;

  private final Store database;
  private final Properties properties;

  /**
   * Prepares a measurement.
   *
   * @param properties settings with the scenario, see {@link RunSettings}
   */
  QuorateItself(Store database, Properties properties) {
    this.database = database;
    this.properties = properties;
  }

  @Override
  public String name() {
    return "quorate";
  }

  @Override
  public Figures measure(Endpoint server, Path directory) {
    Properties own = new Properties();
    own.putAll(properties);
    own.setProperty("endpoints", server.toString());
    RunDirectory run = new RunDirectory(directory);
    DatabaseDirectory results = run.createDatabase(database.id());
    LoadGenerator generator =
        LoadGenerator.start(RunSettings.of(own).planned(), database, run, List.of());
    try {
      generator.process().waitFor();
    } catch (InterruptedException asked) {
      generator.stop();
      Thread.currentThread().interrupt();
      throw new QuorateException("interrupted", asked);
    }
    return figures(DatabaseRun.read(results.path()));
  }

  private static Figures figures(DatabaseRun run) {
    ClientResults results = run.clients().orElse(null);
    if (run.manifest().status() != RunStatus.COMPLETE
        || results == null
        || results.successCount() == 0
        || results.requestsPerSecond().isEmpty()
        || results.errorCount() > 0) {
      throw new QuorateException("the load generator failed, see " + run.directory());
    }
    StepUsage cost = run.manifest().costs().get(0);
    return new Figures(
        results.requestsPerSecond().getAsDouble(),
        cost.cpuNanosPerRequest() / NANOS_PER_MICRO,
        LatencySummary.of(results.latencies(any -> true, Optional.empty()), run.latencies().all())
            .percentileMs(Percentile.P50));
  }
}
