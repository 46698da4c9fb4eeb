package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.cluster.Cluster;
import io.quorate.host.HostRecording;
import io.quorate.load.Load;
import io.quorate.load.RunningStep;
import io.quorate.load.verify.ReadBack;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StepUsage;
import io.quorate.run.capacity.CapacityMeasurement;
import io.quorate.run.live.Monitor;
import io.quorate.store.StoreClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * An experiment whose servers run and whose keys are written, so that its load can be made.
 *
 * @param of the experiment that was opened
 * @param scope of the recording
 * @param prefix of its keys in an existing cluster; empty if the run has its own servers
 */
public record RunningDatabase(
    DatabaseConfig of,
    RunRecord record,
    DatabaseConfig.Teardown teardown,
    Cluster cluster,
    StoreClient client,
    Monitor monitor,
    HostRecording recording,
    HostRecording.Scope scope,
    Optional<RunPrefix> prefix) {

  /**
   * Checks that nothing has ended meanwhile that is needed.
   *
   * @throws QuorateException with the reason; then it is recorded, and nothing runs any more
   */
  void requireAlive() {
    monitor.failure().ifPresent(this::abort);
  }

  /** Returns whether the process is being ended, so that nothing new should begin. */
  public boolean isEnding() {
    return record.isInterrupted() || of.load().isCancelled();
  }

  /** Starts to record the machines during the trials of a search. */
  public HostRecording recordTrials(DatabaseDirectory directory) {
    return teardown.add(of.record(cluster, scope, directory), HostRecording::close);
  }

  /** Starts to write the measurements of the trials of a search. */
  public Monitor monitorTrials(DatabaseDirectory directory) {
    return teardown.add(
        of.monitor(cluster, directory, Optional.empty(), Optional.empty()), Monitor::stop);
  }

  /** Writes the files, stops the servers and records the outcome. */
  public void finish() {
    if (record.isInterrupted()) {
      awaitEnd();
    }
    monitor.stop();
    Optional<String> failure = monitor.failure().or(this::nothingSucceeded);
    if (failure.isPresent()) {
      verify(ReadBack.Limits.AFTER_FAILURE);
      abort(failure.get());
    }
    recording.diskUsage();
    recording.close();
    recording.remarks().forEach(of::say);
    searchCapacity();
    of.starts().awaitEnd();
    if (record.isInterrupted()) {
      awaitEnd();
    }
    verify(ReadBack.Limits.PATIENT);
    record.lost().ifPresent(lost -> fail("failed", lost));
    prefix.ifPresent(RunPrefix::remove);
    client.close();
    of.starts().leaveServers();
    boolean ours =
        of.settings().hosting(of.scenario()) != ServerInfo.Hosting.GIVEN
            && of.database().hasServers();
    of.say("all requests made" + (ours ? "; stopping the servers" : ""));
    cluster.close();
    List<StepUsage> costs = LoadGeneratorUsage.all(load());
    for (StepUsage cost : costs) {
      RunningStep step = load().steps().get(cost.step() - 1);
      of.say(LoadGeneratorUsage.text(step.step(), cost, step.recorder().delay()));
    }
    for (RunningStep step : load().steps()) {
      LoadGeneratorUsage.text(step.step(), step.stalls()).ifPresent(of::say);
    }
    record.complete(costs);
    of.say(
        LoadGenerator.Charts.areThere()
            ? "Gatling writes its report"
            : LoadGenerator.Charts.absence(of.settings().home()));
    if (of.settings().run().isEmpty()) {
      Quorate.run("report", record.directory().path().getParent().toString());
    }
  }

  /**
   * Never returns while the process is being ended, which writes the rest: Gatling would try to
   * write its report, and print a stack trace if no request was sent.
   */
  private static void awaitEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void searchCapacity() {
    try {
      of.settings().capacityGoal().ifPresent(goal -> new CapacityMeasurement(this, goal).run());
    } catch (QuorateException failure) {
      verify(ReadBack.Limits.AFTER_FAILURE);
      abort(failure.getMessage());
    }
  }

  private Load load() {
    return of.load();
  }

  private Optional<String> nothingSucceeded() {
    boolean nothing =
        load().steps().stream()
            .filter(RunningStep::hasStarted)
            .allMatch(step -> step.recorder().successCount() == 0);
    return nothing ? Optional.of("not one request succeeded") : Optional.empty();
  }

  private void verify(ReadBack.Limits limits) {
    of.verify(limits).ifPresent(record::verified);
  }

  private void abort(String found) {
    fail("given up", record.lost().map(lost -> found + "; " + lost).orElse(found));
  }

  private void fail(String how, String found) {
    String reason = record.explained(found);
    of.fail(record, teardown, reason);
    throw new QuorateException(
        "%s: %s: %s; what was measured is in %s"
            .formatted(of.database(), how, reason, record.directory()));
  }
}
