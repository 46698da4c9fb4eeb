// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import io.gatling.javaapi.core.Simulation;
import io.quorate.QuorateException;
import io.quorate.run.Console;
import io.quorate.run.EarlyEnd;
import io.quorate.run.RunningDatabase;
import io.quorate.run.options.RunSettings;

/**
 * Runs the load of a scenario on one database: it starts servers, prepares keys, warms up, runs the
 * measured steps as Gatling populations, and writes the files. Settings come from system
 * properties, see {@link RunSettings}. A store with a subclass has this name in the report of
 * Gatling.
 */
@SuppressWarnings("this-escape") // Gatling requires that populations are set up in the constructor
public class DatabaseSimulation extends Simulation {
  private final RunningDatabase experiment;

  /** Creates the simulation of the database that {@code -Ddatabase=} names. */
  public DatabaseSimulation() {
    experiment = experiment();
    setUp(
        LoadShape.stairs(
            experiment.database(), experiment.scenario().requests().mix(), experiment.load()));
  }

  private static RunningDatabase experiment() {
    try {
      RunSettings settings = RunSettings.of(System.getProperties());
      EarlyEnd early = new EarlyEnd();
      if (settings.shards().shard().isEmpty()) {
        early.listen(settings.run().isEmpty());
      }
      return new RunningDatabase(settings, settings.onlyDatabase(), early);
    } catch (QuorateException failure) {
      exit(failure);
      throw failure;
    }
  }

  @Override
  public final void before() {
    orExit(experiment::open);
  }

  @Override
  public final void after() {
    orExit(experiment::finish);
    experiment.close();
  }

  private static void orExit(Runnable work) {
    try {
      work.run();
    } catch (QuorateException failure) {
      exit(failure);
    }
  }

  /** Exits on a failure that the user can resolve, which Gatling would wrap into a stack trace. */
  private static void exit(QuorateException failure) {
    Console.failure(failure);
    System.exit(1);
  }
}
