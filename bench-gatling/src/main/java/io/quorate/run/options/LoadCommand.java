package io.quorate.run.options;

import io.quorate.install.Installation;
import io.quorate.run.MatrixRun;
import io.quorate.run.ScenarioRun;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.yaml.ScenarioFiles;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of commands that make load on the databases of a scenario, and what they start. */
abstract class LoadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO",
      descriptionKey = "scenario",
      completionCandidates = Names.class,
      description = "The name of a scenario, or a file (default: quick).")
  private String scenario;

  @Option(
      names = "--database",
      descriptionKey = "database",
      paramLabel = "ID",
      description = "Databases of the scenario to run, separated by commas (default: all).")
  private String database;

  @Option(
      names = "--endpoints",
      descriptionKey = "endpoints",
      paramLabel = "HOST:PORT",
      description =
          "Addresses of running servers, separated by commas (default: the run starts servers).")
  private String endpoints;

  @Option(
      names = "--agents",
      descriptionKey = "agents",
      paramLabel = "HOST:PORT",
      description =
          "Addresses of 1, 3 or 5 agents, separated by commas. Each starts a member on its"
              + " machine.")
  private String agents;

  @Option(
      names = "--agent-keys",
      descriptionKey = "agent.keys",
      paramLabel = "DIR",
      description = "Directory with the keys for agents: client, made by 'quorate agent keys'.")
  private String agentKeys;

  @Option(
      names = "--keep-keys",
      descriptionKey = "keep.keys",
      description =
          "Keep the keys that the run has written to an existing cluster (default: remove them).")
  private boolean keepKeys;

  @Option(
      names = "--run-name",
      descriptionKey = "run.name",
      paramLabel = "NAME",
      description =
          "Name of the run in its keys in an existing cluster, quorate/NAME/... (default: a new"
              + " name).")
  private String runName;

  @Option(
      names = "--tls-ca",
      descriptionKey = "tls.ca",
      paramLabel = "FILE",
      description =
          "Connect to given servers over TLS; the file has the certificates of the authorities to"
              + " trust.")
  private String tlsCa;

  @Option(
      names = "--tls-certificate",
      descriptionKey = "tls.certificate",
      paramLabel = "FILE",
      description = "The client's certificate, if the servers require one.")
  private String tlsCertificate;

  @Option(
      names = "--tls-key",
      descriptionKey = "tls.key",
      paramLabel = "FILE",
      description = "Private key of that certificate; only you may be able to read the file.")
  private String tlsKey;

  @Option(
      names = "--tls-name-check",
      descriptionKey = "tls.name-check",
      paramLabel = "ON_OFF",
      description =
          "on or off: whether a certificate must be for the host of its endpoint (default: on).")
  private String tlsNameCheck;

  @Option(
      names = "--credentials",
      descriptionKey = "credentials",
      paramLabel = "FILE",
      description =
          "File with the lines user: and password:, or the line token:, for given servers."
              + " Alternatives: QUORATE_USER and QUORATE_PASSWORD, or QUORATE_TOKEN.")
  private String credentials;

  @Option(
      names = "--etcd-client",
      descriptionKey = "etcd.client",
      paramLabel = "CLIENT",
      description =
          "Client for etcd: http2, Quorate's own on Netty's HTTP/2; grpc, gRPC's Java stack; or"
              + " jetcd (default: http2).")
  private String etcdClient;

  @Option(
      names = "--consul-client",
      descriptionKey = "consul.client",
      paramLabel = "CLIENT",
      description = "Client for Consul: http or library (default: http).")
  private String consulClient;

  @Option(
      names = "--scale",
      descriptionKey = "scale",
      paramLabel = "PART",
      description = "Fraction of the requests to make, such as 0.01.")
  private String scale;

  @Option(
      names = "--metrics",
      descriptionKey = "metrics",
      paramLabel = "HOST:PORT",
      description =
          "Address at which to serve figures for Prometheus during the run, such as"
              + " 127.0.0.1:9464.")
  private String metrics;

  @Option(
      names = "--realtime",
      descriptionKey = "realtime",
      description =
          "Give all threads of the load generator real-time priority, on Linux. Needs root,"
              + " CAP_SYS_NICE or 'ulimit -r'; the report shows whether it was granted.")
  private boolean realTime;

  @Option(
      names = "--results",
      descriptionKey = "results",
      paramLabel = "DIR",
      description = "Directory for results (default: results).")
  private String results;

  @Option(names = "--from-properties", hidden = true)
  private boolean fromProperties;

  @Override
  public Integer call() throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    if (fromProperties) {
      RunSettings.refuseUnknown(properties);
    } else {
      RunSettings.OPTIONS.forEach(properties::remove);
      spec.args().forEach(argument -> given(argument, properties));
      addTo(properties);
    }
    ShardOptions.addFromEnvironment(properties, System.getenv());
    RunSettings settings = RunSettings.of(properties);
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    if (settings.continued().isPresent()) {
      settings.capacity().refuseMatrix();
      settings.shards().refuseMatrix();
      return MatrixRun.continued(settings.continued().get(), settings, installation).run();
    }
    RunSettings planned = settings.planned();
    Optional<Matrix> matrix = planned.readMatrix();
    return matrix.isPresent()
        ? MatrixRun.begun(matrix.get(), planned, installation).run()
        : new ScenarioRun(planned, installation).run();
  }

  /** Adds the value of an argument under its name as a system property, its description key. */
  private static void given(ArgSpec argument, Properties properties) {
    Object value = argument.getValue();
    if (argument.descriptionKey() == null || value == null || value.equals(false)) {
      return;
    }
    properties.setProperty(
        argument.descriptionKey(),
        value instanceof List<?> several
            ? several.stream().map(Object::toString).collect(Collectors.joining(", "))
            : value.toString());
  }

  /** Adds options of this command whose values are not those that were given. */
  void addTo(Properties properties) {}

  /** The scenarios that come with Quorate, for shells to complete. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      Path home = Path.of(System.getProperty("quorate.home", ""));
      return ScenarioFiles.names(home.resolve("scenarios")).iterator();
    }
  }
}
