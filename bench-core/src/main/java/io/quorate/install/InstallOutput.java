package io.quorate.install;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Shows a person what an install does.
 *
 * @param interval how often progress is told
 */
record InstallOutput(PrintWriter out, Duration interval) {
  void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  /** Tells the line again and again until that is closed. */
  InstallProgress progress(Supplier<String> line) {
    return InstallProgress.every(interval, out, line);
  }
}
