// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.function.DoubleFunction;

/**
 * The columns of a database's aggregated file for all servers together, in their order; columns of
 * single servers follow them. AVG is the mean over the servers, MAX the maximum.
 */
public enum AggregatedColumn {
  UNIX_SECOND("UNIX-SECOND", 0, (all, i) -> all.client(i).unixSecond()),
  SECOND("SECOND", 0, (all, i) -> i),
  AVG_CLIENT_NUM("AVG-CLIENT-NUM", ServerColumn.CLIENTS),
  CONTROL_CLIENT_NUM("CONTROL-CLIENT-NUM", 0, (all, i) -> all.client(i).clients()),
  MIN_LATENCY_MS("MIN-LATENCY-MS", (all, i) -> all.client(i).minMs()),
  AVG_THROUGHPUT("AVG-THROUGHPUT", 0, (all, i) -> all.client(i).throughputNumber()),
  AVG_LATENCY_MS("AVG-LATENCY-MS", (all, i) -> all.client(i).averageMs()),
  MAX_LATENCY_MS("MAX-LATENCY-MS", (all, i) -> all.client(i).maxMs()),
  CUMULATIVE_THROUGHPUT("CUMULATIVE-THROUGHPUT", 0, Aggregation::cumulative),
  AVG_CPU("AVG-CPU", ServerColumn.CPU),
  MAX_CPU(
      "MAX-CPU",
      2,
      (all, i) -> all.numbers(ServerColumn.CPU, i).reduce(Math::max).orElse(Double.NaN)),
  AVG_LOAD("AVG-SYSTEM-LOAD-1-MIN", ServerColumn.LOAD),
  AVG_VMRSS_MB("AVG-VMRSS-MB", ServerColumn.MEMORY),
  AVG_WRITES("AVG-WRITES-COMPLETED", ServerColumn.WRITES),
  AVG_WRITES_DELTA("AVG-WRITES-COMPLETED-DELTA", ServerColumn.WRITES_DELTA),
  AVG_SECTORS_WRITTEN("AVG-SECTORS-WRITTEN", ServerColumn.SECTORS_WRITTEN),
  AVG_SECTORS_WRITTEN_DELTA("AVG-SECTORS-WRITTEN-DELTA", ServerColumn.SECTORS_WRITTEN_DELTA),
  AVG_READS("AVG-READS-COMPLETED", ServerColumn.READS),
  AVG_READS_DELTA("AVG-READS-COMPLETED-DELTA", ServerColumn.READS_DELTA),
  AVG_SECTORS_READ("AVG-SECTORS-READ", ServerColumn.SECTORS_READ),
  AVG_SECTORS_READ_DELTA("AVG-SECTORS-READ-DELTA", ServerColumn.SECTORS_READ_DELTA),
  AVG_READ_BYTES_DELTA("AVG-READ-BYTES-NUM-DELTA", ServerColumn.READ_BYTES_DELTA),
  AVG_WRITE_BYTES_DELTA("AVG-WRITE-BYTES-NUM-DELTA", ServerColumn.WRITE_BYTES_DELTA),
  AVG_RECEIVED("AVG-RECEIVE-BYTES-NUM", ServerColumn.RECEIVED),
  AVG_RECEIVED_DELTA("AVG-RECEIVE-BYTES-NUM-DELTA", ServerColumn.RECEIVED_DELTA),
  AVG_SENT("AVG-TRANSMIT-BYTES-NUM", ServerColumn.SENT),
  AVG_SENT_DELTA("AVG-TRANSMIT-BYTES-NUM-DELTA", ServerColumn.SENT_DELTA),
  AVG_VOLUNTARY("AVG-VOLUNTARY-CTXT-SWITCHES", ServerColumn.VOLUNTARY_SWITCHES),
  AVG_NON_VOLUNTARY("AVG-NON-VOLUNTARY-CTXT-SWITCHES", ServerColumn.NON_VOLUNTARY_SWITCHES);

  private final String title;
  private final DoubleFunction<String> format;
  private final Figure figure;

  @FunctionalInterface
  private interface Figure {
    double number(Aggregation all, int row);
  }

  AggregatedColumn(String title, DoubleFunction<String> format, Figure figure) {
    this.title = title;
    this.format = format;
    this.figure = figure;
  }

  AggregatedColumn(String title, int decimals, Figure figure) {
    this(
        title,
        number -> NumberFormats.fixed(number, decimals),
        (all, i) -> Frame.rounded(figure.number(all, i), decimals));
  }

  AggregatedColumn(String title, Figure figure) {
    this(title, NumberFormats::shortest, figure);
  }

  AggregatedColumn(String title, ServerColumn of) {
    this(title, 2, (all, i) -> mean(all, of, i));
  }

  private static double mean(Aggregation all, ServerColumn of, int row) {
    return all.numbers(of, row).reduce(0, Double::sum) / all.servers();
  }

  public String title() {
    return title;
  }

  DoubleFunction<String> format() {
    return format;
  }

  double number(Aggregation all, int row) {
    return figure.number(all, row);
  }
}
