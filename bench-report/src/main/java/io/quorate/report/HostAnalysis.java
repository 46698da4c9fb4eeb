package io.quorate.report;

import io.quorate.run.AtomicFile;
import io.quorate.run.ClientResults;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.DatabaseRun;
import io.quorate.run.HostFiles;
import io.quorate.run.HostSeries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What the machines did while a database was measured, from the files of a run of ours. */
final class HostAnalysis {
  private final HostFiles files;
  private final HostFigures figures = new HostFigures();
  private final Map<String, String> written = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();
  private PlotFrames plots;

  private HostAnalysis(HostFiles files) {
    this.files = files;
  }

  /**
   * Reads the files about machines, as far as there are any.
   *
   * @throws io.quorate.QuorateException if what is there cannot be read
   */
  static HostAnalysis of(DatabaseRun run, ClientResults results) {
    HostAnalysis analysis = new HostAnalysis(HostFiles.in(run.directory()));
    if (results.seconds().isEmpty()) {
      analysis.missing.add("no request, so nothing to set host metrics against");
      return analysis;
    }
    ClientTimeline clients = ClientTimeline.of(results.seconds(), Rules.OWN);
    analysis.plots = PlotFrames.ofClients(run, results, clients);
    analysis.servers(run, clients);
    analysis.client(clients);
    analysis.disk(run);
    return analysis;
  }

  /** Whether there is any file about machines. */
  boolean isMeasured() {
    return !files.isEmpty();
  }

  Map<HostFigure, Double> figures() {
    return figures.toMap();
  }

  /** What is not known, and why, as sentences without an end. */
  List<String> missing() {
    return List.copyOf(missing);
  }

  /** Writes what the servers did by second and by number of keys, if that is known. */
  void write(DatabaseDirectory directory) {
    written.forEach((name, text) -> AtomicFile.write(directory.path().resolve(name), text));
  }

  /** What is plotted; empty if there was no request. */
  Optional<PlotFrames> plotFrames() {
    return Optional.ofNullable(plots);
  }

  private void servers(DatabaseRun run, ClientTimeline clients) {
    int known = files.servers().isEmpty() ? 0 : files.servers().lastKey();
    int servers = Math.max(known, run.manifest().store().members().size());
    List<String> absent =
        IntStream.rangeClosed(1, servers)
            .filter(server -> !files.servers().containsKey(server))
            .mapToObj(Integer::toString)
            .toList();
    if (known == 0 || !absent.isEmpty()) {
      missing.add(
          known == 0
              ? "no metrics of the servers were recorded"
              : "no metrics of server " + String.join(", ", absent) + ", so none of all servers");
      return;
    }
    List<HostSeries> series =
        files.servers().values().stream()
            .map(file -> HostSeries.read(file, ServerColumn.sources()))
            .toList();
    for (int server = 1; server <= servers; server++) {
      if (!covers(series.get(server - 1), clients, "server " + server)) {
        return;
      }
    }
    Aggregation all = new Aggregation(clients, series, Rules.OWN);
    Frame frame = all.frame();
    figures.servers(frame, servers);
    KeyNumberFiles byKey = new KeyNumberFiles(all, frame, clients, 0, Rules.OWN);
    Frame memory = byKey.memory();
    Frame readBytes = byKey.readBytes();
    Frame writeBytes = byKey.writeBytes();
    plots = plots.withServers(frame, memory, readBytes, writeBytes);
    String tag = run.manifest().store().tag().replaceAll("[^A-Za-z0-9._-]", "-");
    written.put(tag + "-all-aggregated.csv", frame.csv());
    written.put("server-memory-by-key-number.csv", memory.csv());
    written.put("server-read-bytes-delta-by-key-number.csv", readBytes.csv());
    written.put("server-write-bytes-delta-by-key-number.csv", writeBytes.csv());
  }

  private boolean covers(HostSeries series, ClientTimeline clients, String whose) {
    boolean covers = series.covers(clients.first(), clients.last());
    if (!covers) {
      missing.add(
          "requests were made from second %d to %d, but metrics of %s are there from %d to %d, so they are left out"
              .formatted(
                  clients.first(),
                  clients.last(),
                  whose,
                  series.firstSecond(),
                  series.lastSecond()));
    }
    return covers;
  }

  /** Other than the reference, in the seconds of the requests only, as the servers. */
  private void client(ClientTimeline clients) {
    if (files.client().isEmpty()) {
      missing.add("no metrics of the load generator were recorded");
      return;
    }
    HostSeries series = HostSeries.read(files.client().get(), HostFigures.CLIENT_COLUMNS);
    if (covers(series, clients, "the load generator")) {
      figures.client(series.window(clients.first(), clients.last()));
    }
  }

  private void disk(DatabaseRun run) {
    if (files.diskSpace().isEmpty()) {
      missing.add("the size of the data directories was not recorded");
      return;
    }
    List<Long> bytes = HostFiles.diskBytes(files.diskSpace().get());
    int servers = run.manifest().store().members().size();
    if (bytes.size() < servers || bytes.isEmpty()) {
      missing.add(
          "the size of %d of %d data directories was recorded, so the mean is left out"
              .formatted(bytes.size(), servers));
      return;
    }
    figures.disk(bytes);
  }
}
