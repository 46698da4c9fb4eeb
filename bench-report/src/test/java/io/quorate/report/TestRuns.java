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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes runs as the load generator does, and copies them. */
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

  /** Returns all files below a directory, in order. */
  public static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Copies all files below a directory. */
  public static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from)) {
      Path copy = to.resolve(from.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      Files.copy(file, copy);
    }
  }
}
