package io.quorate.simulation;

import io.quorate.DiskSpace;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.Manifest;
import io.quorate.run.ReservedManifest;
import io.quorate.run.RunStatus;
import io.quorate.run.StepCost;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The manifest of a run while it goes on. Until the run has ended well or badly it says {@code
 * interrupted}, so that a kill at any moment leaves the truth behind. For one thread, but for
 * {@link #isInterrupted()} and {@link #release()}.
 */
final class RunRecord {
  private final DatabaseDirectory directory;
  private final ReservedManifest reserved;
  private volatile Manifest manifest;

  private RunRecord(DatabaseDirectory directory, Manifest first) {
    this.directory = directory;
    this.manifest = first;
    this.reserved = ReservedManifest.begin(first, directory);
  }

  /** Writes the first manifest. */
  static RunRecord begin(DatabaseDirectory directory, Manifest first) {
    return new RunRecord(directory, first);
  }

  DatabaseDirectory directory() {
    return directory;
  }

  /** Writes what is known besides. */
  void add(UnaryOperator<Manifest> facts) {
    manifest = facts.apply(manifest);
    manifest.write(directory);
  }

  /** Writes that all requests were made. */
  void complete(List<StepCost> costs) {
    manifest = manifest.withCosts(costs).completed(Instant.now());
    reserved.end(manifest);
  }

  /** Writes that the run has failed. */
  void fail(List<StepCost> costs, String reason) {
    manifest = manifest.withCosts(costs).failed(Instant.now(), reason);
    reserved.end(manifest);
  }

  /** Returns whether nothing was said yet of how the run has ended. */
  boolean isInterrupted() {
    return manifest.status() == RunStatus.INTERRUPTED;
  }

  /** Gives back the room that was kept for the last manifest. Idempotent. */
  void release() {
    reserved.close();
  }

  /**
   * Prepends a full device, where there is one, to a reason: it may be the cause of all the rest.
   */
  String explained(String reason) {
    return reason.contains(" the device that holds ")
        ? reason
        : DiskSpace.full(directory.path()).map(full -> full + "; " + reason).orElse(reason);
  }
}
