// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Steps;
import io.quorate.store.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** A step of two requests that are tried until they succeed: one did, after five conflicts. */
public final class StmSteps {
  private static final long MS = 1_000_000;

  private StmSteps() {}

  /** Writes a complete run of the step, in a separate directory. */
  public static DatabaseDirectory write(Path results) {
    return write(RunDirectory.create(results, "stm", 1, Manifests.START), "etcd");
  }

  /** Writes a complete run of the step. */
  public static DatabaseDirectory write(RunDirectory run, String id) {
    DatabaseDirectory directory = run.createDatabase(id);
    Histogram histogram = new Histogram(3);
    histogram.recordValue(2 * MS);
    ErrorTally late = new ErrorTally("timeout", "no answer", 1, 7 * MS);
    List<SecondMeasurement> seconds =
        List.of(new SecondMeasurement(100, Golden.latency(2 * MS), List.of(late)));
    StepMeasurement step =
        new StepMeasurement(
            3,
            900 * MS,
            Golden.latency(2 * MS),
            histogram,
            seconds,
            new SuccessGaps(0, List.of()),
            List.of(new OperationMeasurement("stm", histogram, Optional.empty(), seconds, 5)),
            Optional.empty());
    WrittenSteps.write(directory, List.of(step));
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      log.append(LatencyTag.response(1, "stm"), histogram);
    }
    Manifests.withLoad(
            Manifests.of(id, id, 1, 1),
            Manifests.load(OperationMix.of(Operation.STM), List.of(Steps.closed(3, 3, 2))))
        .completed(Manifests.START.plusSeconds(20))
        .write(directory);
    return directory;
  }
}
