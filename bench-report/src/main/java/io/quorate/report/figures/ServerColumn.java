// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The columns taken from the metrics of each server, in the order of the aggregated file. */
public enum ServerColumn {
  VOLUNTARY_SWITCHES("VOLUNTARY-CTXT-SWITCHES"),
  NON_VOLUNTARY_SWITCHES("NON-VOLUNTARY-CTXT-SWITCHES"),
  CPU("CPU-NUM", "CPU"),
  LOAD("LOAD-AVERAGE-1-MINUTE"),
  MEMORY("VMRSS-NUM", "VMRSS-MB"),
  READS("READS-COMPLETED"),
  READS_DELTA("READS-COMPLETED-DELTA"),
  SECTORS_READ("SECTORS-READ"),
  SECTORS_READ_DELTA("SECTORS-READ-DELTA"),
  WRITES("WRITES-COMPLETED"),
  WRITES_DELTA("WRITES-COMPLETED-DELTA"),
  SECTORS_WRITTEN("SECTORS-WRITTEN"),
  SECTORS_WRITTEN_DELTA("SECTORS-WRITTEN-DELTA"),
  READ_BYTES_DELTA("READ-BYTES-DELTA"),
  WRITE_BYTES_DELTA("WRITE-BYTES-DELTA"),
  RECEIVED("RECEIVE-BYTES-NUM"),
  RECEIVED_DELTA("RECEIVE-BYTES-NUM-DELTA"),
  SENT("TRANSMIT-BYTES-NUM"),
  SENT_DELTA("TRANSMIT-BYTES-NUM-DELTA"),
  CLIENTS("EXTRA", "CLIENT-NUM");

  static final int SECTOR_BYTES = 512;
  private static final double MEGABYTES = 0.000001;
  private static final String DELTA = "-DELTA";

  static final String CPU_MILLISECONDS = "CPU-MILLISECONDS";
  static final String PROCESS_READ_BYTES = "PROCESS-READ-BYTES-NUM";
  static final String PROCESS_WRITE_BYTES = "PROCESS-WRITE-BYTES-NUM";

  private final String source;
  private final String title;

  ServerColumn(String source, String title) {
    this.source = source;
    this.title = title;
  }

  ServerColumn(String name) {
    this(name, name);
  }

  public static List<String> sources() {
    return Arrays.stream(values()).map(ServerColumn::source).toList();
  }

  static List<String> levels() {
    return Stream.concat(
            sources().stream().filter(name -> !name.endsWith(DELTA) && !name.equals(CPU.source)),
            Stream.of(CPU_MILLISECONDS))
        .toList();
  }

  public String source() {
    return source;
  }

  /** Returns the growth of this counter in a second. */
  public ServerColumn delta() {
    return valueOf(name() + "_DELTA");
  }

  /** Returns the name in the aggregated file for a server, numbered from 1. */
  public String title(int server) {
    return title + "-" + server;
  }

  int decimals() {
    return this == CPU || this == LOAD || this == MEMORY ? 2 : 0;
  }

  /** Returns the growth in the measured part of a second, or the level at its end. */
  private double measured(MeasurementWindow server, int second) {
    return switch (this) {
      case CPU -> server.cpuPercent(second);
      case LOAD -> server.level(source, second);
      case MEMORY -> server.level(source, second) * MEGABYTES;
      case READ_BYTES_DELTA -> server.growth(SECTORS_READ.source, second) * SECTOR_BYTES;
      case WRITE_BYTES_DELTA -> server.growth(SECTORS_WRITTEN.source, second) * SECTOR_BYTES;
      case CLIENTS -> server.latest(source, second);
      default ->
          source.endsWith(DELTA)
              ? server.growth(source.substring(0, source.length() - DELTA.length()), second)
              : Math.floor(server.level(source, second));
    };
  }

  /** Returns the number of a second, with as many decimals as in files; NaN if it is missing. */
  double number(MeasurementWindow server, int second) {
    return Frame.rounded(measured(server, second), decimals());
  }

  /**
   * Returns the number of a second. A growth is divided by the measured part of the second; NaN if
   * that is less than a tenth.
   */
  double rate(MeasurementWindow server, int second) {
    double number = number(server, second);
    return source.endsWith(DELTA)
        ? Frame.rounded(number / server.seconds(second), decimals())
        : number;
  }

  /** Returns a measured number as it is in the aggregated file: memory in megabytes. */
  public double inFile(double measured) {
    return this == MEMORY ? Frame.rounded(measured * MEGABYTES, decimals()) : measured;
  }
}
