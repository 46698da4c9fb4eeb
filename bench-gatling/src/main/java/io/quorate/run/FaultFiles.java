// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.fault.Survivors;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.FaultRecord;
import io.quorate.results.LockRecord;
import io.quorate.results.RunEvent;
import io.quorate.results.SessionRecord;
import io.quorate.results.WatchedWrite;
import java.util.List;
import java.util.Optional;

/**
 * The files of a run about its faults, and about the clients next to its load. A write that fails
 * stops neither of them, but the run. For several threads.
 */
final class FaultFiles implements Survivors.Output {
  private final DatabaseDirectory directory;

  /** The first failure; empty if all was written. */
  private Optional<QuorateException> failure = Optional.empty();

  FaultFiles(DatabaseDirectory directory) {
    this.directory = directory;
  }

  @Override
  public void sessions(List<SessionRecord> ended) {
    attempt(() -> SessionRecord.FILE.append(directory, ended));
  }

  @Override
  public void lock(LockRecord held) {
    attempt(() -> LockRecord.FILE.append(directory, held));
  }

  @Override
  public void writes(List<WatchedWrite> all) {
    attempt(() -> WatchedWrite.FILE.append(directory, all));
  }

  void fault(FaultRecord fault) {
    attempt(() -> FaultRecord.FILE.append(directory, fault));
  }

  void event(RunEvent event) {
    attempt(() -> RunEvent.append(directory, List.of(event)));
  }

  private synchronized void attempt(Runnable write) {
    try {
      write.run();
    } catch (QuorateException unwritten) {
      failure = failure.or(() -> Optional.of(unwritten));
    }
  }

  /**
   * Checks that all was written.
   *
   * @throws QuorateException if it was not
   */
  synchronized void requireWritten() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
