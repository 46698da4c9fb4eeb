// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import static io.quorate.report.plot.PlotSection.CLIENTS;
import static io.quorate.report.plot.PlotSection.ERRORS;
import static io.quorate.report.plot.PlotSection.LATENCY;
import static io.quorate.report.plot.PlotSection.RATES;
import static io.quorate.report.plot.PlotSection.SERVERS;
import static io.quorate.report.plot.PlotSection.THROUGHPUT;

import io.quorate.report.figures.Frame;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.LinearScale;
import io.quorate.report.plot.draw.LogScale;
import io.quorate.report.plot.draw.PlotSpec;
import io.quorate.report.plot.draw.Scale;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The plots of a run, in the order of the page. Plots of columns of the aggregated file and plots
 * by key have the reference's names; the name of a plot of one database ends with the database's
 * id.
 */
enum RunPlot {
  CAPACITY(PlotSection.CAPACITY, Source.SEARCH, CapacityPlots::card),
  ACHIEVED_BY_OFFERED_LOAD(PlotSection.CAPACITY, Source.SEARCH, CapacityPlots::achieved),
  PROCESSORS_BY_OFFERED_LOAD(PlotSection.CAPACITY, Source.SEARCH, CapacityPlots::processors),
  AVG_THROUGHPUT(THROUGHPUT, "Throughput", "requests/s", Source.CLIENT),
  AVG_LATENCY_MS(LATENCY, "Mean latency", "ms", Source.CLIENT, new LogScale()),
  LATENCY_P99_MS(LATENCY, Source.LOG, TimePlots::p99),
  LATENCY_PERCENTILES_MS(LATENCY, Source.LOG, TimePlots::percentiles),
  LATENCY_DISTRIBUTION_MS(LATENCY, Source.LOG, DistributionPlot::sketches),
  WATCH_LATENCY_DISTRIBUTION_MS(LATENCY, Source.WATCHES, DistributionPlot::watches),
  LATENCY_HEAT_MAP(LATENCY, Source.LOG, TimePlots::heatMaps),
  THROUGHPUT_BY_CLIENTS(CLIENTS, Source.STEPS, LoadPlots.CLIENTS::throughput),
  P99_BY_CLIENTS(CLIENTS, Source.STEPS, LoadPlots.CLIENTS::p99),
  LATENCY_BY_CLIENTS(CLIENTS, Source.STEPS, LoadPlots.CLIENTS::latency),
  THROUGHPUT_BY_RATE(RATES, Source.RATES, LoadPlots.RATES::throughput),
  P99_BY_RATE(RATES, Source.RATES, LoadPlots.RATES::p99),
  LATENCY_BY_RATE(RATES, Source.RATES, LoadPlots.RATES::latency),
  AVG_LATENCY_MS_BY_KEY(Source.CLIENT, "Mean latency by keys", "ms", new LogScale()),
  AVG_LATENCY_MS_BY_KEY_ERROR_POINTS(
      Source.CLIENT, "Latency by keys, minimum to maximum", "ms", new LogScale()),
  AVG_VMRSS_MB_BY_KEY(Source.SERVERS, "Server memory by keys", "MB", new LinearScale(false)),
  AVG_VMRSS_MB_BY_KEY_ERROR_POINTS(
      Source.SERVERS,
      "Server memory by keys, least to most over the servers",
      "MB",
      new LinearScale(false)),
  AVG_READ_BYTES_NUM_DELTA_BY_KEY(
      Source.SERVERS, "Bytes read from disk by keys", "bytes/s", new LinearScale(false)),
  AVG_WRITE_BYTES_NUM_DELTA_BY_KEY(
      Source.SERVERS, "Bytes written to disk by keys", "bytes/s", new LinearScale(false)),
  AVG_CPU(SERVERS, "Server CPU, mean over the servers", "% of one core", Source.SERVERS),
  MAX_CPU(SERVERS, "Server CPU, of the busiest server", "% of one core", Source.SERVERS),
  AVG_VMRSS_MB(SERVERS, "Server memory, mean over the servers", "MB", Source.SERVERS),
  AVG_VOLUNTARY_CTXT_SWITCHES(
      SERVERS, "Voluntary context switches of a server", "since it started", Source.SERVERS),
  AVG_NON_VOLUNTARY_CTXT_SWITCHES(
      SERVERS, "Non-voluntary context switches of a server", "since it started", Source.SERVERS),
  AVG_READS_COMPLETED_DELTA(SERVERS, "Disk reads of a server", "reads/s", Source.SERVERS),
  AVG_SECTORS_READ_DELTA(
      SERVERS, "Sectors read by a server", "sectors of 512 bytes/s", Source.SERVERS),
  AVG_READ_BYTES_NUM_DELTA(SERVERS, "Bytes read by a server", "bytes/s", Source.SERVERS),
  AVG_WRITES_COMPLETED_DELTA(SERVERS, "Disk writes of a server", "writes/s", Source.SERVERS),
  AVG_SECTORS_WRITTEN_DELTA(
      SERVERS, "Sectors written by a server", "sectors of 512 bytes/s", Source.SERVERS),
  AVG_WRITE_BYTES_NUM_DELTA(SERVERS, "Bytes written by a server", "bytes/s", Source.SERVERS),
  AVG_RECEIVE_BYTES_NUM_DELTA(SERVERS, "Network, received by a server", "bytes/s", Source.SERVERS),
  AVG_TRANSMIT_BYTES_NUM_DELTA(SERVERS, "Network, sent by a server", "bytes/s", Source.SERVERS),
  SERVER_LOG_SYNC_MS(
      SERVERS, "Sync of the servers' log, mean of each second", "ms", Source.INTERNALS),
  SERVER_COMMIT_MS(SERVERS, "Commit in the servers, mean of each second", "ms", Source.INTERNALS),
  SERVER_QUEUE(SERVERS, "Queue of the server with the longest", "requests", Source.INTERNALS),
  SERVER_LEADER_CHANGES(SERVERS, "Leader changes", "changes/s", Source.INTERNALS),
  SERVER_GC_PAUSE_MS(SERVERS, "GC pauses of the server with the longest", "ms/s", Source.INTERNALS),
  FAILED_REQUESTS(ERRORS, "Requests that failed", "errors/s", Source.FAILURES);

