package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.hosts.HostSeries;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The columns taken from the metrics of each server, in the order of the aggregated file. */
public enum ServerColumn {
  VOLUNTARY_SWITCHES("VOLUNTARY-CTXT-SWITCHES"),
  NON_VOLUNTARY_SWITCHES("NON-VOLUNTARY-CTXT-SWITCHES"),
  CPU("CPU-NUM", "CPU") {
    @Override
    String cell(MeasuredSeconds server, int second) {
      return decimal(server.cpuPercent(second));
    }
  },
  LOAD("LOAD-AVERAGE-1-MINUTE") {
    @Override
    String cell(MeasuredSeconds server, int second) {
      return decimal(server.level(source(), second));
    }
  },
  MEMORY("VMRSS-NUM", "VMRSS-MB") {
    @Override
    String cell(HostSeries server, int second) {
      return megabytes(server.number(source(), second));
    }

    @Override
    String cell(MeasuredSeconds server, int second) {
      return megabytes(server.level(source(), second));
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
  READ_BYTES_DELTA("READ-BYTES-DELTA") {
    @Override
    String cell(MeasuredSeconds server, int second) {
      return whole(server.growth(SECTORS_READ.source(), second) * SECTOR_BYTES);
    }
  },
  WRITE_BYTES_DELTA("WRITE-BYTES-DELTA") {
    @Override
    String cell(MeasuredSeconds server, int second) {
      return whole(server.growth(SECTORS_WRITTEN.source(), second) * SECTOR_BYTES);
    }
  },
  RECEIVED("RECEIVE-BYTES-NUM"),
  RECEIVED_DELTA("RECEIVE-BYTES-NUM-DELTA"),
  SENT("TRANSMIT-BYTES-NUM"),
  SENT_DELTA("TRANSMIT-BYTES-NUM-DELTA"),
  CLIENTS("EXTRA", "CLIENT-NUM") {
    @Override
    String cell(MeasuredSeconds server, int second) {
      return whole(server.latest(source(), second));
    }
  };

  private static final int SECTOR_BYTES = 512;
  private static final String DELTA = "-DELTA";

  /**
   * Returns the columns that are summed: the counters of all columns that are a growth, and CPU
   * time.
   */
  static final String CPU_MILLISECONDS = "CPU-MILLISECONDS";

  private final String source;
  private final String title;

  ServerColumn(String source, String title) {
    this.source = source;
    this.title = title;
  }

  ServerColumn(String name) {
    this(name, name);
  }

  /** Returns all columns that are read. */
  public static List<String> sources() {
    return Arrays.stream(values()).map(ServerColumn::source).toList();
  }

  /** Returns all columns that are read of a machine with samples at the ends of steps. */
  static List<String> levels() {
    return Stream.concat(
            sources().stream().filter(name -> !name.endsWith(DELTA) && !name.equals(CPU.source)),
            Stream.of(CPU_MILLISECONDS))
        .toList();
  }

  /** Returns the name in the server's file. */
  String source() {
    return source;
  }

  /** Returns the name in the aggregated file for a server, of which the first is 1. */
  public String title(int server) {
    return title + "-" + server;
  }

  /** Returns the growth in the measured part of a second, or the level at its end. */
  String cell(MeasuredSeconds server, int second) {
    return whole(
        source.endsWith(DELTA)
            ? server.growth(source.substring(0, source.length() - DELTA.length()), second)
            : Math.floor(server.level(source, second)));
  }

  /**
   * Returns the cell of a second; a growth per second of what was measured of it, empty if that was
   * less than a tenth.
   */
  String rate(MeasuredSeconds server, int second) {
    String cell = cell(server, second);
    return cell.isEmpty() || !source.endsWith(DELTA)
        ? cell
        : whole(Double.parseDouble(cell) / server.seconds(second));
  }

  private static String whole(double number) {
    return Double.isNaN(number) ? "" : NumberFormats.fixed(number, 0);
  }

  private static String decimal(double number) {
    return Double.isNaN(number) ? "" : NumberFormats.fixed(number, 2);
  }

  private static String megabytes(double bytes) {
    return decimal(bytes * 0.000001);
  }

  /** Returns the text of the server's file, which is a number or empty. */
  String cell(HostSeries server, int second) {
    server.number(source, second);
    return server.text(source, second);
  }
}
