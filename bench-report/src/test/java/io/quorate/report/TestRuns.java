package io.quorate.report;

import io.quorate.measure.StepMeasurement;
import io.quorate.run.ClientFiles;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.DatabaseRun;
import io.quorate.run.LatencyLog;
import io.quorate.run.LatencyTag;
import io.quorate.run.Manifest;
import io.quorate.run.Manifests;
import io.quorate.run.RunDirectory;
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
    new ClientFiles(directory).write(steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (int i = 0; i < steps.size(); i++) {
        log.append(LatencyTag.response(i + 1, "put"), steps.get(i).histogram());
      }
    }
  }
}
