// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** A step of two puts, each with a separate connection. */
public final class OneShotSteps {
  private static final long MS = 1_000_000;

  private static final Latencies BOTH = Golden.latency(2 * MS).plus(Golden.latency(2 * MS));

  private OneShotSteps() {}

  /** Writes a complete run of the step, with connections that took 3 and 5 ms. */
  public static DatabaseDirectory write(Path results) {
    return write(results, 3 * MS, 5 * MS);
  }

  /** Writes a complete run of the step, with such connections, next to others. */
  public static DatabaseDirectory write(RunDirectory run, String id) {
    return write(run.createDatabase(id), id, 3 * MS, 5 * MS);
  }

  /** Writes a complete run of the step with these connections. */
  static DatabaseDirectory write(Path results, long... connectNanos) {
    RunDirectory run = RunDirectory.create(results, "one-shot", 1, Manifests.START);
    return write(run.createDatabase("etcd"), "etcd", connectNanos);
  }

  private static DatabaseDirectory write(
      DatabaseDirectory directory, String id, long... connectNanos) {
    Histogram histogram = histogram(2 * MS, 2 * MS);
    List<SecondMeasurement> seconds = List.of(new SecondMeasurement(100, BOTH, List.of()));
    WrittenSteps.write(
        directory,
        List.of(
            new StepMeasurement(
                2,
                900 * MS,
                BOTH,
                histogram,
                seconds,
                new SuccessGaps(0, List.of()),
                List.of(new OperationMeasurement("put", histogram, Optional.empty(), seconds, 0)),
                Optional.empty())));
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      log.append(LatencyTag.response(1, "put"), histogram);
      if (connectNanos.length > 0) {
        log.append(LatencyTag.of(1, LatencyTag.Time.CONNECT), histogram(connectNanos));
      }
    }
    LoadModel model = new LoadModel.Closed(2, OptionalLong.empty(), true, Optional.empty());
    Manifests.withLoad(
            Manifests.of(id, id, 1, 1), Manifests.load(new Step(model, 2, 2, Optional.empty())))
        .completed(Manifests.START.plusSeconds(20))
        .write(directory);
    return directory;
  }

  private static Histogram histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }
}
