package io.quorate.report;

import io.quorate.run.HostSeries;
import io.quorate.run.NumberFormats;
import java.util.Arrays;
import java.util.List;

/** What is taken from the metrics of each server, in the order of the aggregated file. */
enum ServerColumn {
  VOLUNTARY_SWITCHES("VOLUNTARY-CTXT-SWITCHES"),
  NON_VOLUNTARY_SWITCHES("NON-VOLUNTARY-CTXT-SWITCHES"),
  CPU("CPU-NUM", "CPU"),
  LOAD("LOAD-AVERAGE-1-MINUTE"),
  MEMORY("VMRSS-NUM", "VMRSS-MB") {
    @Override
    String cell(HostSeries server, int second) {
      double bytes = server.number(source(), second);
      return Double.isNaN(bytes) ? "" : NumberFormats.fixed(bytes * 0.000001, 2);
    }
  },
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

  private final String source;
  private final String title;

  ServerColumn(String source, String title) {
    this.source = source;
    this.title = title;
  }

  ServerColumn(String name) {
    this(name, name);
  }

  /** All columns that are read. */
  static List<String> sources() {
    return Arrays.stream(values()).map(ServerColumn::source).toList();
  }

  /** How the server's file names it. */
  String source() {
    return source;
  }

  /** How the aggregated file names it for a server, of which the first is 1. */
  String title(int server) {
    return title + "-" + server;
  }

  /** The text of the server's file, which is a number or empty. */
  String cell(HostSeries server, int second) {
    server.number(source, second);
    return server.text(source, second);
  }
}
