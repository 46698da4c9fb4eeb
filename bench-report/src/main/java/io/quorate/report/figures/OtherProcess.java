// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.results.hosts.HostSamples;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program outside of the run that used most CPU between two rows.
 *
 * @param row number of the later row
 * @param startMillis time of the earlier row, in milliseconds since 1970
 * @param cpus CPUs that it used on average
 */
public record OtherProcess(
    String name, int row, double startMillis, double endMillis, double cpus) {
  private static final Pattern CELL = Pattern.compile("(.+) (\\d+)");
  private static final double NANOS_PER_MILLI = 1e6;

  /** Time between two looks at processes in versions that did not record it. */
  private static final double USUAL_MILLIS = 1_000;

  /** Returns the program of each row that names one. */
  public static List<OtherProcess> all(HostSamples rows) {
    double[] times = rows.values("OTHERS-TIME-MILLISECONDS");
    double[] machine = rows.values("CPUS");
    List<OtherProcess> all = new ArrayList<>();
    for (int i = 1; i < rows.size(); i++) {
      Matcher cell = CELL.matcher(rows.text("PROCESS-CPU-OTHERS", i));
      if (cell.matches()) {
        double start = rows.unixNanos(i - 1) / NANOS_PER_MILLI;
        double end = rows.unixNanos(i) / NANOS_PER_MILLI;
        double measured = times[i] > 0 ? times[i] : Math.max(USUAL_MILLIS, end - start);
        double cpus = Double.parseDouble(cell.group(2)) / measured;
        // without its own time, a row may carry another one than the look
        all.add(
            new OtherProcess(
                cell.group(1),
                i,
                start,
                end,
                Double.isNaN(machine[i]) ? cpus : Math.min(machine[i], cpus)));
      }
    }
    return all;
  }

  /** Returns the CPU time that it used within a time, in milliseconds. */
  public double millisIn(double fromMillis, double toMillis) {
    return cpus * Math.max(0, Math.min(endMillis, toMillis) - Math.max(startMillis, fromMillis));
  }
}
