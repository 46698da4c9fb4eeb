package io.quorate.install;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The output of an installation.
 *
 * @param interval how often progress is told
 */
record InstallOutput(PrintWriter out, Duration interval) {
  void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  /** Shows a line of progress again and again until the result is closed. */
  InstallProgress progress(Supplier<String> line) {
    return InstallProgress.every(interval, out, line);
  }
}
