// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.DaemonThreads;
import java.io.Closeable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The output of an installation, which reports its progress at an interval. */
record InstallOutput(PrintWriter out, Duration interval) {
  void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  /** Reports progress at each interval until the result is closed. */
  Closeable progress(Supplier<String> line) {
    ScheduledExecutorService timer = DaemonThreads.clock("quorate-progress");
    timer.scheduleAtFixedRate(
        () -> out.println(line.get()),
        interval.toNanos(),
        interval.toNanos(),
        TimeUnit.NANOSECONDS);
    return timer::shutdownNow;
  }
}
