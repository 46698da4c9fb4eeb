// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.QuorateException;
import io.quorate.cli.QuorateCommand;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.LocalCluster;
import io.quorate.format.NumberFormats;
import io.quorate.install.Installation;
import io.quorate.results.RunDirectory;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdServers;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares the load generator with another one, in turn on the same kind of server. */
@Command(
    name = "harness",
    description = {
      "Measures the cost of the load generator, compared with another tool or with a bare loop.",
      "",
      "Both sides take turns with the load of a scenario, which has one database and one step, on a"
          + " new local server each time."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate harness                                     1000 clients on etcd, with its tool",
      "  ./quorate harness harness-vs-etcd-benchmark-1-client  one client",
      "  ./quorate harness harness-zookeeper                   what Gatling and recorder add"
    })
public final class HarnessCommand extends QuorateCommand implements Callable<Integer> {
  /** The programs that Quorate's load generator is compared with. */
  enum Rival {
    /** etcd's own load tool. */
    ETCD_BENCHMARK,
    /** Quorate's driver in a loop that does nothing else. */
    BARE,
    /** The store's own asynchronous client library in the same loop. */
    LIBRARY,
    /** Curator over ZooKeeper's library in the same loop. */
    CURATOR
  }

  private static final int MAX_PAIRS = 100;

  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO",
      defaultValue = "harness-vs-etcd-benchmark",
      description =
          "The name of a file in src/harness/scenarios, without .yaml, or the path of a file"
              + " (default: ${DEFAULT-VALUE}).")
  private String scenarioName;

  @Option(
      names = "--against",
      paramLabel = "RIVAL",
      description =
          "The other side: etcd_benchmark; bare: a loop with our driver and nothing else; library:"
              + " the same loop with ZooKeeper's asynchronous client or OkHttp; curator: with Curator"
              + " (default: etcd's tool for etcd, otherwise bare).")
  private Rival against;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "5",
      description = "Number of measurements of each side (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--consul-client",
      paramLabel = "CLIENT",
      description = "Client for Consul: http or library (default: http).")
  private String consulClient;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Directory for results (default: results).")
  private String results;

  @Override
  public Integer call() throws IOException {
    Properties properties = properties();
    RunSettings settings = RunSettings.of(properties);
    Scenario scenario = settings.readScenario();
    StoreLoad load = onlyLoad(scenario);
    Step step = load.steps().get(0);
    Store database = load.database();
    if (pairs < 1 || pairs > MAX_PAIRS) {
      throw new QuorateException("--pairs " + pairs + ": expected 1 to " + MAX_PAIRS);
    }
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    installation
        .obstacle(database)
        .ifPresent(
            why -> {
              throw new QuorateException(why);
            });
    ComparedTool ours = new QuorateItself(database, properties);
    ComparedTool theirs = rival(scenario, step, database, installation);
    RunDirectory run =
        RunDirectory.create(settings.results(), scenario.heading().name(), 1, Instant.now());

    out()
        .printf(
            "%s: %d client%s on %d connection%s, %s requests after %s to warm up%n",
            database.title(),
            step.clients(),
            step.clients() == 1 ? "" : "s",
            step.connections(),
            step.connections() == 1 ? "" : "s",
            NumberFormats.commas(step.requests()),
            NumberFormats.commas(scenario.requests().warmUp()));
    List<Ratios.Pair> measured = new ArrayList<>();
    for (int pair = 1; pair <= pairs; pair++) {
      Path directory = run.path().resolve("pair-" + pair);
      Figures our = measure(ours, database, directory.resolve("ours"));
      print(pair, ours, our);
      Figures their = measure(theirs, database, directory.resolve("theirs"));
      print(pair, theirs, their);
      measured.add(new Ratios.Pair(our, their));
    }
    out().print("\n" + Ratios.table(measured));
    out().print("\nall of it: " + run + "\n");
    out().flush();
    return 0;
  }

  private Properties properties() {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    List.of("database", "endpoints", "scale", "consul.client").forEach(properties::remove);
    Path here = Path.of("").toAbsolutePath();
    Path harness = Path.of(System.getProperty("quorate.home", "")).resolve("src/harness");
    properties.setProperty(
        "scenario",
        ScenarioFiles.locate(scenarioName, harness.toAbsolutePath(), here).path().toString());
    if (consulClient != null) {
      properties.setProperty("consul.client", consulClient);
    }
    if (results != null) {
      properties.setProperty("results", results);
    }
    return properties;
  }

  private static StoreLoad onlyLoad(Scenario scenario) {
    if (scenario.databases().size() != 1 || scenario.databases().get(0).steps().size() != 1) {
      throw new QuorateException(
          scenario.heading().name()
              + ": expected a scenario with one database and one number of clients");
    }
    if (scenario.requests().keys().prepared()) {
      throw new QuorateException(
          scenario.heading().name()
              + ": expected a scenario of writes with as many keys as requests");
    }
    return scenario.databases().get(0);
  }

  private ComparedTool rival(
      Scenario scenario, Step step, Store database, Installation installation) {
    Rival other =
        against != null ? against : database == EtcdStore.STORE ? Rival.ETCD_BENCHMARK : Rival.BARE;
    if (other == Rival.ETCD_BENCHMARK && database != EtcdStore.STORE) {
      throw new QuorateException("etcd's tool can only be measured with etcd, not " + database);
    }
    if (other == Rival.ETCD_BENCHMARK) {
      return new EtcdBenchmark(installation.require(EtcdServers.BENCHMARK), scenario, step);
    }
    if (other == Rival.LIBRARY && !ClientLibrary.STORES.contains(database)) {
      throw new QuorateException(
          "--against library: there is one of zookeeper and consul only, not of " + database);
    }
    if (other == Rival.CURATOR && database != ZooKeeperStore.STORE) {
      throw new QuorateException("--against curator: it is a client of zookeeper, not " + database);
    }
    return new BaselineLoop(database, scenario, step, client(database), other);
  }

  private ClientKind client(Store database) {
    return consulClient != null && database == ConsulStore.STORE
        ? database.client(consulClient)
        : database.clients().get(0);
  }

  private static Figures measure(ComparedTool contender, Store database, Path directory)
      throws IOException {
    Files.createDirectories(directory);
    try (Cluster cluster =
        LocalCluster.start(
            database,
            1,
            directory.resolve("server"),
            ClusterSettings.defaults(Installation.of(System.getenv(), System.getProperties())))) {
      Endpoint server = cluster.members().get(0).endpoint();
      return contender.measure(server, directory);
    }
  }

  private void print(int pair, ComparedTool contender, Figures figures) {
    out()
        .printf(
            "pair %d  %-14s  %9s requests/s  %7s us of CPU per request  median %8s ms%n",
            pair,
            contender.name(),
            NumberFormats.commas(Math.round(figures.requestsPerSecond())),
            NumberFormats.fixed(figures.cpuMicrosPerRequest(), 1),
            NumberFormats.fixed(figures.medianMillis(), 3));
    out().flush();
  }
}
