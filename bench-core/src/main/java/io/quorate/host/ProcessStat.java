// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The values of a process in {@code /proc/PID/stat} that are read here.
 *
 * @param name name of the program, at most 15 characters; it may contain any of them
 * @param state such as {@code S}
 * @param cpuMillis user and system time of all threads since the start of the process
 */
record ProcessStat(String name, char state, long cpuMillis) {
  /** A clock tick of the kernel's interface, 10 ms on all of its platforms that a JDK supports. */
  private static final long MILLIS_PER_TICK = 10;

  private static final Pattern TICKS = Pattern.compile("\\d{1,15}");

  private static final int STATE = 0;
  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  /** Parses a file: pid, name in parentheses, and the other fields; empty for other texts. */
  static Optional<ProcessStat> parse(String text) {
    int open = text.indexOf('(');
    int close = text.lastIndexOf(") ");
    if (open < 0 || close < open) {
      return Optional.empty();
    }
    String[] fields = text.substring(close + 2).split(" ", SYSTEM_TICKS + 2);
    if (fields.length <= SYSTEM_TICKS
        || fields[STATE].length() != 1
        || !TICKS.matcher(fields[USER_TICKS]).matches()
        || !TICKS.matcher(fields[SYSTEM_TICKS]).matches()) {
      return Optional.empty();
    }
    long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    return Optional.of(
        new ProcessStat(
            text.substring(open + 1, close), fields[STATE].charAt(0), MILLIS_PER_TICK * ticks));
  }

  /**
   * Returns whether a signal has stopped the process; a tracer such as strace does so differently.
   */
  boolean isStopped() {
    return state == 'T';
  }
}
