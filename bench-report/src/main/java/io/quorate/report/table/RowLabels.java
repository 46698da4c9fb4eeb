// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import java.util.Locale;

/** The two ways in which the reference has named rows. */
public enum RowLabels {
  /** Labels of its tables of 2017Q1. */
  EARLIER,
  /** Labels of all its other tables. */
  LATER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
