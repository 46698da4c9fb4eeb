// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.Named;

/** The ways in which a trial may end. */
public enum TrialVerdict implements Named {
  /** The load is within the limits. */
  PASS("passed"),
  /** The load is beyond one of the limits. */
  FAIL("failed"),
  /**
   * The load generator could not generate the load, so the trial shows nothing about the servers.
   */
  SPOILED("invalid"),
  /**
   * The bounds of the violating part are on both sides of a limit. Such a trial decides nothing
   * about its load; only {@link CapacityLikelihood} uses it.
   */
  UNDECIDED("undecided");

  private final String words;

  TrialVerdict(String words) {
    this.words = words;
  }

  /** Returns how pages and consoles name it; {@link #id} is its name in files. */
  public String words() {
    return words;
  }
}
