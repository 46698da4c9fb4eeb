// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;

/** Ends this process with its parent, without which it is useless. */
public final class ParentProcess {
  private static final String NAME = "parent-watch";

  /** Ends the run of this process early when its parent ends, if that is Maven. */
  public static void endWhenItEnds() {
    ProcessHandle.current()
        .parent()
        .ifPresent(
            parent ->
                parent
                    .onExit()
                    .thenRun(() -> DaemonThreads.start(NAME, EarlyEnd.Cause.HUP::raise)));
  }

  /** Ends this process when its parent closes the other end of standard input. */
  public static void exitWhenInputEnds(InputStream input) {
    DaemonThreads.start(
        NAME,
        () -> {
          try {
            input.transferTo(java.io.OutputStream.nullOutputStream());
          } catch (IOException ended) {
            // the end of the stream, for whatever reason
          }
          System.exit(EarlyEnd.Cause.TERM.exitCode());
        });
  }

  private ParentProcess() {}
}
