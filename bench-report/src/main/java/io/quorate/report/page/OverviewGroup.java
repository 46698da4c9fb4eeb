// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.Reservation;
import java.util.List;

/**
 * Rows that are compared with each other.
 *
 * @param title title of the group; empty if there is only one
 */
record OverviewGroup(String title, List<OverviewRow> rows) {
  OverviewGroup disturbed() {
    return new OverviewGroup(
        title, rows.stream().map(row -> row.with(row.database(), Reservation.DISTURBED)).toList());
  }
}
