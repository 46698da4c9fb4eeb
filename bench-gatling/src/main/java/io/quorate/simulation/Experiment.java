package io.quorate.simulation;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.agent.AgentCluster;
import io.quorate.cli.Quorate;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.GivenCluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.Member;
import io.quorate.host.HostRecording;
import io.quorate.host.RemoteMetrics;
import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.LoadStep;
import io.quorate.load.StepObserver;
import io.quorate.measure.RunClock;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.HostFacts;
import io.quorate.run.Manifest;
import io.quorate.run.ReservedManifest;
import io.quorate.run.RunDirectory;
import io.quorate.run.RunStatus;
import io.quorate.run.StepBoundary;
import io.quorate.run.StepCost;
import io.quorate.scenario.DatabaseLoad;
import io.quorate.scenario.Scenario;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Runs one database of one run, from its servers to its files. Until it has ended well or badly,
 * its manifest says {@code interrupted}, so that a kill at any moment leaves the truth behind.
 */
final class Experiment {
  private final RunSettings settings;
  private final Scenario scenario;
  private final DatabaseLoad databaseLoad;
  private final Store database;
  private final RunClock clock = RunClock.start();
  private final Load load;
  private final StoreClient client;
  private DatabaseDirectory directory;
  private volatile Manifest manifest;
  private ReservedManifest reserved;
  private Cluster cluster;
  private Monitor monitor;
  private HostRecording recording;
  private String runName;
  private Optional<RemoteMetrics> remoteMetrics = Optional.empty();

  private Experiment(RunSettings settings, Scenario scenario, DatabaseLoad databaseLoad) {
    this.settings = settings;
    this.scenario = scenario;
    this.databaseLoad = databaseLoad;
    this.database = databaseLoad.database();
    this.load = new Load(scenario, databaseLoad, clock);
    this.client = settings.client(database).start();
  }

  /**
   * Reads the scenario; starts nothing yet.
   *
   * @throws QuorateException if it cannot be read or does not have the database
   */
  static Experiment of(RunSettings settings, Store database) {
    Scenario scenario = settings.readScenario();
    return new Experiment(settings, scenario, scenario.requireLoad(database));
  }

  Scenario scenario() {
    return scenario;
  }

  Load load() {
    return load;
  }

  RunClock clock() {
    return clock;
  }

