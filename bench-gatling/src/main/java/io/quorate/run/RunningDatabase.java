// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.format.NumberFormats;
import io.quorate.host.HostRecording;
import io.quorate.load.Connector;
import io.quorate.load.FailoverClient;
import io.quorate.load.Load;
import io.quorate.load.LoadGeneratorMonitor;
import io.quorate.load.LoadGeneratorStall;
import io.quorate.load.RealTime;
import io.quorate.load.RunningStep;
import io.quorate.load.StepObserver;
import io.quorate.load.verify.ReadBack;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.GeneratorDelay;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.Verification;
import io.quorate.recipe.SessionRecipes;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.LockRecord;
import io.quorate.results.RunDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.SessionRecord;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunZones;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StepUsage;
import io.quorate.run.capacity.CapacityMeasurement;
import io.quorate.run.live.Monitor;
import io.quorate.run.live.ProgressInterval;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * One database of one run. {@link #open} starts its servers and writes its keys; then Gatling
 * generates the load, and {@link #finish} ends all.
 */
public final class RunningDatabase implements AutoCloseable {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final RunSettings settings;
  private final LoadShare sharded;
  private final Load load;
  private final ShardStarts starts;
  private final Teardown teardown = new Teardown(this::say);
  private final Thread interruption = new Thread(this::interrupted, "interrupted-run");
  private RunRecord record;
  private Cluster cluster;
  private StoreClient client;
  private Monitor monitor;
  private HostRecording recording;
  private HostRecording.Scope scope;
  private Optional<RunPrefix> prefix = Optional.empty();
  private Optional<FaultRun> faults = Optional.empty();
  private Optional<SessionRecipes> recipes = Optional.empty();
  private boolean leasesRevoked;

  @SuppressWarnings("NullAway.Init") // open() sets the other fields, and is called first
  public RunningDatabase(RunSettings given, Store database) {
    settings = given.planned();
    Scenario asked = settings.readScenario();
    sharded = settings.shareInCluster(asked, database);
    load = new Load(sharded, RunClock.start());
    starts = new ShardStarts(settings.shards(), sharded, settings.hosting(asked), load, this::say);
  }

  public RunSettings settings() {
    return settings;
  }

  public Store database() {
    return sharded.load().database();
  }

  public Scenario scenario() {
    return sharded.scenario();
  }

  public Load load() {
    return load;
  }

  public Cluster cluster() {
    return cluster;
  }

  public DatabaseDirectory directory() {
    return record.directory();
  }

  /**
   * Starts the servers, prepares the keys, and warms up; a failure is recorded and stops
   * everything.
   */
  public void open() {
    record =
        new RunRecord(
            newDirectory(),
            Manifest.starting(
                sharded, settings.client(sharded.load()), HostInfo.ofThisMachine(), Instant.now()));
    Runtime.getRuntime().addShutdownHook(interruption);
    try {
      start();
    } catch (RuntimeException failure) {
      String reason =
          record.isInterrupted()
              ? "interrupted before the first request was measured"
              : record.explained(String.valueOf(failure.getMessage()));
      fail(reason);
      throw new QuorateException(database() + ": " + reason, failure);
    }
    monitor.failure().ifPresent(this::abort);
  }

  private DatabaseDirectory newDirectory() {
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

  private void start() {
    if (settings.realTime()) {
      askForRealTime();
    }
    starts.enter();
    Optional<RunMetrics> metrics = metrics();
    ServerSettings chosen = scenario().requireLoad(database()).settings();
    if (settings.usesExistingCluster() && !chosen.isEmpty()) {
      say("existing cluster: ignoring the scenario's server settings: " + chosen);
    }
    Servers servers =
        Servers.start(sharded.load(), scenario(), settings, starts, record, this::say);
    cluster = teardown.add(servers.cluster(), Cluster::close);
    starts.publish(cluster);
    cluster.leaveStoppingToCaller();
    record.add(manifest -> manifest.withServers(servers.facts()));
    Optional<String> name = sharded.load().column().name();
    name.ifPresent(given -> record.add(manifest -> manifest.withTag(given)));
    Optional<RunZones> zones = servers.zones(scenario());
    if (zones.isPresent()) {
      zones.get().write(record.directory());
      zones.get().links().forEach(link -> say(link.text()));
    }
    requireVersion(cluster.version());
    if (!cluster.version().isEmpty()) {
      String leader = cluster.leader().map(it -> ", leader " + it.name()).orElse("");
      say("version " + cluster.version() + leader);
    }
    List<Endpoint> endpoints = servers.endpoints(scenario());
    client = teardown.add(settings.client(sharded.load()).start(), StoreClient::close);
    StoreClient ofLoad =
        scenario().onFailure() == ConnectionBinding.FAILOVER
            ? teardown.add(
                new FailoverClient(client, endpoints, scenario().seed()), StoreClient::close)
            : client;
    Connector connector = new Connector(ofLoad, endpoints, scenario().timeout(), cluster.access());
    enter(connector);
    load.connectTo(connector);
    if (scenario().mix().usesSessions()) {
      recipes = Optional.of(teardown.add(recipes(connector.settings()), SessionRecipes::close));
      load.workload().carriedOutBy(recipes.get());
    }
    faults =
        FaultRun.of(scenario(), settings.servers().faultCommands(), load, directory(), this::say);
    faults.ifPresent(each -> teardown.add(each, FaultRun::close));
    faults.ifPresent(each -> each.announce(cluster));
    prefix.ifPresent(keys -> faults.ifPresent(each -> keys.expectFaults(each::silent)));
    monitor = monitor(directory(), Optional.of(patience()), metrics);
    prepare();
    faults.ifPresent(each -> each.prepare(cluster, database()));
    scope =
        new HostRecording.Scope(
            servers.metrics(), cluster.relay(), sharded.shard().number(), sharded.shard().count());
    recording = record(directory());
    load.observedBy(new Observer());
    say("measuring " + extent());
  }

  private SessionRecipes recipes(List<DriverSettings> members) {
    try {
      return new SessionRecipes(
          scenario().mix(),
          load.workload(),
          sharded.load().steps().size(),
          client,
          members,
          new RecipeFiles(directory()),
          load::isCancelled);
    } catch (UnsupportedOperationException without) {
      throw new QuorateException(
          "%s: %s; leave out the choice of a client".formatted(database(), without.getMessage()),
          without);
    }
  }

  /** Appends what the clients of recipes observed to the files of the run. */
  private record RecipeFiles(DatabaseDirectory directory) implements SessionRecipes.Output {
    @Override
    public void locks(List<LockRecord> held) {
      LockRecord.append(directory, held);
    }

    @Override
    public void sessions(List<SessionRecord> ended) {
      SessionRecord.append(directory, ended);
    }
  }

  public HostRecording record(DatabaseDirectory to) {
    return teardown.add(
        HostRecording.start(
            database(),
            cluster.members(),
            load::presentClients,
            to,
            scope,
            cluster.access(),
            load.clock().asClock()),
        HostRecording::close);
  }

  /** Starts to write the measurements; without a timeout, the measurements of a search's trials. */
  public Monitor monitor(
      DatabaseDirectory to, Optional<Duration> requestTimeout, Optional<RunMetrics> metrics) {
    Monitor started =
        new Monitor(
            load, settings.realTime(), cluster, to, requestTimeout, metrics, Console::progress);
    started.start();
    return teardown.add(started, Monitor::stop);
  }

  private void enter(Connector connector) {
    String text = scenario().keys().prefix();
    if (settings.usesExistingCluster() && scenario().mix().usesLeases()) {
      enterWithLeases(scenario().mix());
    }
    if (text.isEmpty()) {
      return;
    }
    RunPrefix entered =
        new RunPrefix(text, database(), load, settings.servers().keepKeys(), record, this::say);
    List<Endpoint> members = cluster.members().stream().map(Member::endpoint).toList();
    entered.enter(connector, members, settings.capacityGoal(), scenario().faults());
    prefix = Optional.of(teardown.add(entered, RunPrefix::remove));
  }

  private void enterWithLeases(OperationMix mix) {
    boolean revokes = mix.needsLeases() && !settings.servers().keepKeys();
    if (revokes) {
      say(
          "makes %s in the existing cluster, and revokes them afterwards"
              .formatted(NumberFormats.count(mix.leases().count(), "lease")));
      teardown.add(this, RunningDatabase::revokeLeases);
    }
    if (!revokes || mix.has(Operation.LEASE_GRANT)) {
      say(
          "makes%s leases in the existing cluster, which expire by themselves %d s after the run"
              .formatted(revokes ? " further" : "", mix.leases().ttlSeconds()));
    }
  }

  /** Revokes the leases that keys of the load may have, once. */
  private synchronized void revokeLeases() {
    if (leasesRevoked || !settings.usesExistingCluster() || settings.servers().keepKeys()) {
      return;
    }
    leasesRevoked = true;
    try {
      load.revokeLeases(RunPrefix.LAST_REQUESTS_LIMIT);
    } catch (QuorateException failure) {
      say(
          "the leases expire by themselves %d s after the run, as they cannot be revoked: %s"
              .formatted(
                  scenario().mix().leases().ttlSeconds(), VisibleText.of(failure.getMessage())));
    }
  }

  private void askForRealTime() {
    boolean granted = RealTime.ask();
    record.add(manifest -> manifest.withRealTime(granted));
    say(
        granted
            ? "all threads of the load generator have real-time priority"
            : "no real-time priority: the system refused it; run as root, or raise 'ulimit -r'");
  }

  private void requireVersion(String found) {
    if (database().version().filter(asked -> !asked.equals(found)).isPresent()) {
      throw new QuorateException(
          "found servers of version %s, expected %s"
              .formatted(VisibleText.quoted(found), database().version().get()));
    }
  }

  private Optional<RunMetrics> metrics() {
    return settings
        .metrics()
        .map(
            address -> {
              RunMetrics metrics = new RunMetrics(database().id(), load);
              teardown.add(metrics.serve(address), HTTPServer::close);
              say(RunMetrics.location(address));
              return metrics;
            });
  }

  /**
   * Returns the timeout of requests, or the time of the longest fault, or of an operation of a
   * session, if that is longer.
   */
  private Duration patience() {
    return Stream.concat(
            scenario().faults().stream()
                .flatMap(plan -> plan.kinds().stream())
                .map(FaultPlan.Kind::length),
            scenario().mix().sessions().stream().map(OperationMix.Sessions::longest))
        .reduce(scenario().timeout(), (most, each) -> each.compareTo(most) > 0 ? each : most);
  }

  private String extent() {
    long seconds =
        sharded.load().steps().stream()
            .mapToLong(step -> step.duration().map(Duration::toSeconds).orElse(0L))
            .sum();
    return sharded.load().endsByTime()
        ? "for " + NumberFormats.count(seconds, "second")
        : sharded.load().requests() + " requests";
  }

  private void prepare() {
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
            ? "writing " + NumberFormats.count(scenario().keys().count(), "key") + ", then "
            : "";
    return keys
        + RunPreview.warmUp(scenario()).map(how -> "warming up " + how).orElse("measuring at once");
  }

  private final class Observer implements StepObserver {
    @Override
    public void begins(int step) {
      starts.prepare(step);
      Step planned = load.steps().get(step - 1).step();
      recipes.ifPresent(each -> each.open(step, planned.clients(), !planned.isOpen()));
      if (settings.realTime()) {
        RealTime.ask(); // for the threads of the connections
      }
      recording.sample(step, StepBoundary.BEGIN);
      starts.begin(step);
      faults.ifPresent(each -> each.begin(cluster));
    }

    @Override
    public boolean isWaiting() {
      return starts.isWaiting();
    }

    @Override
    public void hasEnded(int step) {
      faults.ifPresent(FaultRun::end);
      recording.sample(step, StepBoundary.END);
      recipes.ifPresent(SessionRecipes::end);
      record.add(manifest -> manifest.withStarts(starts.starts()));
    }
  }

  /** Returns whether the process is ending, so that nothing new should begin. */
  public boolean isEnding() {
    return record.isInterrupted() || load.isCancelled();
  }

  public void finish() {
    if (record.isInterrupted()) {
      awaitEnd();
    }
    monitor.stop();
    Optional<String> failure = monitor.failure().or(this::nothingSucceeded);
    if (failure.isPresent()) {
      Teardown.each(this::say, () -> verify(ReadBack.Limits.AFTER_FAILURE));
      abort(failure.get());
    }
    orGiveUp(
        () -> {
          recording.diskUsage();
          recording.close();
          RunEvent.append(directory(), recording.stops());
        });
    recording.remarks().forEach(this::say);
    orGiveUp(this::searchCapacity);
    orGiveUp(starts::awaitEnd);
    if (record.isInterrupted()) {
      awaitEnd();
    }
    verify(ReadBack.Limits.PATIENT);
    orGiveUp(() -> faults.ifPresent(each -> each.compare(cluster, client)));
    orGiveUp(() -> faults.ifPresent(FaultRun::requireWritten));
    recipes
        .filter(known -> known.unrecorded() > 0)
        .ifPresent(
            known ->
                say(
                    "locks.jsonl has the first %s locks of each step, not %s later ones"
                        .formatted(
                            NumberFormats.commas(known.mostOfStep()),
                            NumberFormats.commas(known.unrecorded()))));
    record.lost().ifPresent(lost -> giveUp("failed", lost));
    recipes.ifPresent(SessionRecipes::close);
    orGiveUp(() -> recipes.ifPresent(SessionRecipes::requireRecorded));
    prefix.ifPresent(RunPrefix::remove);
    revokeLeases();
    client.close();
    starts.leaveServers();
    boolean ours =
        settings.hosting(scenario()) != ServerInfo.Hosting.GIVEN && database().hasServers();
    say("load complete" + (ours ? "; stopping the servers" : ""));
    cluster.close();
    List<StepUsage> costs = costs();
    costs.forEach(this::tell);
    load.steps().forEach(this::tellStalls);
    record.complete(costs);
    say(
        LoadGenerator.hasCharts()
            ? "Gatling writes its report"
            : LoadGenerator.absenceOfCharts(settings.home()));
    if (settings.run().isEmpty()) {
      Quorate.run(settings.reportOf(Objects.requireNonNull(directory().path().getParent())));
    }
  }

  /** Closes what {@link #finish} has left open, after a failure too. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(interruption);
    } catch (IllegalStateException ending) {
      return; // the hook closes everything
    }
    teardown.close();
  }

  /**
   * Never returns while the process is ending, which writes the remaining files. Otherwise Gatling
   * would try to write its report, and print a stack trace if no request was sent.
   */
  private static void awaitEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void searchCapacity() {
    settings.capacityGoal().ifPresent(goal -> new CapacityMeasurement(this, goal).run());
  }

  private void orGiveUp(Runnable work) {
    try {
      work.run();
    } catch (QuorateException failure) {
      if (record.isInterrupted()) {
        awaitEnd();
      }
      Teardown.each(this::say, () -> verify(ReadBack.Limits.AFTER_FAILURE));
      abort(failure.getMessage());
    }
  }

  private Optional<String> nothingSucceeded() {
    boolean nothing =
        load.steps().stream()
            .filter(RunningStep::hasStarted)
            .allMatch(step -> step.recorder().successCount() == 0);
    return nothing ? Optional.of("not one request succeeded") : Optional.empty();
  }

  private void abort(String found) {
    giveUp("given up", record.lost().map(lost -> found + "; " + lost).orElse(found));
  }

  private void giveUp(String how, String found) {
    String reason = record.explained(found);
    fail(reason);
    throw new QuorateException(
        "%s: %s: %s; what was measured is in %s".formatted(database(), how, reason, directory()));
  }

  private void fail(String reason) {
    Teardown.each(this::say, () -> starts.fail(reason), teardown::close);
    // at last, as the manifest says whether the keys were removed
    record.fail(costs(), reason);
  }

  private List<StepUsage> costs() {
    return load.steps().stream()
        .flatMap(step -> step.selfWatch().map(watch -> cost(step, watch)).stream())
        .toList();
  }

  private static StepUsage cost(RunningStep step, LoadGeneratorMonitor watch) {
    StepMeasurement measured = step.recorder().measurement();
    List<ErrorTally> errors = measured.errors();
    return new StepUsage(
        step.number(),
        step.step().clients(),
        measured.successes().count() + errors.stream().mapToLong(ErrorTally::count).sum(),
        watch.elapsedNanos(),
        measured.successes().sumNanos() + errors.stream().mapToLong(ErrorTally::totalNanos).sum(),
        watch.cpuNanos(),
        watch.machineLoad(),
        watch.gcPauseNanos(),
        watch.longestGcPauseNanos(),
        OptionalLong.of(watch.compileNanos()));
  }

  private void tell(StepUsage cost) {
    RunningStep step = load.steps().get(cost.step() - 1);
    GeneratorDelay delay = step.recorder().delay();
    String machine =
        cost.machineLoad().isPresent()
            ? ", host CPU %.0f%%".formatted(100 * cost.machineLoad().getAsDouble())
            : "";
    say(
        ("%s: load generator: %.1f us CPU per request%s, delay p50: %.2f, p99: %.2f, max: %.2f ms, longest"
                + " GC pause %.0f ms")
            .formatted(
                step.step().load(),
                cost.cpuNanosPerRequest() / NANOS_PER_MICRO,
                machine,
                delay.nanos(50) / NANOS_PER_MILLI,
                delay.nanos(99) / NANOS_PER_MILLI,
                delay.nanos(100) / NANOS_PER_MILLI,
                cost.longestGcPauseNanos() / NANOS_PER_MILLI));
  }

  private void tellStalls(RunningStep step) {
    List<LoadGeneratorStall> stalls = step.stalls();
    if (!stalls.isEmpty()) {
      say(
          "%s: the load generator stalled %s, for up to %.0f ms"
              .formatted(
                  step.step().load(),
                  NumberFormats.count(stalls.size(), "time"),
                  stalls.stream().mapToLong(LoadGeneratorStall::nanos).max().orElseThrow()
                      / NANOS_PER_MILLI));
    }
  }

  /** Handles the end of the process, for whatever reason; the manifest stays as it is. */
  private void interrupted() {
    if (record.interrupt()) {
      say("interrupted; partial results: " + directory());
      Teardown.each(
          this::say,
          load::cancel,
          () -> faults.ifPresent(FaultRun::end),
          () -> starts.fail("interrupted"),
          () -> load.awaitEnd(RunPrefix.LAST_REQUESTS_LIMIT),
          () ->
              readBack(ReadBack.Limits.AFTER_INTERRUPT)
                  .ifPresent(found -> record.add(manifest -> manifest.withVerification(found))));
    }
    teardown.close();
    Teardown.each(this::say, record::release);
  }

  private void verify(ReadBack.Limits limits) {
    readBack(limits).ifPresent(record::verified);
  }

  private Optional<Verification> readBack(ReadBack.Limits limits) {
    ReadBack.Progress lines = ProgressInterval.ofReadBack(database().id(), Console::progress);
    Optional<Verification> found =
        load.writtenKeys()
            .map(written -> new ReadBack(written, limits, lines).run(load.connector(), database()));
    found.ifPresent(each -> say(each.text()));
    return found;
  }

  public void say(String what) {
    Console.line(database().id() + "  " + what);
  }
}
