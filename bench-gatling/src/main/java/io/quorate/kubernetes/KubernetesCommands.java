package io.quorate.kubernetes;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.CommandProvider;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Provides the commands for Kubernetes. */
public final class KubernetesCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new KubernetesCommand());
  }

  @Command(
      name = "kubernetes",
      description = "Prints the manifests of load generators that run on Kubernetes.",
      synopsisSubcommandLabel = "render",
      subcommands = Render.class,
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate kubernetes render --scenario ycsb-a --database etcd --shards 8 \\",
        "      --endpoints etcd-0.etcd:2379,etcd-1.etcd:2379 | kubectl apply -f -"
      })
  static final class KubernetesCommand {}

  @Command(
      name = "render",
      description = {
        "Prints manifests for Kubernetes: a Job of load generators that share the load of a "
            + "scenario on an existing cluster, and a Job that merges their runs.",
        "The scenario is checked as by 'quorate run', and is part of the manifests. Nothing "
            + "is started, and no cluster is contacted."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate kubernetes render --scenario ycsb-a --database etcd --shards 8 \\",
        "      --endpoints etcd-0.etcd:2379,etcd-1.etcd:2379 | kubectl apply -f -",
        "  ./quorate kubernetes render --scenario my.yaml --endpoints 10.0.0.1:2379 \\",
        "      --shards 2 --image quorate:0.1 > run.yaml"
      })
  static final class Render implements Callable<Integer> {
    /** Leaves room for what is added to it in the names of Pods, which have 63 characters. */
    private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,38}[a-z0-9])?");

    private static final int MAX_NAME_BEGINNING = 27;
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,499}");
    private static final Pattern LABEL =
        Pattern.compile(
            "([a-z0-9][a-z0-9.-]{0,252}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}=[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern CPUS =
        Pattern.compile("[1-9]\\d{0,3}(\\.\\d{1,3})?|[1-9]\\d{0,5}m");
    private static final Pattern MEMORY = Pattern.compile("[1-9]\\d{0,5}(Mi|Gi)");

    @Option(
        names = "--scenario",
        required = true,
        paramLabel = "SCENARIO",
        description = "The name of a scenario, or a file.")
    private String scenario;

    @Option(
        names = "--shards",
        defaultValue = "1",
        paramLabel = "N",
        description = "Number of load generators, a Pod each (default: ${DEFAULT-VALUE}).")
    private int shards;

    @Option(
        names = "--endpoints",
        required = true,
        paramLabel = "HOST:PORT",
        description = "Addresses of the servers as Pods see them, separated by commas.")
    private String endpoints;

    @Option(
        names = "--database",
        paramLabel = "ID",
        description = "Database type of the endpoints (default: the only one of the scenario).")
    private Optional<String> database;

    @Option(
        names = "--scale",
        paramLabel = "PART",
        description = "Fraction of the requests to send, such as 0.01.")
    private Optional<String> scale;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description =
            "Name that all objects begin with, and directory of the results; a new one for each run"
                + " (default: the scenario's and the time).")
    private Optional<String> name;

    @Option(
        names = "--namespace",
        paramLabel = "NAMESPACE",
        description = "Namespace of all objects (default: kubectl's).")
    private Optional<String> namespace;

    @Option(
        names = "--image",
        defaultValue = "quorate",
        paramLabel = "IMAGE",
        description =
            "Image of src/docker/Dockerfile.load-generator, where the cluster gets it (default:"
                + " ${DEFAULT-VALUE}).")
    private String image;

    @Option(
        names = "--claim",
        paramLabel = "CLAIM",
        description =
            "Existing PersistentVolumeClaim for results (default: quorate-results, which the "
                + "manifests create).")
    private Optional<String> claim;

    @Option(
        names = "--servers",
        paramLabel = "LABEL=VALUE",
        description =
            "Label of the servers' Pods, on whose nodes no load generator may run (default:"
                + " app.kubernetes.io/name is etcd, zookeeper or consul).")
    private Optional<String> servers;

    @Option(
        names = "--cpus",
        defaultValue = "2",
        paramLabel = "CPUS",
        description = "CPUs of each load generator, such as 4 or 500m (default: ${DEFAULT-VALUE}).")
    private String cpus;

    @Option(
        names = "--memory",
        defaultValue = "4Gi",
        paramLabel = "MEMORY",
        description = "Memory of each load generator, such as 6Gi (default: ${DEFAULT-VALUE}).")
    private String memory;

    @Option(
        names = "--tls-secret",
        paramLabel = "SECRET",
        description = "Connect over TLS; ca.crt of this Secret contains the trusted authorities.")
    private Optional<String> tlsSecret;

    @Option(
        names = "--client-certificate-secret",
        paramLabel = "SECRET",
        description = "Secret with tls.crt and tls.key, if the servers require a certificate.")
    private Optional<String> clientCertificateSecret;

    @Option(
        names = "--credentials-secret",
        paramLabel = "SECRET",
        description =
            "Secret whose entry credentials has the lines user: and password:, or the line token:.")
    private Optional<String> credentialsSecret;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
      List<String> problems = new ArrayList<>();
      checkOptions(problems);
      Map<String, Object> values = new HashMap<>();
      if (hasShards()) {
        try {
          read(values, problems);
        } catch (QuorateException wrong) {
          problems.add(wrong.getMessage());
        }
      }
      QuorateException.throwIfAny(problems);
      PrintWriter out = spec.commandLine().getOut();
      out.print(text(values));
      out.flush();
      return 0;
    }

    private void read(Map<String, Object> values, List<String> problems) {
      RunSettings settings = RunSettings.of(options(System.getProperties()));
      Scenario read = settings.readScenario();
      Store store = database(settings, read);
      settings.share(read, store);
      if (!read.name().matches("[A-Za-z0-9._-]+")) {
        throw new QuorateException(
            "scenario %s: expected a name of A-Z, a-z, 0-9, '.', '_' and '-', as the keys of a ConfigMap have: rename the file"
                .formatted(VisibleText.quoted(read.name())));
      }
      checkAccess(read, store, problems);
      values.put("scenario", read.name());
      values.put("text", read.source());
      values.put("database", store.id());
      values.put(
          "endpoints",
          settings.servers().endpoints().stream()
              .map(Endpoint::toString)
              .collect(Collectors.joining(",")));
      values.put("name", name.orElseGet(() -> newName(read.name(), Instant.now())));
      values.put("shards", shards);
      values.put("scale", scale.orElse("1"));
      values.put("image", image);
      values.put("cpus", cpus);
      values.put("memory", memory);
      namespace.ifPresent(each -> values.put("namespace", each));
      claim.ifPresent(each -> values.put("claim", each));
      servers.ifPresent(each -> values.put("servers", each));
      tlsSecret.ifPresent(each -> values.put("tls", each));
      clientCertificateSecret.ifPresent(each -> values.put("clientCertificate", each));
      credentialsSecret.ifPresent(each -> values.put("credentials", each));
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

    private static String text(Map<String, Object> values) {
      Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
      configuration.setClassForTemplateLoading(Render.class, "");
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

    private Properties options(Properties system) {
      Properties options = new Properties();
      for (String place : List.of("quorate.home", "quorate.directory")) {
        options.setProperty(place, system.getProperty(place, ""));
      }
      options.setProperty("scenario", scenario);
      options.setProperty("endpoints", endpoints);
      options.setProperty("shard", shards + "/" + shards);
      database.ifPresent(id -> options.setProperty("database", id));
      scale.ifPresent(part -> options.setProperty("scale", part));
      return options;
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

    private void checkOptions(List<String> problems) {
      if (!hasShards()) {
        problems.add("--shards: found %d, expected 1 to %d".formatted(shards, Shard.MOST));
      }
      check("--name", name, NAME, "at most 40 of a-z, 0-9 and -, such as run-17", problems);
      check("--namespace", namespace, NAMESPACE, "the name of a namespace", problems);
      check("--image", Optional.of(image), IMAGE, "an image, such as a/quorate:0.1", problems);
      check("--claim", claim, OBJECT, "the name of a PersistentVolumeClaim", problems);
      check("--servers", servers, LABEL, "a label such as app=etcd", problems);
      check("--cpus", Optional.of(cpus), CPUS, "a number of CPUs such as 4, 1.5 or 500m", problems);
      check("--memory", Optional.of(memory), MEMORY, "a size such as 512Mi or 6Gi", problems);
      check("--tls-secret", tlsSecret, OBJECT, "the name of a Secret", problems);
      String clients = "--client-certificate-secret";
      check(clients, clientCertificateSecret, OBJECT, "the name of a Secret", problems);
      check("--credentials-secret", credentialsSecret, OBJECT, "the name of a Secret", problems);
      if (clientCertificateSecret.isPresent() && tlsSecret.isEmpty()) {
        problems.add(clients + ": needs --tls-secret, because a certificate is only sent over TLS");
      }
    }

    private static void check(
        String option,
        Optional<String> found,
        Pattern pattern,
        String expected,
        List<String> problems) {
      found
          .filter(text -> !pattern.matcher(text).matches())
          .ifPresent(
              text ->
                  problems.add(
                      "%s: found %s, expected %s"
                          .formatted(option, VisibleText.quoted(text), expected)));
    }

    private void checkAccess(Scenario read, Store store, List<String> problems) {
      if (read.security() == Security.TLS && tlsSecret.isEmpty()) {
        problems.add(
            "scenario %s has security: tls: name the Secret with the authority of the servers'"
                    .formatted(read.name())
                + " certificates with --tls-secret");
      }
      Optional<String> obstacle = store.obstacleToTls();
      if (tlsSecret.isPresent() && obstacle.isPresent()) {
        problems.add(
            "--tls-secret: %s cannot be reached over TLS: %s".formatted(store, obstacle.get()));
      }
    }
  }
}