  /** Starts the servers, prepares the keys, warms up; then the load may begin. */
  void open() {
    RunDirectory run =
        settings
            .run()
            .map(RunDirectory::open)
            .orElseGet(
                () ->
                    RunDirectory.create(
                        settings.results(), scenario.name(), scenario.scale(), Instant.now()));
    directory = run.createDatabase(database.id());
    runName = String.join("-", scenario.name(), run.id(), database.id());
    manifest =
        Manifest.starting(
            scenario,
            databaseLoad,
            settings.client(database),
            HostFacts.ofThisMachine(),
            Instant.now());
    reserved = ReservedManifest.begin(manifest, directory);
    Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "interrupted-run"));
    try {
      startServers();
      monitor = new Monitor(load, cluster, directory, scenario.timeout(), System.err::println);
      monitor.start();
      say(preparations());
      load.prepare();
      recording =
          HostRecording.start(
              database,
              cluster.members(),
              load::presentClients,
              directory,
              remoteMetrics,
              clock.asClock());
      load.observedBy(observer(recording));
      say("measuring " + databaseLoad.requests() + " requests");
    } catch (RuntimeException failure) {
      String reason = explained(reason().orElse(String.valueOf(failure.getMessage())));
      fail(reason);
      throw new QuorateException(database + ": " + reason, failure);
    }
    if (reason().isPresent()) {
      throw givenUp(reason().get());
    }
  }

  private static StepObserver observer(HostRecording recording) {
    return new StepObserver() {
      @Override
      public void begins(int step) {
        recording.sample(step, StepBoundary.BEGIN);
      }

      @Override
      public void hasEnded(int step) {
        recording.sample(step, StepBoundary.END);
      }
    };
  }

  private void startServers() {
    cluster = cluster();
    Optional<Member> leader = cluster.leader();
    manifest =
        manifest.withServers(
            cluster.version(),
            cluster.members().stream().map(Member::endpoint).toList(),
            leader.map(Member::endpoint));
    manifest.write(directory);
    if (!cluster.version().isEmpty()) {
      say("version " + cluster.version() + leader.map(it -> ", leader " + it.name()).orElse(""));
    }
    load.connectTo(new Connector(client, endpoints(leader), scenario.timeout()));
  }

  private Cluster cluster() {
    if (!settings.endpoints().isEmpty()) {
      say("using the given servers");
      Cluster given = GivenCluster.of(database, settings.endpoints());
      manifest = manifest.withHosting(Manifest.Hosting.GIVEN, List.of());
      return given;
    }
    int count = scenario.members();
    String members = count == 1 ? "1 member" : count + " members";
    if (scenario.agents().isEmpty() || database == MemoryStore.STORE) {
      say(database == MemoryStore.STORE ? "in this process" : "starting " + members);
      Cluster local = LocalCluster.start(database, scenario.members(), directory.path());
      manifest = manifest.withHosting(Manifest.Hosting.LOCAL, List.of());
      return local;
    }
    say("starting " + members + " through agents");
    AgentCluster remote =
        AgentCluster.start(
            database, scenario.agents(), settings.agentKeys(scenario), runName, directory);
    remoteMetrics = Optional.of(remote.metrics());
    manifest = manifest.withHosting(Manifest.Hosting.AGENTS, remote.agents());
    return remote;
  }

  private List<Endpoint> endpoints(Optional<Member> leader) {
    List<Endpoint> all = cluster.members().stream().map(Member::endpoint).toList();
    return switch (scenario.routing()) {
      case SPREAD -> all;
      case LEADER -> List.of(known(leader));
      case FOLLOWERS -> {
        Endpoint leading = known(leader);
        List<Endpoint> others = all.stream().filter(each -> !each.equals(leading)).toList();
        if (others.isEmpty()) {
          throw new QuorateException(
              "%s: the scenario routes to followers, but there is one member only"
                  .formatted(database));
        }
        yield others;
      }
    };
  }

  private Endpoint known(Optional<Member> leader) {
    return leader
        .map(Member::endpoint)
        .orElseThrow(
            () ->
                new QuorateException(
                    "%s: the scenario routes by leadership, but no member says that it leads"
                        .formatted(database)));
  }

  private String preparations() {
    String keys =
        scenario.keys().prepared()
            ? "writing " + count(scenario.keys().count(), "key") + ", then "
            : "";
    return keys + "warming up with " + count(scenario.warmUp(), "request");
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private Optional<String> reason() {
    return monitor == null ? Optional.empty() : monitor.failure();
  }

  /** Writes the files, stops the servers and records the outcome. */
  void finish() {
    monitor.stop();
    Optional<String> failure = monitor.failure().or(this::nothingSucceeded);
    if (failure.isPresent()) {
      throw givenUp(failure.get());
    }
    recording.diskUsage();
    recording.close();
    recording.remarks().forEach(this::say);
    boolean ours = settings.endpoints().isEmpty() && database != MemoryStore.STORE;
    say("all requests made" + (ours ? "; stopping the servers" : ""));
    client.close();
    cluster.close();
    List<StepCost> costs = costs();
    for (StepCost cost : costs) {
      say(LoadGeneratorCost.text(cost));
    }
    for (LoadStep step : load.steps()) {
      step.stalls().map(stalls -> LoadGeneratorCost.text(step.step(), stalls)).ifPresent(this::say);
    }
    manifest = manifest.withCosts(costs).completed(Instant.now());
    reserved.end(manifest);
    say("Gatling writes its report");
    if (settings.run().isEmpty()) {
      Quorate.run("report", directory.path().getParent().toString());
    }
  }

  private Optional<String> nothingSucceeded() {
    boolean nothing =
        load.steps().stream()
            .filter(LoadStep::hasStarted)
            .allMatch(step -> step.recorder().successCount() == 0);
    return nothing ? Optional.of("not one request succeeded") : Optional.empty();
  }

  private QuorateException givenUp(String found) {
    String reason = explained(found);
    fail(reason);
    return new QuorateException(
        "%s: given up: %s; what was measured is in %s".formatted(database, reason, directory));
  }

  private List<StepCost> costs() {
    return load.steps().stream().flatMap(step -> LoadGeneratorCost.of(step).stream()).toList();
  }

  private void fail(String reason) {
    manifest = manifest.withCosts(costs()).failed(Instant.now(), reason);
    try {
      reserved.end(manifest);
    } finally {
      abandon();
    }
  }

  /**
   * Prepends a full device, where there is one, to a reason: it may be the cause of all the rest.
   */
  private String explained(String reason) {
    return reason.contains(" the device that holds ")
        ? reason
        : DiskSpace.full(directory.path()).map(full -> full + "; " + reason).orElse(reason);
  }

  /** Handles the end of the process, for whatever reason. */
  private void interrupted() {
    if (manifest.status() == RunStatus.INTERRUPTED) {
      say("interrupted; what was measured is in " + directory);
    }
    abandon();
    reserved.close();
  }

  /** Stops the servers and keeps what was measured; the manifest stays as it is. */
  private void abandon() {
    if (monitor != null) {
      monitor.stop();
    }
    if (recording != null) {
      recording.close();
    }
    client.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  private void say(String what) {
    System.err.println(database.id() + "  " + what);
  }
}
