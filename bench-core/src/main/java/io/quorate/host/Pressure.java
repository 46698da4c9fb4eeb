// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resource of the machine that threads wait for, as Linux counts it in {@code /proc/pressure}.
 */
enum Pressure {
  CPU,
  IO,
  MEMORY;

  private static final Pattern SOME = Pattern.compile("(?m)^some .*\\btotal=(\\d{1,18})$");

  /**
   * Returns the time in which a thread or more waited for the resource; negative where Linux does
   * not count it.
   */
  long millis(KernelText kernel) {
    return kernel
        .of("/proc/pressure/" + name().toLowerCase(Locale.ROOT))
        .map(Pressure::millis)
        .orElse(-1L);
  }

  /** Parses the total of the line {@code some}, in microseconds; negative if there is none. */
  static long millis(String text) {
    Matcher some = SOME.matcher(text);
    return some.find() ? TimeUnit.MICROSECONDS.toMillis(Long.parseLong(some.group(1))) : -1;
  }
}
