// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.WrittenSteps;
import java.nio.file.Path;
import java.util.List;

/** Writes runs as the load generator does. */
public final class TestRuns {
  private TestRuns() {}

  public static DatabaseRun write(
      Path run, String id, String tag, double scale, long requests, List<StepMeasurement> steps) {
    DatabaseDirectory directory = new RunDirectory(run).createDatabase(id);
    Manifest manifest = Manifests.withSteps(Manifests.of(id, tag, scale, requests), steps);
    measure(directory, steps);
    manifest.completed(Manifests.START.plusSeconds(20)).write(directory);
    return DatabaseRun.read(directory.path());
  }

  public static void measure(DatabaseDirectory directory, List<StepMeasurement> steps) {
    WrittenSteps.write(directory, steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (int i = 0; i < steps.size(); i++) {
        log.append(LatencyTag.response(i + 1, "put"), steps.get(i).histogram());
      }
    }
  }
}
