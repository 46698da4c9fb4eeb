package io.quorate.kubernetes;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The manifests of one run: a scenario that each load generator can run its share of, and the
 * template {@code run.yaml.ftl}.
 *
 * @param scenario as the last shard reads it
 * @param endpoints as load generators get them
 */
record RunManifests(Scenario scenario, Store database, String endpoints) {
  /**
   * Reads and checks the scenario as the last shard would.
   *
   * @param options of {@code quorate run}, as system properties
   * @throws QuorateException with all that is wrong
   */
  static RunManifests of(Properties options) {
    RunSettings settings = RunSettings.of(options);
    Scenario scenario = settings.readScenario();
    Store database = database(settings, scenario);
    settings.share(scenario, database);
    if (!scenario.name().matches("[A-Za-z0-9._-]+")) {
      throw new QuorateException(
          "scenario %s: expected a name of A-Z, a-z, 0-9, '.', '_' and '-', as the keys of a ConfigMap have: rename the file"
              .formatted(VisibleText.quoted(scenario.name())));
    }
    String endpoints =
        settings.servers().endpoints().stream()
            .map(Endpoint::toString)
            .collect(Collectors.joining(","));
    return new RunManifests(scenario, database, endpoints);
  }

  private static Store database(RunSettings settings, Scenario scenario) {
    List<Store> chosen =
        settings.databases().isEmpty()
            ? scenario.databases().stream().map(StoreLoad::database).toList()
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

  /**
   * Returns the input of {@code kubectl apply -f -}, with the next commands as comments.
   *
   * @param values of the template that do not come from the scenario
   */
  String text(Map<String, Object> values) {
    Map<String, Object> model = new HashMap<>(values);
    model.put("scenario", scenario.name());
    model.put("text", scenario.source());
    model.put("database", database.id());
    model.put("endpoints", endpoints);
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(RunManifests.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("c");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    StringWriter text = new StringWriter();
    try {
      configuration.getTemplate("run.yaml.ftl").process(model, text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } catch (TemplateException wrong) {
      throw new IllegalStateException(wrong);
    }
    return text.toString();
  }
}
