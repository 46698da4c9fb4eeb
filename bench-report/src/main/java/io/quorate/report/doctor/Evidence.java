// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.store.server.StallCause;

/**
 * Something that was recorded and can explain a stall of clients. Times are in milliseconds since
 * 1970 by the clock of the load generator.
 *
 * @param source what it is about, such as {@code etcd-2}
 * @param startMillis start, as early as the resolution of the record allows
 * @param endMillis end, not before the start
 * @param ms for how long it can have stalled a request; infinite if that is not known
 * @param detail measured value, such as {@code 128 to 256 ms}; may be empty
 */
public record Evidence(
    StallCause cause,
    String source,
    double startMillis,
    double endMillis,
    double ms,
    String detail) {
  public Evidence {
    if (endMillis < startMillis) {
      throw new IllegalArgumentException("expected an end that is not before the start");
    }
  }

  /**
   * Returns the time within which it may have happened earlier or later; 0 if it took most of it.
   */
  double uncertainMillis() {
    double millis = endMillis - startMillis;
    return ms < millis / 2 || Double.isInfinite(ms) ? millis : 0;
  }

  /** Returns whether it may have happened during a stall. */
  boolean overlaps(Stall stall) {
    return startMillis - CircularShift.TOLERANCE_MILLIS <= stall.endMillis()
        && endMillis + CircularShift.TOLERANCE_MILLIS >= stall.startMillis();
  }
}
