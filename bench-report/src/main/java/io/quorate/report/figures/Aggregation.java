// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Aggregates the clients and the servers of a database, second by second, from the first second
 * with a request to the last.
 */
public final class Aggregation {
  private final ClientTimeline clients;

  /** Numbers by server and column, including replacements for missing values. */
  private final List<Map<ServerColumn, double[]>> servers = new ArrayList<>();

  private final Frame ofServers;
  private final long[] cumulative;

  /** A server in each second of the clients. */
  public interface Server {
    /** Returns the number of a second; NaN if it is missing. */
    double number(ServerColumn column, int row);

    /** Returns the cell of a number in the aggregated file; empty if it is missing. */
    default String cell(ServerColumn column, int row, double number) {
      return Double.isNaN(number) ? "" : NumberFormats.fixed(number, column.decimals());
    }
  }

  private Aggregation(ClientTimeline clients) {
    this.clients = clients;
    this.ofServers = new Frame(clients.size());
    this.cumulative = clients.throughputs();
    Arrays.parallelPrefix(cumulative, Long::sum);
  }

  /**
   * Aggregates clients and servers.
   *
   * @param servers servers; empty if they were not measured
   * @param missing number that replaces a missing value in sums and means
   */
  public static Aggregation of(
      ClientTimeline clients, List<? extends Server> servers, double missing) {
    Aggregation all = new Aggregation(clients);
    for (Server server : servers) {
      Map<ServerColumn, double[]> counted = new EnumMap<>(ServerColumn.class);
      for (ServerColumn column : ServerColumn.values()) {
        double[] numbers = all.numbers(row -> server.number(column, row));
        counted.put(
            column,
            DoubleStream.of(numbers).map(each -> Double.isNaN(each) ? missing : each).toArray());
        all.ofServers.addCells(
            column.title(all.servers.size() + 1),
            numbers,
            row -> server.cell(column, row, numbers[row]));
      }
      all.servers.add(counted);
    }
    return all;
  }

  private double[] numbers(IntToDoubleFunction number) {
    return IntStream.range(0, clients.size()).mapToDouble(number).toArray();
  }

  int servers() {
    return servers.size();
  }

  /** Returns the number of each server, or the replacement for a missing value. */
  DoubleStream numbers(ServerColumn column, int row) {
    return servers.stream()
        .mapToDouble(numbers -> Objects.requireNonNull(numbers.get(column))[row]);
  }

  /**
   * Returns all columns as a frame: {@link AggregatedColumn}, and {@link ServerColumn} of each
   * server.
   */
  public Frame frame() {
    Frame frame = new Frame(clients.size());
    for (AggregatedColumn column : AggregatedColumn.values()) {
      frame.add(column.title(), numbers(row -> column.number(this, row)), column.format());
    }
    return frame.and(ofServers);
  }

  ClientSecond client(int row) {
    return clients.at(row);
  }

  double cumulative(int row) {
    return cumulative[row];
  }
}
