// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import java.util.Locale;

/**
 * The result of a check of one member, machine or cluster.
 *
 * @param subject what was checked, such as {@code etcd-2}
 * @param measured measured value with its unit
 */
public record CheckResult(Check check, String subject, Status status, String measured) {
  /** The results of a check, the best first. */
  public enum Status {
    OK,
    /** It was not measured, or the store does not report it. */
    UNKNOWN,
    WARNING,
    BAD;

    /** Returns the word in lower case. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the result as a line of a terminal. */
  public String line() {
    String text = "%-8s %s: %s: %s".formatted(status.word(), check.id(), subject, measured);
    return status == Status.OK || status == Status.UNKNOWN
        ? text
        : text + "; limit: %s (%s). %s.".formatted(check.limit(), check.source(), check.action());
  }
}
