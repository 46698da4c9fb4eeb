// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.cluster.Cluster;
import io.quorate.host.HostRecording;
import io.quorate.load.Load;
import io.quorate.results.DatabaseDirectory;
import io.quorate.run.live.Monitor;
import io.quorate.run.live.RunMetrics;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.Optional;

/**
 * What the parts of the run of a database share, once its servers run.
 *
 * @param teardown closes what parts have opened, whatever happens
 */
public record RunContext(
    RunSettings settings,
    LoadShare share,
    Load load,
    RunRecord record,
    Servers servers,
    Teardown teardown) {
  public Store database() {
    return share.load().database();
  }

  public Scenario scenario() {
    return share.scenario();
  }

  public Cluster cluster() {
    return servers.cluster();
  }

  public DatabaseDirectory directory() {
    return record.directory();
  }

  /** Returns whether the process is ending, so that nothing new should begin. */
  public boolean isEnding() {
    return record.isInterrupted() || load.isCancelled();
  }

  /** Starts to record the machines. */
  public HostRecording recordHosts(DatabaseDirectory to) {
    HostRecording.Scope scope =
        new HostRecording.Scope(
            servers.metrics(), cluster().relay(), share.shard().number(), share.shard().count());
    return teardown.add(
        HostRecording.start(
            database(),
            cluster().members(),
            load::presentClients,
            to,
            scope,
            cluster().access(),
            load.clock().asClock()),
        HostRecording::close);
  }

  /** Starts to write the measurements; without a timeout, the measurements of a search's trials. */
  public Monitor monitor(
      DatabaseDirectory to, Optional<Duration> requestTimeout, Optional<RunMetrics> metrics) {
    Monitor started =
        new Monitor(
            load, settings.realTime(), cluster(), to, requestTimeout, metrics, Console::progress);
    started.start();
    return teardown.add(started, Monitor::stop);
  }

  public void say(String what) {
    Console.line(database().title() + "  " + what);
  }
}
