// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.DatabaseDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the files about the requests of a load that has ended, as a run does. */
public final class WrittenSteps {
  private WrittenSteps() {}

  /** Writes the files of these steps; those that are there are replaced. */
  public static void write(DatabaseDirectory directory, List<StepMeasurement> steps) {
    ClientFiles files = new ClientFiles(directory);
    files.paths().forEach(WrittenSteps::delete);
    SecondRow.FILE.append(directory.path(), List.of());
    ErrorRow.FILE.append(directory.path(), List.of());
    StepTimes.FILE.append(directory.path(), List.of());
    for (int i = 0; i < steps.size(); i++) {
      for (OperationMeasurement each : steps.get(i).operations()) {
        files.append(
            i + 1,
            each.operation(),
            each.seconds().stream().filter(WrittenSteps::hasRequests).toList());
      }
      files.end(i + 1, steps.get(i));
    }
  }

  private static boolean hasRequests(SecondMeasurement second) {
    return !second.successes().equals(Latencies.NONE)
        || !second.errors().isEmpty()
        || second.dropped() > 0;
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
