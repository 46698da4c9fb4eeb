package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.format.CsvTable;
import io.quorate.results.DatabaseDirectory;
import io.quorate.store.server.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The existing files about the machines of a database's run, with the reference's names.
 *
 * @param servers files by the number of the member, from 1, without members that were not measured
 * @param client file of the load generator
 * @param diskSpace file with the sizes of the servers' data directories after the run
 */
public record HostFiles(
    SortedMap<Integer, Path> servers, Optional<Path> client, Optional<Path> diskSpace) {
  private static final Pattern SERVER =
      Pattern.compile("([1-9]\\d{0,3})-server-system-metrics-interpolated\\.csv");
  private static final String CLIENT = "client-system-metrics-interpolated.csv";
  private static final String DISK_SPACE = "server-disk-space-usage-summary.csv";

  public HostFiles {
    servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
  }

  public static HostFiles in(DatabaseDirectory directory) {
    SortedMap<Integer, Path> servers = new TreeMap<>();
    for (Path file : DatabaseDirectory.entries(directory.path())) {
      Matcher name = SERVER.matcher(file.getFileName().toString());
      if (name.matches()) {
        servers.put(Integer.parseInt(name.group(1)), file);
      }
    }
    return new HostFiles(servers, existing(directory, CLIENT), existing(directory, DISK_SPACE));
  }

  private static Optional<Path> existing(DatabaseDirectory directory, String name) {
    return Optional.of(directory.path().resolve(name)).filter(Files::exists);
  }

  public boolean isEmpty() {
    return servers.isEmpty() && client.isEmpty() && diskSpace.isEmpty();
  }

  /**
   * Reads the size of each server's data directory in bytes, in the order of the file.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static List<Long> diskBytes(Path file) {
    List<CsvTable.Row> rows =
        CsvTable.read(
            file, "INDEX", "DATABASE-ENDPOINT", "DISK-SPACE-USAGE", "DISK-SPACE-USAGE-BYTES-NUM");
    return rows.stream().map(row -> row.integer(3)).toList();
  }

  /** A value that a member reported of itself. */
  public record InternalRow(long unixSecond, int member, String metric, double value) {}

  /**
   * Reads what members reported of themselves, in the order of the file; none if there is not a
   * file.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static List<InternalRow> internals(DatabaseDirectory directory) {
    Path file = directory.path().resolve("server-internals.csv");
    List<InternalRow> rows = new ArrayList<>();
    if (Files.exists(file)) {
      for (CsvTable.Row row : CsvTable.read(file, "UNIX-SECOND", "MEMBER", "METRIC", "VALUE")) {
        Figure.parse(row.text(3))
            .ifPresent(
                value ->
                    rows.add(
                        new InternalRow(row.integer(0), (int) row.integer(1), row.text(2), value)));
      }
    }
    return rows;
  }

  /**
   * Returns the last value of a metric of each member, by the number of the member.
   *
   * @throws QuorateException with file, line, what was found and what was expected
   */
  public static Map<Integer, Double> lastOfServers(DatabaseDirectory directory, String figure) {
    Map<Integer, Double> last = new TreeMap<>();
    internals(directory).stream()
        .filter(row -> row.metric().equals(figure))
        .forEach(row -> last.put(row.member(), row.value()));
    return last;
  }
}
