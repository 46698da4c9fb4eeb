// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.results.DatabaseDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files about the machines of a database's run, with the reference's names.
 *
 * @param directory directory of one database of a run
 */
public record HostFiles(DatabaseDirectory directory) {
  private static final String MEASURED = "-system-metrics.csv";

  /**
   * The columns of a file of host metrics, in their order: first the 50 of the reference
   * (dbtester), with its names and formats, then additional ones.
   */
  public static final List<String> COLUMNS =
      List.of(
          """
          UNIX-NANOSECOND UNIX-SECOND PROGRAM STATE PID PPID CPU VMRSS VMSIZE FD THREADS
          VOLUNTARY-CTXT-SWITCHES NON-VOLUNTARY-CTXT-SWITCHES CPU-NUM VMRSS-NUM VMSIZE-NUM
          LOAD-AVERAGE-1-MINUTE LOAD-AVERAGE-5-MINUTE LOAD-AVERAGE-15-MINUTE DEVICE
          READS-COMPLETED SECTORS-READ TIME(READS) WRITES-COMPLETED SECTORS-WRITTEN TIME(WRITES)
          MILLISECONDS(READS) MILLISECONDS(WRITES) INTERFACE RECEIVE-BYTES RECEIVE-PACKETS
          TRANSMIT-BYTES TRANSMIT-PACKETS RECEIVE-BYTES-NUM TRANSMIT-BYTES-NUM
          READS-COMPLETED-DELTA SECTORS-READ-DELTA WRITES-COMPLETED-DELTA SECTORS-WRITTEN-DELTA
          READ-BYTES-DELTA READ-MEGABYTES-DELTA WRITE-BYTES-DELTA WRITE-MEGABYTES-DELTA
          RECEIVE-BYTES-DELTA RECEIVE-PACKETS-DELTA TRANSMIT-BYTES-DELTA TRANSMIT-PACKETS-DELTA
          RECEIVE-BYTES-NUM-DELTA TRANSMIT-BYTES-NUM-DELTA EXTRA PIDS CPU-MILLISECONDS
          PROCESS-READ-BYTES-NUM PROCESS-WRITE-BYTES-NUM VOLUNTARY-CTXT-SWITCHES-DELTA
          NON-VOLUNTARY-CTXT-SWITCHES-DELTA CPU-MILLISECONDS-DELTA PROCESS-READ-BYTES-NUM-DELTA
          PROCESS-WRITE-BYTES-NUM-DELTA CPUS MACHINE-CPU-MILLISECONDS MACHINE-STEAL-MILLISECONDS
          CPU-WAIT-MILLISECONDS STOPPED-MILLISECONDS THROTTLED-MILLISECONDS
          CPU-PRESSURE-MILLISECONDS IO-PRESSURE-MILLISECONDS MEMORY-PRESSURE-MILLISECONDS
          DISK-BUSY-MILLISECONDS TCP-RETRANSMITS SWAPPED-PAGES MEMORY-AVAILABLE-BYTES MEMORY-BYTES
          CPU-GOVERNOR PROCESS-CPU-OTHERS OTHERS-TIME-MILLISECONDS MACHINE-TIME-MILLISECONDS
          """
              .strip()
              .split("\\s+"));

  private static final Pattern SERVER =
      Pattern.compile("([1-9]\\d{0,3})-server" + Pattern.quote(MEASURED));

  /** Returns the rows of a member; its index is from 1. */
  public Path server(int index) {
    return file(index + "-server" + MEASURED);
  }

  /** Returns the rows of a member at both ends of each measured step. */
  public Path serverSteps(int index) {
    return steps(server(index));
  }

  public Path client() {
    return file("client" + MEASURED);
  }

  public Path relay() {
    return file("relay" + MEASURED);
  }

  /** Returns the file with the size of each member's data after the load. */
  public Path diskUsage() {
    return file("server-disk-space-usage-summary.csv");
  }

  /** Returns the file with the metrics that the servers report about themselves. */
  public Path internals() {
    return file("server-internals.csv");
  }

  /**
   * Returns dbtester's file with a row for each second, next to the file of measured rows; the
   * report writes it.
   */
  public static Path interpolated(Path raw) {
    return beside(raw, "-interpolated");
  }

  /** Returns the file with the rows at both ends of each step next to the file of all rows. */
  public static Path steps(Path raw) {
    return beside(raw, "-steps");
  }

  private static Path beside(Path raw, String ending) {
    return raw.resolveSibling(raw.getFileName().toString().replace(".csv", ending + ".csv"));
  }

  private Path file(String name) {
    return directory.path().resolve(name);
  }

  /** Returns the files of the members that were measured, by their index. */
  public SortedMap<Integer, Path> servers() {
    SortedMap<Integer, Path> servers = new TreeMap<>();
    for (Path file : DatabaseDirectory.entries(directory.path())) {
      Matcher name = SERVER.matcher(file.getFileName().toString());
      if (name.matches()) {
        servers.put(Integer.parseInt(name.group(1)), file);
      }
    }
    return servers;
  }

  /** Returns all files of measured rows: of the load generator, the members and the relay. */
  public List<Path> measured() {
    return Stream.concat(Stream.of(client(), relay()), servers().values().stream())
        .filter(Files::exists)
        .toList();
  }

  /** Returns whether the load generator was measured. */
  public boolean hasClient() {
    return Files.exists(client());
  }

  /** Returns the names of the columns of {@link #diskUsage}. */
  public static String[] diskHeader() {
    return new String[] {
      "INDEX", "DATABASE-ENDPOINT", "DISK-SPACE-USAGE", "DISK-SPACE-USAGE-BYTES-NUM"
    };
  }

  /**
   * Reads the size of each server's data directory in bytes, in the order of the file.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static List<Long> diskBytes(Path file) {
    return CsvTable.read(file, diskHeader()).stream().map(row -> row.integer(3)).toList();
  }
}
