// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import java.util.List;

/**
 * Rows that are compared with each other.
 *
 * @param run of all rows
 * @param title title of the group; empty if there is only one
 */
record OverviewGroup(RunFigures run, String title, List<OverviewRow> rows) {
  OverviewGroup disturbed() {
    return new OverviewGroup(
        run,
        title,
        rows.stream().map(row -> row.with(row.database(), Reservation.DISTURBED)).toList());
  }
}
