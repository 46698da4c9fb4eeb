package io.quorate.install;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Where an install tells what it does.
 *
 * @param interval how often progress is told
 */
record Console(PrintWriter out, Duration interval) {
  void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  /** Tells the line again and again until that is closed. */
  Progress progress(Supplier<String> line) {
    return Progress.every(interval, out, line);
  }
}
