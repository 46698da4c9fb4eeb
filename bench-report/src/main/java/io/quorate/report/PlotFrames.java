package io.quorate.report;

import io.quorate.report.plot.PlottedDatabase;
import io.quorate.report.plot.PlottedDatabase.Columns;
import io.quorate.report.plot.PlottedDatabase.Step;
import io.quorate.report.plot.RunPlots;
import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseRun;
import io.quorate.run.GoText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The figures of a database that are plotted, a run of ours or of the reference.
 *
 * @param seconds one row for every second from the first to the last with a request
 * @param latency in milliseconds by number of keys
 * @param memory in MB by number of keys
 * @param readBytes by number of keys
 * @param writeBytes by number of keys
 * @param byClients what is known of whole steps; empty of the reference
 */
record PlotFrames(
    String id,
    String tag,
    ClientTimeline clients,
    Frame seconds,
    Frame latency,
    Frame memory,
    Frame readBytes,
    Frame writeBytes,
    Optional<ClientNumberFigures> byClients) {
  /** Name of a column that has units, and so no numbers. */
  private static final String READ_BYTES = "AVG-READ-BYTES";

  private static final String WRITE_BYTES = "AVG-WRITE-BYTES";
  private static final List<String> PLOTTED =
      Stream.concat(
              Stream.of(AggregatedColumn.CONTROL_CLIENT_NUM.title()), RunPlots.columns().stream())
          .toList();

  /**
   * Returns the figures of a run of ours as long as nothing is known of its servers.
   *
   * @param clients of these results
   */
  static PlotFrames ofClients(DatabaseRun run, ClientResults results, ClientTimeline clients) {
    Aggregation all = new Aggregation(clients, List.of(), Rules.OWN);
    return new PlotFrames(
        run.manifest().store().id(),
        GoText.visible(run.manifest().store().tag()),
        clients,
        all.frame().only(PLOTTED),
        ReferenceDatabase.latency(results.keyNumbers()),
        nothing("KEYS", "MIN-VMRSS-MB", "AVG-VMRSS-MB", "MAX-VMRSS-MB"),
        nothing("KEYS", AggregatedColumn.AVG_READ_BYTES_DELTA.title(), READ_BYTES),
        nothing("KEYS", AggregatedColumn.AVG_WRITE_BYTES_DELTA.title(), WRITE_BYTES),
        Optional.of(new ClientNumberFigures(StepFigures.of(run))));
  }

  private static Frame nothing(String... columns) {
    Frame frame = new Frame(0);
    for (String column : columns) {
      frame.add(column, row -> "");
    }
    return frame;
  }

  /** Returns these figures with those of the servers. */
  PlotFrames withServers(Frame all, Frame memoryByKey, Frame readByKey, Frame writtenByKey) {
    return new PlotFrames(
        id,
        tag,
        clients,
        all.only(PLOTTED),
        latency,
        memoryByKey,
        readByKey,
        writtenByKey,
        byClients);
  }

  /**
   * Returns the plotted figures as far as the frames have them: without steps of its own, and
   * without single latencies.
   */
  PlottedDatabase plotted() {
    Map<String, double[]> bySecond = columns(seconds);
    double[] x = new double[seconds.rows()];
    for (int i = 0; i < x.length; i++) {
      x[i] = i;
    }
    Map<String, double[]> servers = columns(memory);
    servers.putAll(columns(readBytes));
    servers.putAll(columns(writeBytes));
    return new PlottedDatabase(
        id,
        tag,
        clients.first(),
        steps(),
        new Columns(x, bySecond),
        byKey(columns(latency)),
        byKey(servers),
        List.of(),
        List.of());
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      long number = clients.at(i).clients();
      if (i == 0 || number != clients.at(i - 1).clients()) {
        steps.add(new Step(i, number, new double[0], new double[0]));
      }
    }
    return steps;
  }

  private static Map<String, double[]> columns(Frame frame) {
    Map<String, double[]> columns = new LinkedHashMap<>();
    for (String name : frame.names()) {
      if (!name.equals(READ_BYTES) && !name.equals(WRITE_BYTES)) {
        columns.put(name, frame.numbers(name));
      }
    }
    return columns;
  }

  private static Columns byKey(Map<String, double[]> columns) {
    return new Columns(columns.get("KEYS"), columns);
  }
}
