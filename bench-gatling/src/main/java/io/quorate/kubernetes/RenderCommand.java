// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.Problems;
import io.quorate.run.options.RunOptions;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "render", resourceBundle = "io.quorate.run.options.commands")
final class RenderCommand extends QuorateCommand implements Callable<Integer> {
  private static final int MAX_NAME_BEGINNING = 27;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String SCENARIO = "scenario";
  private static final String ENDPOINTS = "endpoints";
  private static final String PULL_SECRET = "--image-pull-secret";
  private static final String NODE_SELECTOR = "--node-selector";
  private static final String CERTIFICATE_SECRET = "--client-certificate-secret";

  @Option(names = "--scenario", required = true, paramLabel = "SCENARIO")
  private String scenario;

  @Option(names = "--shards", defaultValue = "1", paramLabel = "N")
  private int shards;

  @Option(names = "--endpoints", required = true, paramLabel = "HOST:PORT")
  private String endpoints;

  @Option(names = "--database", paramLabel = "ID")
  private Optional<String> database;

  @Option(names = "--scale", paramLabel = "PART")
  private Optional<String> scale;

  @Option(names = "--name", paramLabel = "NAME")
  private Optional<String> name;

  @Option(names = "--namespace", paramLabel = "NAMESPACE")
  private Optional<String> namespace;

  @Option(names = "--image", defaultValue = "quorate", paramLabel = "IMAGE")
  private String image;

  @Option(names = "--claim", paramLabel = "CLAIM")
  private Optional<String> claim;

  @Option(names = "--storage-class", paramLabel = "CLASS")
  private Optional<String> storageClass;

  @Option(names = "--storage-size", paramLabel = "SIZE")
  private Optional<String> storageSize;

  @Option(names = "--ttl", paramLabel = "SECONDS")
  private Optional<String> ttl;

  @Option(names = "--image-pull-secret", paramLabel = "SECRET")
  private List<String> imagePullSecrets = List.of();

  @Option(names = "--node-selector", paramLabel = "LABEL=VALUE")
  private List<String> nodeSelectors = List.of();

  @Option(names = "--servers", paramLabel = "LABEL=VALUE")
  private Optional<String> servers;

  @Option(names = "--cpus", defaultValue = "2", paramLabel = "CPUS")
  private String cpus;

  @Option(names = "--memory", defaultValue = "4Gi", paramLabel = "MEMORY")
  private String memory;

  @Option(names = "--tls-secret", paramLabel = "SECRET")
  private Optional<String> tlsSecret;

  @Option(names = CERTIFICATE_SECRET, paramLabel = "SECRET")
  private Optional<String> clientCertificateSecret;

  @Option(names = "--credentials-secret", paramLabel = "SECRET")
  private Optional<String> credentialsSecret;

  private final Problems problems = new Problems();

  /** Values for the template, by name; options that were not given are missing. */
  private final Map<String, Object> values = new HashMap<>();

  @Override
  public Integer call() {
    putOptions();
    putRun();
    problems.throwIfAny();
    out().print(yaml());
    out().flush();
    return 0;
  }

  /** Checks the options that need no scenario, and puts their values; only right ones are used. */
  private void putOptions() {
    if (!hasShards()) {
      problems.add("--shards: found %d, expected 1 to %d".formatted(shards, Shard.MOST));
    }
    values.put("shards", shards);
    values.put("scale", scale.orElse("1"));
    put("--name", name, ValueSyntax.RUN, "name");
    put("--namespace", namespace, ValueSyntax.NAMESPACE, "namespace");
    put("--image", Optional.of(image), ValueSyntax.IMAGE, "image");
    imagePullSecrets.forEach(each -> check(PULL_SECRET, each, ValueSyntax.SECRET));
    put("--claim", claim, ValueSyntax.CLAIM, "claim");
    putNewClaim();
    put("--ttl", ttl, ValueSyntax.TTL, "ttl");
    nodeSelectors.forEach(each -> check(NODE_SELECTOR, each, ValueSyntax.LABEL));
    put("--servers", servers, ValueSyntax.LABEL, "servers");
    put("--cpus", Optional.of(cpus), ValueSyntax.CPUS, "cpus");
    put("--memory", Optional.of(memory), ValueSyntax.MEMORY, "memory");
    put("--tls-secret", tlsSecret, ValueSyntax.SECRET, "tls");
    put(CERTIFICATE_SECRET, clientCertificateSecret, ValueSyntax.SECRET, "clientCertificate");
    put("--credentials-secret", credentialsSecret, ValueSyntax.SECRET, "credentials");
    values.put("nodeSelectors", nodeSelectors);
    values.put("imagePullSecrets", imagePullSecrets);
    requireOnce(
        nodeSelectors.stream()
            .flatMap(each -> ValueSyntax.Label.parse(each).map(ValueSyntax.Label::key).stream()),
        NODE_SELECTOR + ": found the label %s twice, expected each once");
    requireOnce(
        imagePullSecrets.stream().filter(ValueSyntax.SECRET.rule()),
        PULL_SECRET + ": found %s twice, expected each Secret once");
  }

  private void putNewClaim() {
    Map<String, Optional<String>> ofNewClaim = new LinkedHashMap<>();
    ofNewClaim.put("--storage-class", storageClass);
    ofNewClaim.put("--storage-size", storageSize);
    ofNewClaim.values().removeIf(Optional::isEmpty);
    if (claim.isPresent() && !ofNewClaim.isEmpty()) {
      problems.add(
          "%s: found with --claim, which names a claim that exists: leave out one of them"
              .formatted(String.join(", ", ofNewClaim.keySet())));
      return;
    }
    put("--storage-class", storageClass, ValueSyntax.STORAGE_CLASS, "storageClass");
    put("--storage-size", storageSize, ValueSyntax.STORAGE_SIZE, "storageSize");
  }

