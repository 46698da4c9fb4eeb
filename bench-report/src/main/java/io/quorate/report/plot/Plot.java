// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import io.quorate.report.plot.draw.LineChart;
import java.util.Optional;

/**
 * A drawn plot.
 *
 * @param name of its files, without ending, such as {@code AVG-LATENCY-MS}
 * @param section of the page where it stands
 * @param title for people, with the unit
 * @param description what it shows in one or two computed sentences, for those who cannot see it
 * @param svg the whole SVG file, which is also an element of an HTML page: without a size, script,
 *     style attribute or reference to elsewhere, with ids that begin with the name, and with title
 *     and description
 * @param chart the lines of the picture; empty if it has none
 */
public record Plot(
    String name,
    PlotSection section,
    String title,
    String description,
    String svg,
    Optional<LineChart> chart) {
  /** Returns the first sentence of the description: what the plot shows, for everybody. */
  public String caption() {
    return description.split("(?<=\\.) ", 2)[0];
  }
}
