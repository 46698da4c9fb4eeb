package io.quorate.simulation;

import io.gatling.javaapi.core.Simulation;
import io.quorate.QuorateException;
import io.quorate.gatling.KeyValueProtocol;
import io.quorate.gatling.LoadShape;
import io.quorate.run.Console;
import io.quorate.run.RunningDatabase;
import io.quorate.run.options.RunSettings;

/**
 * Runs the load of a scenario on the database that {@code -Ddatabase=} names: servers, preparation
 * and warm-up before, the measured steps as Gatling populations, files after. Settings come from
 * system properties, see {@link RunSettings}.
 */
@SuppressWarnings("this-escape") // Gatling wants populations to be set up in the constructor
public final class DatabaseSimulation extends Simulation {
  private RunningDatabase experiment;

  public DatabaseSimulation() {
    orExit(
        () -> {
          RunSettings settings = RunSettings.of(System.getProperties());
          experiment = new RunningDatabase(settings, settings.onlyDatabase());
        });
    setUp(LoadShape.stairs(experiment.database(), experiment.scenario().mix(), experiment.load()))
        .protocols(new KeyValueProtocol(experiment.clock()));
  }

  @Override
  public void before() {
    orExit(experiment::open);
  }

  @Override
  public void after() {
    orExit(experiment::finish);
  }

  /** Exits on a failure that a person can act on, which Gatling would wrap into a stack trace. */
  private static void orExit(Runnable work) {
    try {
      work.run();
    } catch (QuorateException failure) {
      Console.lines(failure.getMessage());
      System.exit(1);
    }
  }
}
