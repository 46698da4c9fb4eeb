// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.fault.Contenders;
import io.quorate.fault.FaultAnnouncement;
import io.quorate.fault.FaultCommands;
import io.quorate.fault.FaultInjector;
import io.quorate.fault.MemberValues;
import io.quorate.fault.Survivors;
import io.quorate.history.HistoryFile;
import io.quorate.load.Load;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.RunEvent;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.Endpoint;
import io.quorate.store.StoreClient;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The faults of a run of a database: records the history of its requests, lets some clients contend
 * next to the load, causes the faults during the load, and compares the members afterwards.
 */
final class FaultRun implements RunPart {
  private static final long MOST_KEYS = 10_000;

  private final FaultPlan plan;
  private final FaultCommands commands;
  private final RunContext run;
  private final StoreClient client;
  private final FaultFiles files;
  private final long originNanos = System.nanoTime();
  private final HistoryFile history;
  private final Load load;
  private Optional<Contenders> contenders = Optional.empty();
  private Optional<Survivors> survivors = Optional.empty();
  private Optional<FaultInjector> injector = Optional.empty();

  /**
   * Begins to record all requests, and says what will be done to which member of an existing
   * cluster.
   */
  FaultRun(FaultPlan plan, RunContext run, StoreClient client) {
    this.plan = plan;
    this.commands = run.settings().servers().faultCommands();
    this.run = run;
    this.client = client;
    this.load = run.load();
    this.files = new FaultFiles(run.directory());
    this.history = HistoryFile.create(FaultRecord.history(run.directory()));
    Cluster cluster = run.cluster();
    load.recordIn(history, originNanos, members());
    if (cluster.control().isEmpty()) {
      new FaultAnnouncement(plan, commands, cluster.members(), cluster.leader())
          .lines()
          .forEach(run::say);
    }
  }

  private List<Endpoint> members() {
    return run.cluster().members().stream().map(Member::endpoint).toList();
  }

  /** Opens the connections of the clients next to the load. */
  void prepare() {
    contenders = Optional.of(new Contenders(load, run.scenario(), history, originNanos, members()));
    survivors =
        Optional.of(
            new Survivors(
                run.cluster(), run.database(), load, run.scenario(), plan, files, originNanos));
  }

  @Override
  public void stepBegins(int step) {
    contenders.ifPresent(Contenders::start);
    survivors.ifPresent(Survivors::start);
    FaultInjector started =
        new FaultInjector(
            run.cluster(),
            commands,
            plan,
            run.scenario().requests().seed(),
            originNanos,
            this::faultBegins,
            this::add,
            run::say);
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

  @Override
  public void stepEnded(int step) {
    end();
  }

  @Override
  public void abandon(String reason) {
    end();
  }

  /** Causes no further fault, lets all members run again, and ends the clients next to the load. */
  private void end() {
    Teardown.each(
        run::say,
        () -> injector.ifPresent(FaultInjector::close),
        () -> contenders.ifPresent(Contenders::close),
        () -> survivors.ifPresent(Survivors::stop));
  }

  /** Returns the members that did not serve again after the faults. */
  List<String> silent() {
    return injector.map(FaultInjector::silent).orElse(List.of());
  }

  /**
   * Writes the rest of the history, waits for late events and expirations, compares the values of
   * all members, and checks that all that was observed was written.
   */
  @Override
  public void finish() {
    load.flushHistory();
    survivors.ifPresent(Survivors::await);
    survivors.ifPresent(Survivors::close);
    OptionalLong all = OptionalLong.of(load.keyCount());
    MemberAgreement found;
    try {
      MemberValues values = new MemberValues(run.cluster(), client, load, MOST_KEYS);
      List<String> differences = values.differences();
      found =
          new MemberAgreement(
              values.keys(), all, differences.size(), differences, Optional.empty());
    } catch (QuorateException failure) {
      found = new MemberAgreement(0, all, 0, List.of(), Optional.of(failure.getMessage()));
    }
    found.write(run.directory());
    run.say(
        found
            .problem()
            .map("the members could not be compared: "::concat)
            .orElse(
                "%d of %d keys read from each member, %d of them differ"
                    .formatted(found.keys(), load.keyCount(), found.differing())));
    files.requireWritten();
    history.requireWritten();
  }

  @Override
  public void close() {
    end();
    Teardown.each(
        run::say, () -> survivors.ifPresent(Survivors::close), load::flushHistory, history::close);
  }
}
