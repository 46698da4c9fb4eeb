// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ReservedManifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.run.options.RunSettings;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the load generator of one database, and records its end if the load generator could not. */
record LoadGeneratorRun(
    LoadGenerator.Launcher launcher, EarlyEnd early, RunSettings settings, Store database) {
  private static final int OK = 0;
  private static final int MAX_LINES = 8;

  /** What the JVM prints before it ends itself, followed by the kind of the memory. */
  private static final String OUT_OF_MEMORY = "Terminating due to java.lang.OutOfMemoryError: ";

  /**
   * Generates the load to its end.
   *
   * @param databasesLeft number of databases that the run measures after this one
   * @return whether all requests were made
   */
  boolean into(RunDirectory run, int databasesLeft) throws InterruptedException {
    DatabaseDirectory directory = run.createDatabase(database.id());
    int exitCode =
        early.cause().isPresent()
            ? Quorate.FAILED
            : launcher.run(settings, database, run, databasesLeft, early);
    ReservedManifest.release(directory);
    if (!Files.exists(directory.manifest())) {
      if (early.cause().isPresent()) {
        tried(() -> notBegun().endedEarly(Instant.now()).write(directory));
        return false;
      }
      startFailure(
          directory,
          "the load generator ended %s before it began%s"
              .formatted(how(exitCode, directory), lastWords(directory)));
      return false;
    }
    Manifest manifest = Manifest.read(directory.manifest());
    RunStatus status = manifest.status();
    if (status == RunStatus.INTERRUPTED) {
      String reason = "the load generator was ended " + how(exitCode, directory);
      Console.lines("%s: %s; what was measured is in %s".formatted(database, reason, directory));
      tried(() -> withoutKeys(manifest.interrupted(reason)).write(directory));
      sayLeases();
    } else if (status == RunStatus.COMPLETE && exitCode != OK) {
      Console.lines(
          "%s: all requests completed, but Gatling failed to write its report (%s)"
              .formatted(database, how(exitCode, directory)));
    }
    if (status.isMeasured()) {
      validate(directory);
    }
    return status == RunStatus.COMPLETE && exitCode == OK;
  }

  /**
   * Returns what a run has not done at its end, as sentences without a full stop: keys that were
   * not verified, or that may be left in an existing cluster.
   */
  static List<String> undone(DatabaseDirectory directory) {
    Manifest manifest = Manifest.read(directory.manifest());
    List<String> undone = new ArrayList<>();
    manifest
        .verification()
        .filter(found -> !found.isComplete())
        .ifPresent(
            found -> undone.add("verification is incomplete: " + VisibleText.of(found.text())));
    manifest
        .store()
        .servers()
        .keys()
        .filter(ServerInfo.RunKeys::mayBeLeft)
        .ifPresent(keys -> undone.add(keys.text()));
    return undone.stream().map(each -> directory.id() + ": " + each).toList();
  }

  /**
   * Removes the keys in an existing cluster of a load generator that could not do it itself, and
   * returns the manifest with the outcome.
   */
  private Manifest withoutKeys(Manifest manifest) {
    Optional<ServerInfo.RunKeys> left =
        manifest
            .store()
            .servers()
            .keys()
            .filter(keys -> keys.state() == ServerInfo.RunKeys.State.WRITTEN);
    if (left.isEmpty() || settings.servers().keepKeys()) {
      return manifest;
    }
    ServerInfo.RunKeys keys = left.get();
    try {
      removeBelow(keys.prefix());
      keys = keys.with(ServerInfo.RunKeys.State.REMOVED);
      Console.lines(database + ": " + keys.text());
    } catch (QuorateException failure) {
      keys = keys.with(ServerInfo.RunKeys.State.LEFT);
      Console.lines(
          "%s: the keys cannot be removed: %s"
              .formatted(database, VisibleText.of(failure.getMessage())));
    }
    return manifest.withKeys(keys);
  }

  /** Says when leases in an existing cluster end, which only their owner knows. */
  private void sayLeases() {
    OperationMix mix = settings.readScenario().requests().mix();
    if (settings.usesExistingCluster() && mix.usesLeases()) {
      Console.lines(
          "%s: the leases that are left expire by themselves within %d s"
              .formatted(database, mix.leases().ttlSeconds()));
    }
  }

  private void removeBelow(String prefix) {
    Scenario scenario = settings.readScenario();
    try (StoreClient client = settings.client(scenario.requireLoad(database)).start()) {
      Connector connector =
          new Connector(
              client,
              settings.servers().endpoints(),
              scenario.requests().timeout(),
              settings.servers().access(scenario, database));
      RunPrefix.run(
          new KeyRemoval(prefix, List.of(), 1),
          connector,
          database,
          scenario.faults().isPresent(),
          removed -> {});
    }
  }

  /** Reads the written files, so that a file that reports cannot read is detected at once. */
  private void validate(DatabaseDirectory directory) {
    DatabaseRun.read(directory.path())
        .unreadable()
        .forEach(
            each ->
                Console.lines(
                    "%s: Quorate wrote a file that it cannot read; please report this defect: %s"
                        .formatted(database, each.text())));
  }

  private void tried(Runnable writing) {
    try {
      writing.run();
    } catch (QuorateException impossible) {
      Console.lines(database + ": " + impossible.getMessage());
    }
  }

  private static String lastWords(DatabaseDirectory directory) {
    String said =
        output(directory)
            .map(line -> line.replaceAll("\\p{Cntrl}", "?").strip())
            .filter(line -> !line.isEmpty())
            .distinct()
            .limit(MAX_LINES)
            .collect(Collectors.joining("; "));
    return said.isEmpty() ? "" : "; it said: " + said;
  }

  /** Returns the lines that Gatling and the JVM have printed; none if they cannot be read. */
  private static Stream<String> output(DatabaseDirectory directory) {
    try {
      return Files.readAllLines(LoadGenerator.log(directory)).stream();
    } catch (IOException unreadable) {
      return Stream.empty();
    }
  }

  private void startFailure(DatabaseDirectory directory, String reason) {
    Console.lines(database + ": " + reason);
    tried(() -> notBegun().failed(Instant.now(), reason).write(directory));
  }

  private Manifest notBegun() {
    return Manifest.starting(
        settings.share(settings.readScenario(), database),
        settings.client(settings.readScenario().requireLoad(database)),
        HostInfo.ofThisMachine(),
        Instant.now());
  }

  private static String how(int exitCode, DatabaseDirectory directory) {
    return exitCode > EarlyEnd.SIGNALLED
        ? "by signal " + (exitCode - EarlyEnd.SIGNALLED)
        : output(directory)
            .filter(line -> line.startsWith(OUT_OF_MEMORY))
            .findFirst()
            .map(line -> line.substring(OUT_OF_MEMORY.length()).strip())
            .map(
                kind ->
                    "with code %d: out of memory (%s); JAVA_TOOL_OPTIONS=-Dquorate.jvmArgs=-Xmx4g raises the limit"
                        .formatted(exitCode, VisibleText.of(kind)))
            .orElse("with code " + exitCode + ", see gatling.log");
  }
}
