package io.quorate.host;

import io.quorate.results.hosts.StepBoundary;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Measures members on other machines, by the same code as here, into the files of a run on this
 * machine. Nothing of it fails a run: what is missing is in {@link #remarks}. The methods are for
 * one thread, but {@link #remarks} is for any.
 */
public interface RemoteMetrics {
  /**
   * Starts to measure; returns when the first row of each member was measured. From then on rows
   * arrive about once a second.
   *
   * @param clients how many there are at the moment; asked once a second from another thread
   */
  void start(IntSupplier clients, HostMetricFiles files);

  /**
   * Requests a sample of every member at this end of a step, and does not wait for it.
   *
   * @param step from 1
   * @return waits until all are measured; it never throws, and does not wait for ever
   */
  Runnable sample(int step, StepBoundary boundary);

  /** Returns the current size of a member's data in bytes; empty if it is not known. */
  Optional<Long> dataBytes(int index);

  /** Stops measuring, and returns when all rows have arrived. Idempotent. */
  void stop();

  /** Returns the measurements that failed and why, each once, as lines for people. */
  List<String> remarks();
}
