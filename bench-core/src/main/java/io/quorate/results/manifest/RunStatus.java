// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.Named;

/** The outcome of the run of a database. */
public enum RunStatus implements Named {
  /**
   * Run that is in progress or was killed. Manifests have this status from the start of the run, so
   * that it is correct whenever the run is killed.
   */
  INTERRUPTED,
  /** Run whose requests were all sent. */
  COMPLETE,
  /** Run that was stopped, for the reason in the manifest. */
  FAILED,
  /**
   * Run that a user ended early, in good order; its results are those of the requests until then.
   */
  ENDED_EARLY;

  /** Returns whether the run came to an end that was asked for, so that it has results. */
  public boolean isMeasured() {
    return this == COMPLETE || this == ENDED_EARLY;
  }

  /** Returns the status in words. */
  public String text() {
    return id().replace('-', ' ');
  }
}
