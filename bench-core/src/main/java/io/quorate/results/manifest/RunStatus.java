package io.quorate.results.manifest;

import java.util.Locale;

/** The outcome of the run of a database. */
public enum RunStatus {
  /**
   * Run that is in flight or was killed: the status in a manifest from the start of the run, so
   * that it is true whenever the run breaks off.
   */
  INTERRUPTED,
  /** Run whose requests were all made. */
  COMPLETE,
  /** Run that was stopped, for the reason in the manifest. */
  FAILED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
