// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.Reservation;
import java.util.List;

/**
 * Rows that are compared with each other.
 *
 * @param title title of the group; empty if there is only one
 * @param where name of the group in notes; may be empty
 */
record OverviewGroup(String title, String where, List<OverviewRow> rows) {
  OverviewGroup disturbed() {
    return new OverviewGroup(
        title,
        where,
        rows.stream().map(row -> row.with(row.database(), Reservation.DISTURBED)).toList());
  }
}
