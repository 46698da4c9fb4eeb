// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.fault.Contenders;
import io.quorate.fault.FaultAnnouncement;
import io.quorate.fault.FaultCommands;
import io.quorate.fault.FaultInjector;
import io.quorate.fault.MemberValues;
import io.quorate.fault.Survivors;
import io.quorate.history.HistoryFile;
import io.quorate.load.Load;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.RunEvent;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The faults of a run of a database: records the history of its requests, lets some clients contend
 * next to the load, causes the faults during the load, and compares the members afterwards.
 */
final class FaultRun implements AutoCloseable {
  private static final long MOST_KEYS = 10_000;

  private final FaultPlan plan;
  private final FaultCommands commands;
  private final Scenario scenario;
  private final DatabaseDirectory directory;
  private final FaultFiles files;
  private final Consumer<String> log;
  private final long originNanos = System.nanoTime();
  private final HistoryFile history;
  private final Load load;
  private Optional<Contenders> contenders = Optional.empty();
  private Optional<Survivors> survivors = Optional.empty();
  private Optional<FaultInjector> injector = Optional.empty();

  private FaultRun(
      FaultPlan plan,
      FaultCommands commands,
      Scenario scenario,
      Load load,
      DatabaseDirectory directory,
      Consumer<String> log) {
    this.plan = plan;
    this.commands = commands;
    this.scenario = scenario;
    this.load = load;
    this.directory = directory;
    this.files = new FaultFiles(directory);
    this.log = log;
    this.history = HistoryFile.create(FaultRecord.history(directory));
    load.recordIn(history, originNanos);
  }

  /** Begins to record the requests of a scenario with faults; empty without faults. */
  static Optional<FaultRun> of(
      Scenario scenario,
      FaultCommands commands,
      Load load,
      DatabaseDirectory directory,
      Consumer<String> log) {
    return scenario
        .faults()
        .map(plan -> new FaultRun(plan, commands, scenario, load, directory, log));
  }

  /** Says what will be done to which member of an existing cluster. */
  void announce(Cluster cluster) {
    if (cluster.control().isEmpty()) {
      new FaultAnnouncement(plan, commands, cluster.members(), cluster.leader())
          .lines()
          .forEach(log);
    }
  }

  /** Opens the connections of the clients next to the load; the cluster serves. */
  void prepare(Cluster cluster, Store store) {
    contenders = Optional.of(new Contenders(load, scenario, history, originNanos));
    survivors =
        Optional.of(new Survivors(cluster, store, load, scenario, plan, files, originNanos));
  }

  /** Begins to cause the faults; the load begins now. */
  void begin(Cluster cluster) {
    contenders.ifPresent(Contenders::start);
    survivors.ifPresent(Survivors::start);
    FaultInjector started =
        new FaultInjector(
            cluster,
            commands,
            plan,
            scenario.seed(),
            originNanos,
            this::faultBegins,
            this::add,
            log);
    injector = Optional.of(started);
    started.start();
  }

  private void faultBegins() {
    survivors.ifPresent(Survivors::faultBegins);
  }

  private void add(FaultRecord fault) {
    files.fault(fault);
    if (fault.tookEffect()) {
      long length = fault.endNanos() - fault.startNanos();
      files.event(
          new RunEvent(
              RunEvent.Kind.FAULT,
              String.join(", ", fault.members()),
              1,
              fault.startUnixNanos(),
              fault.startUnixNanos() + length,
              0,
              fault.kind().toString()));
    }
  }

  /** Causes no further fault, lets all members run again, and ends the clients next to the load. */
  void end() {
    Teardown.each(
        log,
        () -> injector.ifPresent(FaultInjector::close),
        () -> contenders.ifPresent(Contenders::close),
        () -> survivors.ifPresent(Survivors::stop));
  }

  /** Returns the members that did not serve again after the faults. */
  List<String> silent() {
    return injector.map(FaultInjector::silent).orElse(List.of());
  }

  /**
   * Writes the rest of the history, waits for late events and expirations, and compares the values
   * of all members.
   */
  void compare(Cluster cluster, StoreClient client) {
    load.flushHistory();
    survivors.ifPresent(Survivors::await);
    survivors.ifPresent(Survivors::close);
    OptionalLong all = OptionalLong.of(load.keyCount());
    MemberAgreement found;
    try {
      MemberValues values = new MemberValues(cluster, client, load, MOST_KEYS);
      List<String> differences = values.differences();
      found =
          new MemberAgreement(
              values.keys(), all, differences.size(), differences, Optional.empty());
    } catch (QuorateException failure) {
      found = new MemberAgreement(0, all, 0, List.of(), Optional.of(failure.getMessage()));
    }
    found.write(directory);
    log.accept(
        found
            .problem()
            .map("the members could not be compared: "::concat)
            .orElse(
                "%d of %d keys read from each member, %d of them differ"
                    .formatted(found.keys(), load.keyCount(), found.differing())));
  }

  /**
   * Checks that all that was observed was written.
   *
   * @throws QuorateException if it was not
   */
  void requireWritten() {
    files.requireWritten();
    history.requireWritten();
  }

  @Override
  public void close() {
    end();
    Teardown.each(
        log, () -> survivors.ifPresent(Survivors::close), load::flushHistory, history::close);
  }
}
