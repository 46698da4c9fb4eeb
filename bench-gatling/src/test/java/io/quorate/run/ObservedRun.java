// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.cli.Quorate;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.TestServers;
import io.quorate.host.HostRecording;
import io.quorate.load.Connector;
import io.quorate.load.Load;
import io.quorate.load.RequestListener;
import io.quorate.load.RequestLog;
import io.quorate.load.RunningStep;
import io.quorate.load.StepObserver;
import io.quorate.measure.RunClock;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.WrittenSteps;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A run in this process on servers of this machine, whose counters are read by hand around each
 * step: once within the samples that the run takes, and once around them. So what the run says of
 * its machines can never be less than the one and more than the other, however busy this machine
 * is.
 */
final class ObservedRun implements StepObserver {
  private final HostRecording recording;
  private final List<Long> pids;
  private ProcCounters beforeSample;
  private ProcCounters afterSample;
  private ProcCounters least = ProcCounters.NONE;
  private ProcCounters most = ProcCounters.NONE;

  private ObservedRun(HostRecording recording, List<Long> pids) {
    this.recording = recording;
    this.pids = pids;
  }

  /**
   * The outcome of a run.
   *
   * @param run its directory, with its report
   * @param least what the servers did between the samples of each step
   * @param most the same, with what they did while the samples were taken
   * @param members how many servers there were
   */
  record Outcome(Path run, ProcCounters least, ProcCounters most, int members) {}

  @Override
  public void begins(int step) {
    beforeSample = ProcCounters.now(pids);
    recording.sample(step, StepBoundary.BEGIN);
    afterSample = ProcCounters.now(pids);
  }

  @Override
  public void hasEnded(int step) {
    least = least.plus(ProcCounters.now(pids).minus(afterSample));
    recording.sample(step, StepBoundary.END);
    most = most.plus(ProcCounters.now(pids).minus(beforeSample));
  }

  /** Runs the first database of a scenario, and makes the report. */
  static Outcome of(String scenarioText, Path directory) throws Exception {
    Scenario scenario = ScenarioReader.read("observed.yaml", scenarioText, 1);
    StoreLoad databaseLoad = scenario.databases().get(0);
    RunClock clock = RunClock.start();
    Load load = new Load(LoadShare.whole(scenario, databaseLoad), clock);
    RunDirectory run = RunDirectory.create(directory, "observed", 1, Instant.now());
    DatabaseDirectory files = run.createDatabase(databaseLoad.database().id());
    try (StoreClient client = databaseLoad.database().clients().get(0).start();
        Cluster cluster =
            TestServers.start(
                databaseLoad.database(), scenario.cluster().members(), files.path())) {
      List<Endpoint> endpoints = cluster.members().stream().map(Member::endpoint).toList();
      load.connectTo(new Connector(client, endpoints, Duration.ofSeconds(60), Access.PLAIN));
      load.prepare();
      ObservedRun observed;
      try (HostRecording recording =
          HostRecording.start(
              databaseLoad.database(),
              cluster.members(),
              load::presentClients,
              files,
              new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
              cluster.access(),
              clock.asClock())) {
        List<Long> pids =
            cluster.members().stream().flatMap(member -> member.pids().stream()).toList();
        observed = new ObservedRun(recording, pids);
        load.observedBy(observed);
        try (LatencyLog log = LatencyLog.create(files.latencyLog(), Instant.now())) {
          for (RunningStep step : load.steps()) {
            run(step, log, load.steps().indexOf(step) + 1);
          }
        }
        recording.diskUsage();
      }
      WrittenSteps.write(
          files, load.steps().stream().map(step -> step.recorder().measurement()).toList());
      Manifest.starting(
              LoadShare.whole(scenario, databaseLoad),
              databaseLoad.database().clients().get(0),
              HostInfo.ofThisMachine(),
              Instant.now())
          .withServers(
              Manifests.servers(
                  Optional.of(cluster.version()),
                  endpoints.stream().map(Endpoint::toString).toList(),
                  Optional.empty()))
          .completed(Instant.now())
          .write(files);
      if (Quorate.run("report", run.path().toString()) != 0) {
        throw new AssertionError("no report of " + run.path());
      }
      return new Outcome(run.path(), observed.least, observed.most, endpoints.size());
    }
  }

  private static void run(RunningStep step, LatencyLog log, int number) throws Exception {
    for (int client = 1; client < step.step().clients(); client++) {
      step.join(new RequestLog(RequestListener.NOBODY));
    }
    step.join(new RequestLog(RequestListener.NOBODY)).get(10, TimeUnit.MINUTES);
    log.append(LatencyTag.response(number, "put"), step.recorder().operations().get(0).interval());
  }
}
