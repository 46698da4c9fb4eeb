// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.load.verify.ReadBack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The time between progress lines: short on a terminal. */
public final class ProgressInterval {
  /** System property with the number of seconds. */
  public static final String SECONDS = "quorate.progress.seconds";

  /** System property with the number of databases that the run measures after this one. */
  public static final String DATABASES_LEFT = "quorate.databases.left";

  /** Returns one on a terminal, otherwise ten; the system property has precedence. */
  public static int secondsBetweenProgressLines() {
    return Math.max(1, Integer.getInteger(SECONDS, isTerminal() ? 1 : 10));
  }

  /** Returns a printer of the progress of reading keys back, for one thread. */
  public static ReadBack.Progress ofReadBack(String database, Consumer<String> console) {
    long interval = TimeUnit.SECONDS.toNanos(secondsBetweenProgressLines());
    AtomicLong last = new AtomicLong(System.nanoTime());
    return (read, all) -> {
      if (System.nanoTime() - last.get() >= interval) {
        last.set(System.nanoTime());
        console.accept(ProgressLine.ofPreparation(database, "reading keys back", read, all));
      }
    };
  }

  /**
   * Returns whether the output of this process goes to a terminal. Maven pipes the output of a
   * forked process, so the parent's output is checked as well. Works on Linux only.
   */
  private static boolean isTerminal() {
    long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(-1L);
    return isTerminal("self", 2)
        || isTerminal("self", 1)
        || target("self", 2).startsWith("pipe:") && isTerminal(Long.toString(parent), 1);
  }

  private static boolean isTerminal(String process, int descriptor) {
    String target = target(process, descriptor);
    return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
  }

  private static String target(String process, int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", process, "fd", String.valueOf(descriptor)))
          .toString();
    } catch (IOException | UnsupportedOperationException unknown) {
      return "";
    }
  }

  private ProgressInterval() {}
}
