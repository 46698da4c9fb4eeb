package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.DoubleSummaryStatistics;
import java.util.function.ToDoubleFunction;

/**
 * The columns of a database's aggregated file that are about all servers, in their order; those of
 * each server follow them. AVG is the mean over the servers, MAX the maximum.
 */
public enum AggregatedColumn {
  UNIX_SECOND("UNIX-SECOND", (all, i) -> Long.toString(all.client(i).unixSecond())),
  SECOND("SECOND", (all, i) -> Integer.toString(i)),
  AVG_CLIENT_NUM("AVG-CLIENT-NUM", ServerColumn.CLIENTS),
  CONTROL_CLIENT_NUM("CONTROL-CLIENT-NUM", (all, i) -> Long.toString(all.client(i).clients())),
  MIN_LATENCY_MS("MIN-LATENCY-MS", (all, i) -> ClientSecond.ms(all.client(i).minMs())),
  AVG_THROUGHPUT("AVG-THROUGHPUT", (all, i) -> all.client(i).throughputText()),
  AVG_LATENCY_MS("AVG-LATENCY-MS", (all, i) -> ClientSecond.ms(all.client(i).averageMs())),
  MAX_LATENCY_MS("MAX-LATENCY-MS", (all, i) -> ClientSecond.ms(all.client(i).maxMs())),
  CUMULATIVE_THROUGHPUT("CUMULATIVE-THROUGHPUT", (all, i) -> Long.toString(all.cumulative(i))),
  AVG_CPU("AVG-CPU", ServerColumn.CPU),
  MAX_CPU("MAX-CPU", ServerColumn.CPU, DoubleSummaryStatistics::getMax),
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
  private final Cell cell;

  /** Computes the cell of a row. */
  @FunctionalInterface
  private interface Cell {
    String text(Aggregation all, int row);
  }

  AggregatedColumn(String title, Cell cell) {
    this.title = title;
    this.cell = cell;
  }

  AggregatedColumn(
      String title, ServerColumn of, ToDoubleFunction<DoubleSummaryStatistics> figure) {
    this(
        title,
        (all, i) -> {
          DoubleSummaryStatistics statistics = new DoubleSummaryStatistics();
          boolean measured = all.servers() > 0;
          for (int server = 1; server <= all.servers(); server++) {
            double value = all.number(of, server, i);
            measured &= !Double.isNaN(value);
            statistics.accept(value);
          }
          return measured ? NumberFormats.fixed(figure.applyAsDouble(statistics), 2) : "";
        });
  }

  AggregatedColumn(String title, ServerColumn of) {
    this(
        title,
        (all, i) -> {
          double sum = 0;
          for (int server = 1; server <= all.servers(); server++) {
            sum += all.number(of, server, i);
          }
          double mean = sum / all.servers();
          return Double.isNaN(mean) ? "" : NumberFormats.fixed(mean, 2);
        });
  }

  public String title() {
    return title;
  }

  String cell(Aggregation all, int row) {
    return cell.text(all, row);
  }
}
