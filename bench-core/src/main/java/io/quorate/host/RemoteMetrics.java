// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Measures members on other machines, with the code for local members, into the files of a run on
 * this machine. It never fails a run: {@link #remarks} lists what is missing. One thread calls the
 * methods, but any thread may call {@link #remarks}.
 */
public interface RemoteMetrics {
  /**
   * Starts to measure; returns when the first row of each member was measured. From then on rows
   * arrive about once a second.
   *
   * @param clients returns the current number of clients; called once a second from another thread
   */
  void start(IntSupplier clients, HostFiles files);

  /**
   * Requests a sample of every member at this end of a step, and does not wait for it.
   *
   * @param step number of the step, from 1
   * @return an action that waits until all are measured, for a limited time; it never throws
   */
  Runnable sample(int step, StepBoundary boundary);

  /** Returns the current size of a member's data in bytes; empty if it is not known. */
  Optional<Long> dataBytes(int index);

  /** Stops measuring, and returns when all rows have arrived. Idempotent. */
  void stop();

  /** Returns a readable line about each measurement that failed, with the reason. */
  List<String> remarks();
}
