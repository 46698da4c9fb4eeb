package io.quorate.kubernetes;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.DatabaseLoad;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.ShardedLoad;
import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The scenario of a run on Kubernetes, which each of its load generators can make its part of.
 *
 * @param name of the file, without {@code .yaml}
 * @param text of the file
 * @param database that the servers are
 * @param endpoints as they are given to load generators
 */
record CheckedScenario(String name, String text, Store database, String endpoints) {
  private static final String HOME = "quorate.home";
  private static final String DIRECTORY = "quorate.directory";

  /**
   * Reads the scenario as the last of the shards would.
   *
   * @param system properties of this JVM, which say where Quorate and the person are
   * @throws QuorateException with all that is wrong
   */
  static CheckedScenario of(AskedRun asked, Properties system, Instant now) {
    Properties properties = new Properties();
    for (String name : List.of(HOME, DIRECTORY)) {
      properties.setProperty(name, system.getProperty(name, ""));
    }
    properties.setProperty("scenario", asked.scenario());
    properties.setProperty("endpoints", asked.endpoints());
    properties.setProperty("shard", asked.shards() + "/" + asked.shards());
    asked.database().ifPresent(id -> properties.setProperty("database", id));
    asked.scale().ifPresent(part -> properties.setProperty("scale", part));
    asked.startAt().ifPresent(time -> properties.setProperty("start-at", time));
    RunSettings settings = RunSettings.of(properties);
    settings.requireStartAfter(now);
    Scenario scenario = settings.readScenario();
    Store database = database(settings, scenario);
    ShardedLoad.of(
        new Shard(asked.shards(), asked.shards()), scenario, scenario.requireLoad(database));
    requireAccess(asked, scenario, database);
    if (!scenario.name().matches("[A-Za-z0-9._-]+")) {
      throw new QuorateException(
          "scenario %s: expected a name of A-Z, a-z, 0-9, '.', '_' and '-', as the keys of a ConfigMap have: rename the file"
              .formatted(VisibleText.quoted(scenario.name())));
    }
    List<String> endpoints =
        settings.servers().endpoints().stream().map(Endpoint::toString).toList();
    return new CheckedScenario(
        scenario.name(), text(settings), database, String.join(",", endpoints));
  }

  private static Store database(RunSettings settings, Scenario scenario) {
    List<Store> chosen =
        settings.databases().isEmpty()
            ? scenario.databases().stream().map(DatabaseLoad::database).toList()
            : settings.databases();
    if (chosen.size() != 1) {
      throw new QuorateException(
          "endpoints belong to one database, but the run has %s: choose one with --database ID"
              .formatted(chosen));
    }
    if (!chosen.get(0).hasServers()) {
      throw new QuorateException(
          "--database: found '%s', which has no servers: choose another one"
              .formatted(chosen.get(0)));
    }
    return chosen.get(0);
  }

  private static void requireAccess(AskedRun asked, Scenario scenario, Store database) {
    if (scenario.security() == Security.TLS && asked.tlsSecret().isEmpty()) {
      throw new QuorateException(
          "scenario %s has security: tls: name the Secret with the authority of the servers'"
                  .formatted(scenario.name())
              + " certificates with --tls-secret");
    }
    Optional<String> obstacle = database.obstacleToTls();
    if (asked.tlsSecret().isPresent() && obstacle.isPresent()) {
      throw new QuorateException(
          "--tls-secret: %s cannot be reached over TLS: %s".formatted(database, obstacle.get()));
    }
  }

  private static String text(RunSettings settings) {
    ScenarioFile file =
        ScenarioFiles.locate(settings.scenario(), settings.home(), settings.directory());
    try {
      return Files.readString(file.path());
    } catch (IOException impossible) {
      throw new QuorateException(
          VisibleText.of(file.shown()) + ": cannot be read: " + FileFailure.reason(impossible),
          impossible);
    }
  }
}