  /** The values that a plot needs, with the reason for its absence without them. */
  enum Source {
    CLIENT("no request succeeded"),
    LOG("latency.hlog has no latencies in the time of the requests"),
    SEARCH("no trials were made below and above a capacity"),
    WATCHES("no watcher received a put"),
    STEPS("all requests were made with one number of clients"),
    RATES("all requests were made at one rate"),
    SERVERS("there are no metrics of the servers"),
    INTERNALS("the servers reported nothing of themselves"),
    FAILURES("no request failed");

    private final String withoutIt;

    Source(String withoutIt) {
      this.withoutIt = withoutIt;
    }

    boolean isOf(PlotData run) {
      return switch (this) {
        case STEPS -> !run.isOpen();
        case RATES -> run.isOpen();
        case SEARCH -> run.hasCapacity();
        case WATCHES -> run.isWatched();
        case INTERNALS -> false;
        default -> true;
      };
    }

    String withoutIt() {
      return withoutIt;
    }
  }

  private static final Set<RunPlot> ESSENTIAL =
      EnumSet.of(
          CAPACITY,
          AVG_THROUGHPUT,
          AVG_LATENCY_MS,
          LATENCY_DISTRIBUTION_MS,
          THROUGHPUT_BY_CLIENTS,
          LATENCY_BY_CLIENTS,
          THROUGHPUT_BY_RATE,
          LATENCY_BY_RATE,
          AVG_CPU,
          AVG_VMRSS_MB);

  private final PlotSection section;
  private final Source source;
  private final Function<PlotData, List<PlotSpec>> sketches;
  private final boolean ofColumn;

  RunPlot(PlotSection section, Source source, Function<PlotData, List<PlotSpec>> sketches) {
    this.section = section;
    this.source = source;
    this.sketches = sketches;
    this.ofColumn = false;
  }

  /** Creates a plot by the number of keys; error points have the least and the greatest value. */
  RunPlot(Source source, String title, String unit, Scale up) {
    Function<DatabaseSeries, Frame> columns =
        source == Source.CLIENT ? DatabaseSeries::latencyByKey : DatabaseSeries::serversByKey;
    this.section = PlotSection.KEYS;
    this.source = source;
    this.sketches = run -> TimePlots.byKey(run, columns, fileName(), title, unit, up);
    this.ofColumn = false;
  }

  RunPlot(PlotSection section, String title, String unit, Source source) {
    this(section, title, unit, source, new LinearScale(false));
  }

  RunPlot(PlotSection section, String title, String unit, Source source, Scale up) {
    this.section = section;
    this.source = source;
    this.sketches = run -> TimePlots.column(run, fileName(), title, unit, up);
    this.ofColumn = true;
  }

  /** Returns whether a plot shows throughput, latency, CPU or memory as a whole. */
  static boolean isEssential(String name) {
    return ESSENTIAL.stream().anyMatch(plot -> plot.fileName().equals(name));
  }

  static Optional<RunPlot> ofColumn(String name) {
    return Arrays.stream(values())
        .filter(RunPlot::isOfAggregatedColumn)
        .filter(plot -> plot.fileName().equals(name))
        .findFirst();
  }

  boolean isOfAggregatedColumn() {
    return ofColumn && source != Source.FAILURES && source != Source.INTERNALS;
  }

  PlotSection section() {
    return section;
  }

  Source source() {
    return source;
  }

  /** Returns the name of its files, without ending: for a plot of a column, the column's name. */
  String fileName() {
    return name().replace('_', '-');
  }

  /** Returns one sketch, or one for each database; empty if there is nothing to draw. */
  List<PlotSpec> sketches(PlotData run) {
    return sketches.apply(run);
  }
}