  private void put(String option, Optional<String> given, ValueSyntax syntax, String name) {
    given.ifPresent(
        text -> {
          check(option, text, syntax);
          values.put(name, text);
        });
  }

  private void check(String option, String found, ValueSyntax syntax) {
    if (!syntax.rule().test(found)) {
      problems.add(
          "%s: found %s, expected %s"
              .formatted(option, VisibleText.quoted(found), syntax.expected()));
    }
  }

  private void requireOnce(Stream<String> given, String problem) {
    Set<String> seen = new HashSet<>();
    given
        .filter(each -> !seen.add(each))
        .map(each -> problem.formatted(VisibleText.quoted(each)))
        .forEach(problems::add);
  }

  /** Checks the run as the load generators will, and puts its values. */
  private void putRun() {
    RunSettings settings = settings();
    Optional<Scenario> read =
        settings.options().has(SCENARIO)
            ? problems.attempt(settings::readScenario)
            : Optional.empty();
    Optional<Boolean> overTls = settings.servers().access().overTls();
    missingTlsSecret(read, overTls.orElse(false)).ifPresent(problems::add);
    if (tlsSecret.isPresent() && !overTls.orElse(true)) {
      problems.add("--tls-secret: found http:// in --endpoints, expected https:// or no scheme");
    }
    read.ifPresent(this::putScenario);
    Optional<Store> store =
        read.filter(any -> database.isEmpty() || !settings.databases().isEmpty())
            .flatMap(scenario -> problems.attempt(() -> database(settings, scenario)));
    store.ifPresent(
        each -> {
          values.put("database", each.id());
          checkStore(read.get(), each);
          problems.attempt(() -> settings.servers().requirePath(each));
        });
    values.put(ENDPOINTS, endpoints);
  }

  private void putScenario(Scenario read) {
    if (!read.heading().name().matches("[A-Za-z0-9._-]+")) {
      problems.add(
          "scenario %s: expected a name of A-Z, a-z, 0-9, '.', '_' and '-', as the keys of a ConfigMap have: rename the file"
              .formatted(VisibleText.quoted(read.heading().name())));
    }
    values.put(SCENARIO, read.heading().name());
    values.put("text", read.heading().source());
    values.putIfAbsent("name", newName(read.heading().name(), Instant.now()));
  }

  private void checkStore(Scenario read, Store store) {
    store
        .obstacleToTls()
        .filter(any -> tlsSecret.isPresent())
        .ifPresent(
            why ->
                problems.add(
                    "--tls-secret: %s cannot be reached over TLS: %s".formatted(store, why)));
    if (hasShards()) {
      problems.attempt(
          () -> LoadShare.of(new Shard(shards, shards), read, read.requireLoad(store)));
    }
  }

  /** Returns what the Secret for TLS is needed for, if it was not given. */
  private Optional<String> missingTlsSecret(Optional<Scenario> read, boolean overTls) {
    if (tlsSecret.isPresent()) {
      return Optional.empty();
    }
    return read.filter(scenario -> scenario.cluster().security() == Security.TLS)
        .map(scenario -> "scenario %s has security: tls".formatted(scenario.heading().name()))
        .or(
            () ->
                clientCertificateSecret.map(
                    any -> "the certificate of --client-certificate-secret is sent over TLS only"))
        .or(() -> Optional.of("--endpoints has https://").filter(any -> overTls))
        .map(
            why ->
                "--tls-secret: found nothing, expected the name of the Secret with the authority of"
                    + " the servers' certificates, because "
                    + why);
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

  /** Returns the settings of a load generator, without those that are wrong. */
  private RunSettings settings() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put(SCENARIO, scenario);
    given.put(ENDPOINTS, endpoints);
    database.ifPresent(id -> given.put(RunOptions.DATABASE, id));
    scale.ifPresent(part -> given.put("scale", part));
    Properties right = new Properties();
    for (String place : List.of("quorate.home", "quorate.directory")) {
      right.setProperty(place, System.getProperty(place, ""));
    }
    given.forEach(
        (name, text) -> {
          Properties one = new Properties();
          one.putAll(right);
          one.setProperty(name, text);
          problems
              .attempt(() -> RunSettings.of(one))
              .ifPresent(any -> right.setProperty(name, text));
        });
    // without endpoints there would be a shard that lacks servers, which was not asked for
    if (hasShards() && right.containsKey(ENDPOINTS)) {
      right.setProperty("shard", shards + "/" + shards);
    }
    return RunSettings.of(right);
  }

  private static String newName(String scenarioName, Instant now) {
    String letters =
        scenarioName
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceFirst("^[^a-z]+", "");
    String begin = letters.substring(0, Math.min(letters.length(), MAX_NAME_BEGINNING));
    return (begin.isEmpty() ? "quorate" : begin.replaceFirst("-$", "")) + "-" + TIME.format(now);
  }

  private boolean hasShards() {
    return shards >= 1 && shards <= Shard.MOST;
  }

  /** Returns the manifests as YAML. */
  private String yaml() {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(RenderCommand.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("c");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    StringWriter text = new StringWriter();
    try {
      configuration.getTemplate("run.yaml.ftl").process(values, text);
    } catch (IOException | TemplateException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }
}
