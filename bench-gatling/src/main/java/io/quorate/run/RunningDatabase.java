// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.cli.Quorate;
import io.quorate.cluster.Cluster;
import io.quorate.host.HostRecording;
import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.RealTime;
import io.quorate.load.RunningStep;
import io.quorate.load.StepObserver;
import io.quorate.load.verify.ReadBack;
import io.quorate.measure.RunClock;
import io.quorate.measure.Verification;
import io.quorate.recipe.SessionRecipes;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.capacity.CapacityMeasurement;
import io.quorate.run.live.Monitor;
import io.quorate.run.live.ProgressInterval;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.driver.FailoverClient;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * One database of one run. {@link #open} starts its servers and writes its keys; then Gatling
 * generates the load, and {@link #finish} ends all. What else a run does are {@link RunPart}s.
 */
public final class RunningDatabase implements AutoCloseable {
  private final RunSettings settings;
  private final LoadShare share;
  private final Load load;
  private final Deque<RunPart> parts = new ConcurrentLinkedDeque<>();
  private final Teardown teardown = new Teardown(this::say);
  private final Thread interruption = new Thread(this::interrupted, "interrupted-run");
  private RunRecord record;
  private ShardStarts starts;
  private Cluster cluster;
  private StoreClient client;
  private Monitor monitor;

  private volatile boolean early;

  private volatile boolean measured;

  @SuppressWarnings("NullAway.Init") // open() sets the other fields, and is called first
  public RunningDatabase(RunSettings given, Store database, EarlyEnd end) {
    settings = given.planned();
    share = settings.shareInCluster(settings.readScenario(), database);
    load = new Load(share, RunClock.start());
    end.whenRequested(this::endEarly);
  }

  /** Sends no further requests; what was sent is verified, and its keys are removed. */
  private void endEarly() {
    if (!measured) {
      early = true;
      load.cancel();
    }
  }

  public Store database() {
    return share.load().database();
  }

  public Scenario scenario() {
    return share.scenario();
  }

  public Load load() {
    return load;
  }

  /**
   * Starts the servers, prepares the keys, and warms up; a failure is recorded and stops
   * everything.
   */
  public void open() {
    record =
        new RunRecord(
            newDirectory(),
            settings.priced(
                Manifest.starting(
                    share,
                    settings.client(share.load()),
                    HostInfo.ofThisMachine(),
                    Instant.now())));
    Runtime.getRuntime().addShutdownHook(interruption);
    try {
      start();
    } catch (RuntimeException failure) {
      if (early && !record.isInterrupted()) {
        abandon("ended early");
        teardown.close();
        record.complete(StepCosts.of(load), true);
        throw new QuorateException(
            database() + ": ended early before the first request was measured", failure);
      }
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
                    scenario().heading().name(),
                    scenario().scale(),
                    share.shard(),
                    Instant.now()))
        .createDatabase(database().id());
  }

  private void start() {
    if (settings.realTime()) {
      askForRealTime();
    }
    starts =
        add(
            new ShardStarts(
                settings.shards(), share, settings.hosting(scenario()), load, record, this::say));
    starts.enter();
    Optional<RunMetrics> metrics = metrics();
    Servers servers = Servers.start(share.load(), scenario(), settings, starts, record, this::say);
    cluster = teardown.add(servers.cluster(), Cluster::close);
    starts.publish(cluster);
    cluster.leaveStoppingToCaller();
    share.load().column().name().ifPresent(name -> record.add(manifest -> manifest.withTag(name)));
    servers.record(scenario(), record, this::say);
    List<Endpoint> endpoints = servers.endpoints(scenario());
    client = teardown.add(settings.client(share.load()).start(), StoreClient::close);
    int digits = scenario().requests().mix().digitsOfLists();
    if (digits > 0) {
      client.group(digits);
    }
    StoreClient ofLoad =
        scenario().requests().onFailure() == ConnectionBinding.FAILOVER
            ? teardown.add(
                new FailoverClient(client, endpoints, scenario().requests().seed()),
                StoreClient::close)
            : client;
    Connector connector =
        new Connector(ofLoad, endpoints, scenario().requests().timeout(), cluster.access());
    Connector writers = connector.to(servers.writers(scenario(), endpoints));
    RunContext run = new RunContext(settings, share, load, record, servers, teardown);
    if (RunLeases.areUsedBy(run)) {
      add(new RunLeases(run));
    }
    Optional<RunPrefix> prefix =
        Optional.of(scenario().requests().keys().prefix())
            .filter(text -> !text.isEmpty())
            .map(text -> add(new RunPrefix(text, run, writers)));
    load.connectTo(writers, connector);
    settings.capacityGoal().ifPresent(goal -> add(new CapacityMeasurement(run, goal)));
    if (scenario().requests().mix().usesSessions()) {
      add(recipes(connector.settings()));
    }
    Optional<FaultRun> faults =
        scenario()
            .faults()
            .map(plan -> teardown.add(new FaultRun(plan, run, client), RunPart::close));
    prefix.ifPresent(keys -> faults.ifPresent(each -> keys.expectFaults(each::silent)));
    monitor = run.monitor(record.directory(), Optional.of(scenario().longestRequest()), metrics);
    // sampled before the load, too, so that the JVM does not compile this code during the load
    Optional<HostRecording> rehearsal =
        servers.metrics().isPresent()
            ? Optional.empty()
            : Optional.of(run.recordHosts(record.directory()));
    prepare(servers);
    if (early) {
      throw new CancellationException();
    }
    rehearsal.ifPresent(HostRecording::close);
    faults.ifPresent(FaultRun::prepare);
    parts.add(run.recordHosts(record.directory()));
    faults.ifPresent(parts::add);
    // the last one is the first to see the end of a step
    parts.add(new ZoneCounts(run));
    load.observedBy(new Observer());
    say("measuring " + RunPreview.extent(share.load()));
  }

  private <P extends RunPart> P add(P part) {
    parts.add(teardown.add(part, RunPart::close));
    return part;
  }

  private SessionRecipes recipes(List<DriverSettings> members) {
    try {
      return new SessionRecipes(
          load, scenario().requests().mix(), client, members, record.directory(), this::say);
    } catch (UnsupportedOperationException without) {
      throw new QuorateException(
          "%s: %s; leave out the choice of a client".formatted(database(), without.getMessage()),
          without);
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

  private void reversed(Consumer<RunPart> action) {
    parts.descendingIterator().forEachRemaining(action);
  }

  private Optional<RunMetrics> metrics() {
    return settings
        .metrics()
        .map(
            address -> {
              RunMetrics metrics = new RunMetrics(database().id(), load);
              teardown.add(metrics.serve(address), HTTPServer::close);
              if (settings.watch().isEmpty()) { // the page's server has them, too
                say(RunMetrics.location(address));
              }
              return metrics;
            });
  }

  private void prepare(Servers servers) {
    say(RunPreview.preparations(scenario()));
    try {
      load.prepare(() -> servers.awaitKeys(scenario()));
    } catch (RuntimeException failure) {
      throw monitor.failure().map(QuorateException::new).orElseThrow(() -> failure);
    }
  }

  private final class Observer implements StepObserver {
    @Override
    public void begins(int step) {
      parts.forEach(part -> part.prepareStep(step));
      if (settings.realTime()) {
        RealTime.ask(); // for the threads of the connections
      }
      parts.forEach(part -> part.stepBegins(step));
    }

    @Override
    public boolean isWaiting() {
      return starts.isWaiting();
    }

    @Override
    public void hasEnded(int step) {
      reversed(part -> part.stepEnded(step));
    }
  }

  public void finish() {
    awaitInterruption();
    orGiveUp(this::endLoad);
    reversed(
        part -> {
          orGiveUp(part::loadEnded);
          part.remarks().forEach(this::say);
        });
    measured = true;
    awaitInterruption();
    verify(ReadBack.Limits.PATIENT);
    reversed(part -> orGiveUp(part::finish));
    record.lost().ifPresent(lost -> giveUp("failed", lost));
    reversed(RunPart::close);
    client.close();
    starts.leaveServers();
    boolean ours =
        settings.hosting(scenario()) != ServerInfo.Hosting.GIVEN && database().hasServers();
    say("load complete" + (ours ? "; stopping the servers" : ""));
    cluster.close();
    StepCosts.lines(load).forEach(this::detail);
    record.complete(StepCosts.of(load), early);
    boolean alone = settings.run().isEmpty();
    if (alone || settings.hasGatlingReport()) {
      detail(
          LoadGenerator.hasCharts()
              ? "Gatling writes its report"
              : LoadGenerator.absenceOfCharts(settings.home()));
    }
    if (alone) {
      Quorate.run(settings.reportOf(Objects.requireNonNull(record.directory().path().getParent())));
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
  private void awaitInterruption() {
    if (record.isInterrupted()) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void orGiveUp(Runnable work) {
    try {
      work.run();
    } catch (CancellationException ended) {
      if (!early) {
        throw ended;
      }
    } catch (QuorateException failure) {
      awaitInterruption();
      Teardown.each(this::say, () -> verify(ReadBack.Limits.AFTER_FAILURE));
      abort(failure.getMessage());
    }
  }

  private void endLoad() {
    monitor.stop();
    QuorateException.throwIf(monitor.failure().or(this::nothingSucceeded));
  }

  private Optional<String> nothingSucceeded() {
    if (early) {
      return Optional.empty();
    }
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
        "%s: %s: %s; what was measured is in %s"
            .formatted(database(), how, reason, record.directory()));
  }

  private void fail(String reason) {
    abandon(reason);
    teardown.close();
    // at last, as the manifest says whether the keys were removed
    record.fail(StepCosts.of(load), reason);
  }

  private void abandon(String reason) {
    reversed(part -> Teardown.each(this::say, () -> part.abandon(reason)));
  }

  /** Handles the end of the process, for whatever reason; the manifest stays as it is. */
  private void interrupted() {
    if (record.interrupt()) {
      say("interrupted; partial results: " + record.directory());
      Teardown.each(
          this::say,
          load::cancel,
          () -> abandon("interrupted"),
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
    ReadBack.Progress lines = ProgressInterval.ofReadBack(database().title(), Console::progress);
    Optional<Verification> found =
        load.writtenKeys()
            .map(written -> new ReadBack(written, limits, lines).run(load.writers(), database()));
    found.ifPresent(each -> say(each.text()));
    return found;
  }

  private void detail(String what) {
    Console.detail(database().title() + "  " + what);
  }

  private void say(String what) {
    Console.line(database().title() + "  " + what);
  }
}
