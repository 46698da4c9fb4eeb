// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.gatling.commons.util.DefaultClock;
import io.gatling.core.actor.ActorSystem;
import io.gatling.core.config.GatlingConfiguration;
import io.gatling.core.pause.Disabled$;
import io.gatling.core.scenario.SimulationParams;
import io.gatling.core.stats.DataWritersStatsEngine;
import io.gatling.core.stats.StatsEngine;
import io.gatling.core.stats.writer.RunMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import scala.Option;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;

/** Gatling's own statistics, configured as in a run: they write {@code simulation.log}. */
public final class GatlingStatistics implements AutoCloseable {
  private final Path directory;
  private final ActorSystem actors = new ActorSystem();
  private final StatsEngine engine;

  public GatlingStatistics() throws IOException {
    directory = Files.createTempDirectory("quorate-jmh");
    DefaultClock clock = new DefaultClock();
    SimulationParams simulation =
        new SimulationParams(
            "benchmark",
            List$.MODULE$.empty(),
            Map$.MODULE$.empty(),
            Disabled$.MODULE$,
            List$.MODULE$.empty(),
            Option.empty(),
            List$.MODULE$.empty(),
            Option.empty(),
            Option.empty());
    RunMessage run =
        new RunMessage("benchmark", "benchmark", clock.nowMillis(), "", "", ZoneOffset.UTC);
    engine =
        DataWritersStatsEngine.apply(
            simulation, run, actors, clock, Option.apply(directory), GatlingConfiguration.load());
    engine.start();
  }

  public StatsEngine engine() {
    return engine;
  }

  @Override
  public void close() throws IOException {
    actors.close();
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
