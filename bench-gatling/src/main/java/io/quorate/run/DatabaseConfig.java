package io.quorate.run;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.host.HostRecording;
import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.RealTime;
import io.quorate.load.StepObserver;
import io.quorate.load.verify.ReadBack;
import io.quorate.measure.RunClock;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunZones;
import io.quorate.run.live.Monitor;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.live.VerificationLines;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One database of one run, before anything is started. {@link #open} starts it, and returns the
 * experiment as it is then.
 *
 * @param settings of the run
 * @param sharded the part of the scenario that is made here
 * @param clock of all times of the run
 * @param load is made by Gatling when the experiment is open
 * @param starts make its steps begin with those of other shards
 */
public record DatabaseConfig(
    RunSettings settings, LoadShare sharded, RunClock clock, Load load, ShardStarts starts) {
  /** Time for requests under way when the process is being ended. */
  private static final Duration LAST_REQUESTS_LIMIT = Duration.ofSeconds(5);

  /**
   * Reads the scenario; starts nothing yet.
   *
   * @throws QuorateException if it cannot be read or does not have the database
   */
  public static DatabaseConfig of(RunSettings given, Store database) {
    RunSettings settings = given.planned();
    Scenario asked = settings.readScenario();
    LoadShare sharded = settings.shareInCluster(asked, database);
    RunClock clock = RunClock.start();
    Load load = new Load(sharded, clock);
    ShardStarts starts =
        settings
            .shards()
            .starts(sharded, settings.hosting(asked), load, what -> say(database, what));
    return new DatabaseConfig(settings, sharded, clock, load, starts);
  }

  public Store database() {
    return databaseLoad().database();
  }

  public Scenario scenario() {
    return sharded.scenario();
  }

  StoreLoad databaseLoad() {
    return sharded.load();
  }

  /**
   * Starts the servers, prepares the keys, warms up; then the load may begin.
   *
   * @throws QuorateException if that fails; then it is recorded, and nothing runs any more
   */
  public RunningDatabase open() {
    RunRecord record = RunRecord.begin(directory(), firstManifest());
    Teardown teardown = new Teardown();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> interrupted(record, teardown), "interrupted-run"));
    RunningDatabase opened;
    try {
      opened = open(record, teardown);
    } catch (RuntimeException failure) {
      String reason =
          record.isInterrupted()
              ? "interrupted before the first request was measured"
              : record.explained(String.valueOf(failure.getMessage()));
      fail(record, teardown, reason);
      throw new QuorateException(database() + ": " + reason, failure);
    }
    opened.requireAlive();
    return opened;
  }

  private DatabaseDirectory directory() {
    return settings
        .run()
        .map(RunDirectory::open)
        .orElseGet(
            () ->
                RunDirectory.create(
                    settings.results(),
                    scenario().name(),
                    scenario().scale(),
                    sharded.shard(),
                    Instant.now()))
        .createDatabase(database().id());
  }

  private Manifest firstManifest() {
    return Manifest.starting(
        sharded, settings.client(database()), HostInfo.ofThisMachine(), Instant.now());
  }

  private RunningDatabase open(RunRecord record, Teardown teardown) {
    if (settings.realTime()) {
      askForRealTime(record);
    }
    starts.enter();
    Optional<RunMetrics> metrics = metrics(teardown);
    ServerSettings chosen = scenario().requireLoad(database()).settings();
    if (!chosen.equals(databaseLoad().settings())) {
      say("the given servers keep their own settings, not those of the scenario: " + chosen);
    }
    Servers servers =
        Servers.start(databaseLoad(), scenario(), settings, starts, record, this::say);
    Cluster cluster = teardown.add(servers.cluster(), Cluster::close);
    starts.publish(cluster);
    cluster.leaveStoppingToCaller();
    record.add(manifest -> manifest.withServers(servers.facts()));
    databaseLoad()
        .column()
        .name()
        .ifPresent(name -> record.add(manifest -> manifest.withTag(name)));
    servers.zones(scenario()).ifPresent(zones -> tell(zones, record));
    requireVersion(cluster.version());
    if (!cluster.version().isEmpty()) {
      String leader = cluster.leader().map(it -> ", leader " + it.name()).orElse("");
      say("version " + cluster.version() + leader);
    }
    StoreClient client = teardown.add(settings.client(database()).start(), StoreClient::close);
    Connector connector =
        new Connector(
            client, servers.endpoints(scenario()), scenario().timeout(), cluster.access());
    Optional<RunPrefix> prefix = enter(connector, cluster, record, teardown);
    load.connectTo(connector);
    Monitor monitor =
        teardown.add(
            monitor(cluster, record.directory(), Optional.of(scenario().timeout()), metrics),
            Monitor::stop);
    prepare(monitor);
    HostRecording.Scope scope =
        new HostRecording.Scope(
            servers.metrics(), cluster.relay(), sharded.shard().number(), sharded.shard().count());
    HostRecording recording =
        teardown.add(record(cluster, scope, record.directory()), HostRecording::close);
    load.observedBy(observer(recording, record));
    say("measuring " + extent());
    return new RunningDatabase(
        this, record, teardown, cluster, client, monitor, recording, scope, prefix);
  }

  /** Starts to record the machines. */
  HostRecording record(Cluster cluster, HostRecording.Scope scope, DatabaseDirectory directory) {
    return HostRecording.start(
        database(),
        cluster.members(),
        load::presentClients,
        directory,
        scope,
        cluster.access(),
        clock.asClock());
  }

  /** Starts to write the measurements, of the load or of the trials of a search. */
  Monitor monitor(
      Cluster cluster,
      DatabaseDirectory directory,
      Optional<Duration> requestTimeout,
      Optional<RunMetrics> metrics) {
    Monitor monitor =
        new Monitor(
            load,
            clock,
            settings.realTime(),
            cluster,
            directory,
            requestTimeout,
            metrics,
            Console::line);
    monitor.start();
    return monitor;
  }

  /** Prepares an existing cluster for the keys of the run; empty if the run has its own servers. */
  private Optional<RunPrefix> enter(
      Connector connector, Cluster cluster, RunRecord record, Teardown teardown) {
    String text = scenario().keys().prefix();
    if (settings.usesExistingCluster() && scenario().mix().usesLeases()) {
      say("makes leases in the existing cluster, which expire by themselves after the run");
    }
    if (text.isEmpty()) {
      return Optional.empty();
    }
    RunPrefix prefix =
        new RunPrefix(text, database(), load, settings.servers().keepKeys(), record, this::say);
    List<Endpoint> members = cluster.members().stream().map(Member::endpoint).toList();
    prefix.enter(connector, members, settings.capacityGoal());
    return Optional.of(teardown.add(prefix, RunPrefix::remove));
  }

  private void askForRealTime(RunRecord record) {
    boolean granted = RealTime.ask();
    record.add(manifest -> manifest.withRealTime(granted));
    say(
        granted
            ? "all threads of the load generator have real-time priority"
            : "no real-time priority: the system refused it; run as root, or raise 'ulimit -r'");
  }

  /** Keeps the zones with the files of the run, and says how far apart they really are. */
  private void tell(RunZones zones, RunRecord record) {
    zones.write(record.directory());
    zones.links().forEach(link -> say(link.text()));
  }

  private void requireVersion(String found) {
    if (database().version().filter(asked -> !asked.equals(found)).isPresent()) {
      throw new QuorateException(
          "found servers of version %s, expected %s"
              .formatted(VisibleText.quoted(found), database().version().get()));
    }
  }

  /** Serves the figures of the load while it runs, if that is asked for. */
  private Optional<RunMetrics> metrics(Teardown teardown) {
    return settings
        .metrics()
        .map(
            address -> {
              RunMetrics metrics = new RunMetrics(database().id(), load);
              teardown.add(metrics.serve(address), HTTPServer::close);
              say("metrics at http://" + address + "/metrics");
              return metrics;
            });
  }

  private String extent() {
    boolean byTime = databaseLoad().steps().stream().anyMatch(Step::endsByTime);
    long seconds =
        databaseLoad().steps().stream()
            .mapToLong(step -> step.duration().map(Duration::toSeconds).orElse(0L))
            .sum();
    return byTime ? "for " + count(seconds, "second") : databaseLoad().requests() + " requests";
  }

  private void prepare(Monitor monitor) {
    say(preparations());
    try {
      load.prepare();
    } catch (RuntimeException failure) {
      throw monitor.failure().map(QuorateException::new).orElseThrow(() -> failure);
    }
  }

  private String preparations() {
    String keys =
        scenario().mix().usesKeys() && scenario().keys().prepared()
            ? "writing " + count(scenario().keys().count(), "key") + ", then "
            : "";
    return keys + "warming up with " + count(scenario().warmUp(), "request");
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private StepObserver observer(HostRecording recording, RunRecord record) {
    return new StepObserver() {
      @Override
      public void begins(int step) {
        starts.prepare(step);
        if (settings.realTime()) {
          RealTime.ask(); // for the threads of the connections
        }
        recording.sample(step, StepBoundary.BEGIN);
        starts.begin(step);
      }

      @Override
      public boolean isWaiting() {
        return starts.isWaiting();
      }

      @Override
      public void hasEnded(int step) {
        recording.sample(step, StepBoundary.END);
        record.add(manifest -> manifest.withStarts(starts.starts()));
      }
    };
  }

  /** Records a failure, stops the servers and keeps what was measured. */
  void fail(RunRecord record, Teardown teardown, String reason) {
    try {
      record.fail(LoadGeneratorUsage.all(load), reason);
      starts.fail(reason);
    } finally {
      teardown.close();
    }
  }

  /** Handles the end of the process, for whatever reason; the manifest stays as it is. */
  private void interrupted(RunRecord record, Teardown teardown) {
    if (record.interrupt()) {
      say("interrupted; what was measured is in " + record.directory());
      load.cancel();
      starts.fail("interrupted");
      load.awaitEnd(LAST_REQUESTS_LIMIT);
      verify(ReadBack.Limits.AFTER_INTERRUPT)
          .ifPresent(found -> record.add(manifest -> manifest.withVerification(found)));
    }
    teardown.close();
    record.release();
  }

  /** Reads the written keys back, and reports the result; empty if there are none. */
  Optional<Verification> verify(ReadBack.Limits limits) {
    Optional<Verification> found =
        load.writtenKeys()
            .map(
                written ->
                    new ReadBack(
                            written, limits, new VerificationLines(database().id(), Console::line))
                        .run(load.connector(), database()));
    found.ifPresent(each -> say(each.text()));
    return found;
  }

  public void say(String what) {
    say(database(), what);
  }

  private static void say(Store database, String what) {
    Console.line(database.id() + "  " + what);
  }

  /**
   * Closes what was opened, the last first, when all is done, when something has failed, or when
   * the process is ending; then also what is opened later, at once. Any thread.
   */
  static final class Teardown implements AutoCloseable {
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private boolean closed;

    /** Takes something that was opened, with how it is closed; that must be idempotent. */
    <T> T add(T part, Consumer<T> close) {
      boolean late;
      synchronized (this) {
        late = closed;
        if (!late) {
          opened.push(() -> close.accept(part));
        }
      }
      if (late) {
        close.accept(part);
      }
      return part;
    }

    /** Closes everything, once; waits until it is closed. */
    @Override
    public void close() {
      Deque<Runnable> parts;
      synchronized (this) {
        closed = true;
        parts = new ArrayDeque<>(opened);
      }
      parts.forEach(Runnable::run);
    }
  }
}
