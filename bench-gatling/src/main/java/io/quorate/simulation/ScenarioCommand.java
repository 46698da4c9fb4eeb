package io.quorate.simulation;

import io.quorate.install.Installation;
import io.quorate.scenario.Matrix;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of commands that make load on the databases of a scenario, and what they start. */
abstract class ScenarioCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO",
      description = "The name of a scenario, or a file (default: quick).")
  private String scenario;

  @Option(
      names = "--database",
      paramLabel = "ID",
      description = "Only these of its databases, separated by commas.")
  private String database;

  @Option(
      names = "--endpoints",
      paramLabel = "HOST:PORT",
      description = "Servers that are there already, separated by commas.")
  private String endpoints;

  @Option(
      names = "--agents",
      paramLabel = "HOST:PORT",
      description =
          "Agents that start a member each on their machines, separated by commas: 1, 3 or 5.")
  private String agents;

  @Option(
      names = "--agent-keys",
      paramLabel = "DIR",
      description = "The keys for agents: client of what 'quorate agent keys' made.")
  private String agentKeys;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Talk TLS to given servers, whose certificates these authorities issued.")
  private String tlsCa;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Our certificate, if the servers want one.")
  private String tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key; nobody else may read it.")
  private String tlsKey;

  @Option(
      names = "--tls-name-check",
      paramLabel = "ON_OFF",
      description = "Whether a certificate must be for the host of its endpoint (default: on).")
  private String tlsNameCheck;

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description =
          "Has the lines user: and password:, or token:, for given servers. Or set QUORATE_USER and"
              + " QUORATE_PASSWORD, or QUORATE_TOKEN.")
  private String credentials;

  @Option(
      names = "--etcd-client",
      paramLabel = "CLIENT",
      description =
          "What talks to etcd: http2, our own calls on Netty's HTTP/2, or grpc, gRPC's Java stack"
              + " (default: http2).")
  private String etcdClient;

  @Option(
      names = "--consul-client",
      paramLabel = "CLIENT",
      description = "What talks to Consul: http or library (default: http).")
  private String consulClient;

  @Option(
      names = "--scale",
      paramLabel = "PART",
      description = "Make only this part of the requests, such as 0.01.")
  private String scale;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description =
          "Serve figures there for Prometheus while the run goes on, such as 127.0.0.1:9464.")
  private String metrics;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Where results go (default: results).")
  private String results;

  @Option(names = "--from-properties", hidden = true)
  private boolean fromProperties;

  @Override
  public Integer call() throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    if (fromProperties) {
      MistypedProperties.refuse(properties);
    } else {
      RunSettings.OPTIONS.forEach(properties::remove);
    }
    set(properties, "scenario", scenario);
    set(properties, "database", database);
    set(properties, "endpoints", endpoints);
    set(properties, "agents", agents);
    set(properties, "agent.keys", agentKeys);
    set(properties, "tls.ca", tlsCa);
    set(properties, "tls.certificate", tlsCertificate);
    set(properties, "tls.key", tlsKey);
    set(properties, "tls.name-check", tlsNameCheck);
    set(properties, "credentials", credentials);
    set(properties, "etcd.client", etcdClient);
    set(properties, "consul.client", consulClient);
    set(properties, "scale", scale);
    set(properties, "metrics", metrics);
    set(properties, "results", results);
    addTo(properties);
    RunSettings settings = RunSettings.of(properties);
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    Optional<ContinuedMatrix> asked = ContinuedMatrix.of(properties, settings.directory());
    if (asked.isPresent()) {
      settings.capacity().refuseMatrix();
      return MatrixRun.continued(asked.get(), settings, installation).run();
    }
    Optional<Matrix> matrix = settings.readMatrix();
    return matrix.isPresent()
        ? MatrixRun.begun(matrix.get(), settings, installation).run()
        : new ScenarioRun(settings, installation).run();
  }

  /** Adds the options that only this command has. */
  abstract void addTo(Properties properties);

  static void set(Properties properties, String name, String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}
