package io.quorate.host;

import io.quorate.run.DatabaseDirectory;
import java.nio.file.Path;

/**
 * The paths of host metrics in the directory of a database.
 *
 * @param directory of one database of a run
 */
public record HostMetricFiles(DatabaseDirectory directory) {
  /** Rows of a member as they were measured; its index is from 1. */
  public Path server(int index) {
    return file(index + "-server-system-metrics.csv");
  }

  /** The same with one row for each second. */
  public Path serverInterpolated(int index) {
    return file(index + "-server-system-metrics-interpolated.csv");
  }

  /** Rows of a member at both ends of each measured step. */
  public Path serverSteps(int index) {
    return file(index + "-server-system-metrics-steps.csv");
  }

  /** Rows of the load generator as they were measured. */
  public Path client() {
    return file("client-system-metrics.csv");
  }

  /** The same with one row for each second. */
  public Path clientInterpolated() {
    return file("client-system-metrics-interpolated.csv");
  }

  /** Rows of the load generator at both ends of each measured step. */
  public Path clientSteps() {
    return file("client-system-metrics-steps.csv");
  }

  /** How large the data of each member was after the load. */
  public Path diskUsage() {
    return file("server-disk-space-usage-summary.csv");
  }

  /** What the servers said about themselves. */
  public Path internals() {
    return file("server-internals.csv");
  }

  private Path file(String name) {
    return directory.path().resolve(name);
  }
}
