package io.quorate.run;

import java.util.Locale;

/** How the run of a database ended. */
public enum RunStatus {
  /**
   * Not yet, or the process was killed: what a manifest says from the start of the run, so that it
   * is true whenever the run breaks off.
   */
  INTERRUPTED,
  /** All requests were made. */
  COMPLETE,
  /** It was given up, for the reason that the manifest states. */
  FAILED;

  /** As in the manifest and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
