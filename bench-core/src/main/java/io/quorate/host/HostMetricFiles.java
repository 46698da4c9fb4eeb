package io.quorate.host;

import io.quorate.results.DatabaseDirectory;
import java.nio.file.Path;

/**
 * The paths of host metrics in the directory of a database. A file that is interpolated has one row
 * for each second; others have the rows as they were measured.
 *
 * @param directory directory of one database of a run
 */
public record HostMetricFiles(DatabaseDirectory directory) {
  /** Returns the rows of a member; its index is from 1. */
  public Path server(int index) {
    return file(index + "-server-system-metrics.csv");
  }

  /** Returns the rows of a member at both ends of each measured step. */
  public Path serverSteps(int index) {
    return steps(server(index));
  }

  public Path client() {
    return file("client-system-metrics.csv");
  }

  public Path relay() {
    return file("relay-system-metrics.csv");
  }

  /** Returns the file with the size of each member's data after the load. */
  public Path diskUsage() {
    return file("server-disk-space-usage-summary.csv");
  }

  /** Returns the file with the metrics that the servers report about themselves. */
  public Path internals() {
    return file("server-internals.csv");
  }

  /** Returns the file with interpolated rows next to the file of measured rows. */
  public static Path interpolated(Path raw) {
    return beside(raw, "-interpolated");
  }

  /** Returns the file with the rows at both ends of each step next to the file of all rows. */
  static Path steps(Path raw) {
    return beside(raw, "-steps");
  }

  private static Path beside(Path raw, String ending) {
    return raw.resolveSibling(raw.getFileName().toString().replace(".csv", ending + ".csv"));
  }

  private Path file(String name) {
    return directory.path().resolve(name);
  }
}
