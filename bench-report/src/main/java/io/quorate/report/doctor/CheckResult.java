// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.store.server.CheckRule;
import java.util.Locale;

/**
 * The result of a check of one member, machine or cluster.
 *
 * @param subject what was checked, such as {@code etcd-2}
 * @param measured measured value with its unit
 */
public record CheckResult(CheckRule check, String subject, Status status, String measured) {
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

  /** Returns the result of a value: bad from the one limit on, a warning from the other. */
  static CheckResult of(
      CheckRule check, String subject, double value, double warning, double bad, String measured) {
    Status status = value >= bad ? Status.BAD : value >= warning ? Status.WARNING : Status.OK;
    return new CheckResult(check, subject, status, measured);
  }

  static CheckResult unknown(CheckRule check, String subject, String why) {
    return new CheckResult(check, subject, Status.UNKNOWN, why);
  }
}
