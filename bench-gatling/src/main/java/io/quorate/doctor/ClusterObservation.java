// SPDX-License-Identifier: Apache-2.0
package io.quorate.doctor;

import io.quorate.FileFailure;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ExternalCluster;
import io.quorate.host.HostRecording;
import io.quorate.install.TemporaryDirectory;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.Probes;
import io.quorate.results.DatabaseDirectory;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Observes an existing cluster without sending requests: reads the metrics of its members. */
record ClusterObservation(Store database, List<Endpoint> endpoints, Access access) {
  /**
   * Records the metrics of the members for a time, in a temporary directory, and diagnoses them.
   *
   * @throws io.quorate.QuorateException if no member answers
   */
  Diagnosis diagnose(Duration time, Probes probes) throws InterruptedException {
    Cluster cluster = ExternalCluster.observed(database, endpoints, access);
    try (TemporaryDirectory temporary = TemporaryDirectory.create()) {
      DatabaseDirectory directory = new DatabaseDirectory(temporary.path().resolve(database.id()));
      Files.createDirectory(directory.path());
      long start = System.currentTimeMillis();
      HostRecording recording =
          HostRecording.start(
              database,
              cluster.members(),
              () -> 0,
              directory,
              new HostRecording.Scope(Optional.empty(), Optional.empty(), 1, 1),
              access,
              Clock.systemUTC());
      try {
        Thread.sleep(time.toMillis());
      } finally {
        recording.close();
      }
      return Diagnosis.ofObservation(
          directory,
          endpoints.size(),
          start,
          System.currentTimeMillis(),
          recording.remarks(),
          probes);
    } catch (IOException impossible) {
      throw FileFailure.exception("the observation cannot be written", impossible);
    }
  }
}
