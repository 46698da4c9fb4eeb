// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.EventCounts;
import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.measure.WatchMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.Steps;
import io.quorate.scenario.WatchLoad;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Two steps of four puts each: one with a watcher, one with ten, of which some missed something.
 */
public final class WatchedSteps {
  private static final long MS = 1_000_000;

  private WatchedSteps() {}

  /** Writes a complete run of the steps. */
  public static DatabaseDirectory write(RunDirectory run, String id) {
    DatabaseDirectory directory = run.createDatabase(id);
    List<StepMeasurement> steps =
        List.of(
            step(100, watch(1, 1, 2 * MS, new EventCounts(4, 4, 0, 0, 0, 0, 3, 0))),
            step(102, watch(10, 5, 30 * MS, new EventCounts(40, 30, 6, 4, 2, 1, 20, 10))));
    WrittenSteps.write(directory, steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (int i = 0; i < steps.size(); i++) {
        append(log, i + 1, steps.get(i));
      }
    }
    Manifests.withLoad(
            Manifests.of(id, id, 1, 1),
            Manifests.load(
                Steps.watched(2, 1, 4, new WatchLoad(1, 1, 0)),
                Steps.watched(2, 1, 4, new WatchLoad(10, 5, 0))))
        .completed(Manifests.START.plusSeconds(20))
        .write(directory);
    return directory;
  }

  private static void append(LatencyLog log, int number, StepMeasurement step) {
    log.append(LatencyTag.response(number, "put"), step.histogram());
    WatchMeasurement watch = step.watch().orElseThrow();
    log.append(LatencyTag.of(number, LatencyTag.Time.FIRST), watch.first());
    log.append(LatencyTag.of(number, LatencyTag.Time.MEDIAN), watch.median());
    log.append(LatencyTag.of(number, LatencyTag.Time.LAST), watch.last());
  }

  private static StepMeasurement step(long unixSecond, WatchMeasurement watch) {
    long[] nanos = {2 * MS, 2 * MS, 2 * MS, 2 * MS};
    List<SecondMeasurement> seconds =
        List.of(new SecondMeasurement(unixSecond, latencies(nanos), List.of()));
    Histogram histogram = histogram(nanos);
    return new StepMeasurement(
        2,
        4 * MS,
        latencies(nanos),
        histogram,
        seconds,
        new SuccessGaps(MS, List.of()),
        List.of(new OperationMeasurement("put", histogram, Optional.empty(), seconds, 0)),
        Optional.of(watch));
  }

  private static WatchMeasurement watch(
      int watchers, int streams, long createdNanos, EventCounts counts) {
    return new WatchMeasurement(
        watchers,
        streams,
        createdNanos,
        counts,
        5 * MS,
        histogram(MS, MS, MS, MS),
        histogram(2 * MS, 2 * MS, 3 * MS, 4 * MS),
        histogram(4 * MS, 5 * MS, 9 * MS));
  }

  private static Latencies latencies(long... nanos) {
    Latencies all = Latencies.NONE;
    for (long each : nanos) {
      all = all.plus(Golden.latency(each));
    }
    return all;
  }

  private static Histogram histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }
}
