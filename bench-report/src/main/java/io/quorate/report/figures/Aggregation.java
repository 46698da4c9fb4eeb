package io.quorate.report.figures;

import io.quorate.results.hosts.HostSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Aggregates the clients and the servers of a database, second by second, from the first second in
 * which there was a request to the last.
 */
public final class Aggregation {
  private final ClientTimeline clients;
  private final long[] cumulative;

  /** Texts by server and column. */
  private final List<Map<ServerColumn, String[]>> texts = new ArrayList<>();

  private final List<Map<ServerColumn, double[]>> numbers = new ArrayList<>();

  /**
   * @param servers none if they were not measured
   * @param missing the number that a missing value counts as
   * @throws io.quorate.QuorateException if one of them was not measured in all these seconds
   */
  public Aggregation(ClientTimeline clients, List<HostSeries> servers, double missing) {
    this.clients = clients;
    this.cumulative = clients.throughputs();
    Arrays.parallelPrefix(cumulative, Long::sum);
    for (HostSeries server : servers) {
      HostSeries window = server.window(clients.first(), clients.last());
      add((column, row) -> column.cell(window, row), window.size(), missing);
    }
  }

  private Aggregation(ClientTimeline clients) {
    this(clients, List.of(), Double.NaN);
  }

  /**
   * Aggregates a run of ours with samples at the ends of steps.
   *
   * @param servers beside these clients
   */
  static Aggregation measured(ClientTimeline clients, List<MeasuredSeconds> servers) {
    Aggregation all = new Aggregation(clients);
    for (MeasuredSeconds server : servers) {
      all.add((column, row) -> column.cell(server, row), clients.size(), Double.NaN);
    }
    return all;
  }

  /** Aggregates such a run with rates over the time that was measured in place of growths. */
  static Aggregation rates(ClientTimeline clients, List<MeasuredSeconds> servers) {
    Aggregation all = new Aggregation(clients);
    for (MeasuredSeconds server : servers) {
      all.add((column, row) -> column.rate(server, row), clients.size(), Double.NaN);
    }
    return all;
  }

  private void add(BiFunction<ServerColumn, Integer, String> cell, int rows, double missing) {
    Map<ServerColumn, String[]> cells = new EnumMap<>(ServerColumn.class);
    Map<ServerColumn, double[]> values = new EnumMap<>(ServerColumn.class);
    for (ServerColumn column : ServerColumn.values()) {
      String[] text = new String[rows];
      double[] number = new double[rows];
      for (int row = 0; row < rows; row++) {
        text[row] = cell.apply(column, row);
        number[row] = text[row].isEmpty() ? missing : Double.parseDouble(text[row]);
      }
      cells.put(column, text);
      values.put(column, number);
    }
    texts.add(cells);
    numbers.add(values);
  }

  public ClientSecond client(int row) {
    return clients.at(row);
  }

  long cumulative(int row) {
    return cumulative[row];
  }

  /** Returns the number of servers. */
  public int servers() {
    return texts.size();
  }

  /**
   * Returns a number of a server; if it was not measured, the one that stands for a missing value.
   *
   * @param server from 1
   */
  double number(ServerColumn column, int server, int row) {
    return numbers.get(server - 1).get(column)[row];
  }

  /**
   * Returns all columns as a frame: {@link AggregatedColumn}, and {@link ServerColumn} of each
   * server.
   */
  public Frame frame() {
    Frame frame = new Frame(clients.size());
    for (AggregatedColumn column : AggregatedColumn.values()) {
      frame.add(column.title(), row -> column.cell(this, row));
    }
    for (int server = 1; server <= servers(); server++) {
      for (Map.Entry<ServerColumn, String[]> column : texts.get(server - 1).entrySet()) {
        frame.add(column.getKey().title(server), row -> column.getValue()[row]);
      }
    }
    return frame;
  }
}
