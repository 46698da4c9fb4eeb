// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.util.Locale;

/** What servers of several stores report about themselves, by seconds of a run. */
public enum ServerCourse {
  SERVER_LOG_SYNC_MS,
  SERVER_COMMIT_MS,
  SERVER_QUEUE,
  SERVER_LEADER_CHANGES,
  SERVER_GC_PAUSE_MS;

  /** Returns the name of the column and the plot. */
  public String title() {
    return name().replace('_', '-').toUpperCase(Locale.ROOT);
  }
}
