package io.quorate.host;

import io.quorate.run.StepBoundary;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Members on other machines that are measured there, by the same code as here, into the files of a
 * run on this machine. Nothing of it fails a run: what is missing is in {@link #remarks}. The
 * methods are for one thread, but {@link #remarks} is for any.
 */
public interface RemoteMetrics {
  /**
   * Begins; returns when the first row of each member was measured. From then on rows arrive about
   * once a second.
   *
   * @param clients how many there are at the moment; asked once a second from another thread
   */
  void start(IntSupplier clients, HostMetricFiles files);

  /**
   * Has every member measured at this end of a step, and does not wait for it.
   *
   * @param step from 1
   * @return waits until all are measured; it never throws, and does not wait for ever
   */
  Runnable sample(int step, StepBoundary boundary);

  /** How many bytes the data of a member has now; empty if that is not known. */
  Optional<Long> dataBytes(int index);

  /** Ends measuring, and returns when all that was measured has arrived. Idempotent. */
  void stop();

  /** What was not measured and why, each thing once, as lines for people. */
  List<String> remarks();
}
