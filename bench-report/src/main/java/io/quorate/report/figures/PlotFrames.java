package io.quorate.report.figures;

import io.quorate.VisibleText;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.ClientResults;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The figures of a database that are plotted, a run of ours or of the reference.
 *
 * @param seconds one row for every second from the first to the last with a request; throughput and
 *     growths are rates over the time that was covered
 * @param latency in milliseconds by number of keys
 * @param memory in MB by number of keys
 * @param readBytes by number of keys
 * @param writeBytes by number of keys
 * @param byClients what is known of whole steps; empty of the reference
 */
public record PlotFrames(
    String id,
    String tag,
    ClientTimeline clients,
    Frame seconds,
    Frame latency,
    Frame memory,
    Frame readBytes,
    Frame writeBytes,
    Optional<ClientNumberFigures> byClients) {
  private static final List<String> AGGREGATED =
      Arrays.stream(AggregatedColumn.values()).map(AggregatedColumn::title).toList();

  /**
   * Returns the figures of a run of ours as long as nothing is known of its servers.
   *
   * @param clients of these results
   */
  static PlotFrames ofClients(DatabaseRun run, ClientResults results, ClientTimeline clients) {
    Aggregation all = new Aggregation(clients, List.of(), Double.NaN);
    return new PlotFrames(
        run.manifest().store().id(),
        VisibleText.of(run.manifest().store().tag()),
        clients,
        rates(all.frame(), clients),
        KeyNumberFiles.latency(results.keyNumbers()),
        nothing("KEYS", "MIN-VMRSS-MB", "AVG-VMRSS-MB", "MAX-VMRSS-MB"),
        nothing("KEYS", AggregatedColumn.AVG_READ_BYTES_DELTA.title(), KeyNumberFiles.READ_BYTES),
        nothing("KEYS", AggregatedColumn.AVG_WRITE_BYTES_DELTA.title(), KeyNumberFiles.WRITE_BYTES),
        Optional.of(new ClientNumberFigures(StepFigures.of(run))));
  }

  private static Frame rates(Frame all, ClientTimeline clients) {
    return all.only(AGGREGATED)
        .with(AggregatedColumn.AVG_THROUGHPUT.title(), clients.successRates());
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
        rates(all, clients),
        latency,
        memoryByKey,
        readByKey,
        writtenByKey,
        byClients);
  }
}
