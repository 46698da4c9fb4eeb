package io.quorate.capacity;

import io.quorate.Named;

/** The ways in which a trial may end. */
public enum TrialVerdict implements Named {
  /** The load is within the limits. */
  PASS,
  /** The load is beyond one of the limits. */
  FAIL,
  /** Nothing was learned of the servers, as the load generator could not generates the load. */
  SPOILED,
  /**
   * The bounds of what violates a limit lie on both sides of it. Such a trial decides nothing about
   * its load; only {@link CapacityLikelihood} uses it.
   */
  UNDECIDED
}
