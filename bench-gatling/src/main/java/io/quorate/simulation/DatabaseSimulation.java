package io.quorate.simulation;

import io.gatling.javaapi.core.Simulation;
import io.quorate.QuorateException;
import io.quorate.gatling.KeyValueProtocol;
import io.quorate.gatling.LoadShape;
import io.quorate.run.Console;
import io.quorate.run.RunningDatabase;
import io.quorate.run.options.RunSettings;
import io.quorate.store.Store;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs the load of a scenario on one database: servers, preparation and warm-up before, the
 * measured steps as Gatling populations, files after. Settings come from system properties, see
 * {@link RunSettings}. The subclasses choose the database by their names.
 */
@SuppressWarnings("this-escape") // Gatling wants populations to be set up in the constructor
public class DatabaseSimulation extends Simulation {
  private final RunningDatabase experiment;

  /** Creates the simulation of the database that {@code -Ddatabase=} names. */
  public DatabaseSimulation() {
    this(Optional.empty());
  }

  DatabaseSimulation(Store database) {
    this(Optional.of(database));
  }

  private DatabaseSimulation(Optional<Store> chosen) {
    experiment =
        orExit(
            () -> {
              RunSettings settings = RunSettings.of(System.getProperties());
              return new RunningDatabase(settings, chosen.orElseGet(settings::onlyDatabase));
            });
    Store database = experiment.database();
    setUp(LoadShape.stairs(database, experiment.scenario().mix(), experiment.load()))
        .protocols(new KeyValueProtocol(experiment.clock()));
  }

  @Override
  public final void before() {
    orExit(
        () -> {
          experiment.open();
          return experiment;
        });
  }

  @Override
  public final void after() {
    orExit(
        () -> {
          experiment.finish();
          return experiment;
        });
  }

  /** Exits on a failure that a person can act on, which Gatling would wrap into a stack trace. */
  private static <T> T orExit(Supplier<T> work) {
    try {
      return work.get();
    } catch (QuorateException failure) {
      Console.lines(failure.getMessage());
      System.exit(1);
      throw failure;
    }
  }
}
