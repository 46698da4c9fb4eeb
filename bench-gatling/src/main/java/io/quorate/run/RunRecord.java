// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.manifest.FileVersions;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ReservedManifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StepUsage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The manifest of a run while it continues. Its status is {@code interrupted} until the run has
 * completed or failed, so that it is correct after a kill at any time. For one thread, except for
 * {@link #interrupt()} and {@link #release()}.
 */
public final class RunRecord {
  private final DatabaseDirectory directory;
  private final ReservedManifest reserved;
  private volatile Manifest manifest;
  private volatile boolean interrupted;

  /** Whether the newest manifest is not in its file, as on a full device. */
  private volatile boolean unwritten;

  RunRecord(DatabaseDirectory directory, Manifest first) {
    this.directory = directory;
    this.manifest = first;
    this.reserved = ReservedManifest.begin(first, directory);
  }

  public DatabaseDirectory directory() {
    return directory;
  }

  /** Adds facts; if they cannot be written now, they are at the end, for which room is reserved. */
  void add(UnaryOperator<Manifest> facts) {
    manifest = facts.apply(manifest);
    try {
      manifest.write(directory);
      unwritten = false;
    } catch (QuorateException full) {
      unwritten = true;
    }
  }

  void verified(Verification found) {
    manifest = manifest.withVerification(found);
  }

  /** Returns a text about acknowledged keys that are missing or wrong, if there are any. */
  Optional<String> lost() {
    return manifest.verification().filter(Verification::failed).map(Verification::reason);
  }

  void complete(List<StepUsage> costs, boolean early) {
    Manifest ended = manifest.withCosts(costs);
    Instant now = Instant.now();
    end(
        (early ? ended.endedEarly(now) : ended.completed(now))
            .withSizes(FileVersions.sizes(directory.path())));
  }

  void fail(List<StepUsage> costs, String reason) {
    end(manifest.withCosts(costs).failed(Instant.now(), reason));
  }

  private synchronized void end(Manifest last) {
    if (!interrupted) {
      manifest = last;
      unwritten = false;
      reserved.end(last);
    }
  }

  /** Notes that the process is ending; returns whether the outcome was still open. */
  synchronized boolean interrupt() {
    interrupted = true;
    return manifest.status() == RunStatus.INTERRUPTED;
  }

  boolean isInterrupted() {
    return interrupted;
  }

  /**
   * Releases the space that was reserved for the final manifest, after a last attempt to write the
   * facts that could not be written. Idempotent.
   */
  synchronized void release() {
    if (unwritten) {
      unwritten = false;
      reserved.end(manifest);
    } else {
      reserved.close();
    }
  }

  /** Prepends a full device to a reason, as it may be the cause. */
  String explained(String reason) {
    return reason.contains(" the device that holds ")
        ? reason
        : DiskSpace.full(directory.path()).map(full -> full + "; " + reason).orElse(reason);
  }
}
