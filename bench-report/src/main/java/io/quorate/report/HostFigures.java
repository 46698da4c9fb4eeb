package io.quorate.report;

import io.quorate.run.HostSeries;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Computes what the rows of the table about machines are made of. What is missing is left out. */
final class HostFigures {
  /** What is read of the load generator's metrics. */
  static final List<String> CLIENT_COLUMNS =
      List.of("CPU-NUM", "VMRSS-NUM", "RECEIVE-BYTES-NUM-DELTA", "TRANSMIT-BYTES-NUM-DELTA");

  private static final double BYTES_PER_MEGABYTE = 1_000_000;

  private final Map<HostFigure, Double> figures = new EnumMap<>(HostFigure.class);

  Map<HostFigure, Double> toMap() {
    return figures;
  }

  /**
   * Sums over all servers and seconds, and maxima over the seconds of the mean over the servers.
   *
   * @param frame of {@link Aggregation}
   */
  HostFigures servers(Frame frame, int servers) {
    put(HostFigure.SERVER_RECEIVED_BYTES, sum(frame, ServerColumn.RECEIVED_DELTA, servers));
    put(HostFigure.SERVER_SENT_BYTES, sum(frame, ServerColumn.SENT_DELTA, servers));
    put(HostFigure.SERVER_READS, sum(frame, ServerColumn.READS_DELTA, servers));
    put(HostFigure.SERVER_SECTORS_READ, sum(frame, ServerColumn.SECTORS_READ_DELTA, servers));
    put(HostFigure.SERVER_WRITES, sum(frame, ServerColumn.WRITES_DELTA, servers));
    put(HostFigure.SERVER_SECTORS_WRITTEN, sum(frame, ServerColumn.SECTORS_WRITTEN_DELTA, servers));
    put(HostFigure.SERVER_MAX_CPU_PERCENT, max(frame.numbers(AggregatedColumn.AVG_CPU.title())));
    put(
        HostFigure.SERVER_MAX_MEMORY_BYTES,
        max(frame.numbers(AggregatedColumn.AVG_VMRSS_MB.title())) * BYTES_PER_MEGABYTE);
    return this;
  }

  /** As the reference has it: its sum looks for columns that are named otherwise. */
  HostFigures withoutSectorsRead() {
    put(HostFigure.SERVER_SECTORS_READ, 0);
    return this;
  }

  /** Sums and maxima over all seconds of this part of the load generator's metrics. */
  HostFigures client(HostSeries client) {
    put(HostFigure.CLIENT_RECEIVED_BYTES, sum(numbers(client, "RECEIVE-BYTES-NUM-DELTA")));
    put(HostFigure.CLIENT_SENT_BYTES, sum(numbers(client, "TRANSMIT-BYTES-NUM-DELTA")));
    put(HostFigure.CLIENT_MAX_CPU_PERCENT, max(numbers(client, "CPU-NUM")));
    put(HostFigure.CLIENT_MAX_MEMORY_BYTES, max(numbers(client, "VMRSS-NUM")));
    return this;
  }

  /** The mean over the servers. */
  HostFigures disk(List<Long> bytes) {
    put(
        HostFigure.SERVER_DISK_BYTES,
        bytes.stream().mapToDouble(each -> each).sum() / bytes.size());
    return this;
  }

  private void put(HostFigure figure, double value) {
    if (Double.isFinite(value)) {
      figures.put(figure, value);
    }
  }

  private static double[] numbers(HostSeries series, String column) {
    double[] numbers = new double[series.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = series.number(column, i);
    }
    return numbers;
  }

  /** In the order of the files, so that the last digit is the reference's. */
  private static double sum(Frame frame, ServerColumn column, int servers) {
    double sum = 0;
    for (int server = 1; server <= servers; server++) {
      for (double value : frame.numbers(column.title(server))) {
        sum += value;
      }
    }
    return sum;
  }

  /** NaN if a value is missing: the sum of the others would be too small. */
  private static double sum(double... values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  /** Of the values that there are; NaN without one. */
  private static double max(double... values) {
    double max = Double.NaN;
    for (double value : values) {
      if (!(value <= max) && !Double.isNaN(value)) {
        max = value;
      }
    }
    return max;
  }
}
