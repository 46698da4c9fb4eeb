// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;

/** Ends this process with its parent, without which it is useless. */
public final class ParentProcess {
  /** Exit code of a process that ended because of SIGTERM, by the convention of shells. */
  private static final int ENDED_BY_REQUEST = 143;

  private static final String NAME = "parent-watch";

  /** Ends this process in an orderly way soon after its parent, if that is Maven. */
  public static void exitWhenItEnds() {
    ProcessHandle.current()
        .parent()
        .ifPresent(
            parent ->
                parent.onExit().thenRun(() -> DaemonThreads.start(NAME, ParentProcess::exit)));
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
          exit();
        });
  }

  private static void exit() {
    System.exit(ENDED_BY_REQUEST);
  }

  private ParentProcess() {}
}
