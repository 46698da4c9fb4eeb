// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import io.quorate.format.StrictJson;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A matrix with all its files, made up: two loads of etcd, each run several times. The repeats have
 * different rates.
 */
record SyntheticMatrix(int repeats, double scale) {
  static final String LOW = "001-etcd-low";
  static final String HIGH = "002-etcd-high";

  /** Writes all files into a new directory below this one, and says which. */
  MatrixDirectory write(Path results) throws IOException {
    MatrixDirectory matrix =
        new MatrixDirectory(results.resolve("study").resolve("20261122T080000Z"));
    Files.createDirectories(matrix.cells());
    MatrixManifest plan =
        new MatrixManifest(
            "study",
            "A <study>",
            "What a load does.",
            Manifests.START,
            new BuildInfo(Optional.of("0.1.0"), Optional.of("f9c4a351"), false),
            scale,
            repeats,
            List.of("database", "load"),
            List.of(
                new MatrixManifest.Cell(LOW, Map.of("load", "low")),
                new MatrixManifest.Cell(HIGH, Map.of("load", "high"))),
            Map.of(
                "quorate.home", "/home/jane/quorate",
                "agent.keys", "/home/jane/keys",
                "results", "/home/jane/results",
                "compare-members", "true"),
            "title: A <study>\n");
    Files.writeString(matrix.path().resolve("matrix.json"), StrictJson.text(plan));
    for (int repeat = 1; repeat <= repeats; repeat++) {
      write(matrix, LOW, repeat, 1);
      write(matrix, HIGH, repeat, 10);
    }
    return matrix;
  }

  private static void write(MatrixDirectory matrix, String cell, int repeat, int clients)
      throws IOException {
    int rate = 200 + 20 * repeat;
    Path run =
        new SyntheticRun(List.of("etcd"), 4, rate, List.of(clients), 4)
            .write(matrix.path().resolve("made"));
    Path manifest = run.resolve("etcd/manifest.json");
    Files.writeString(
        manifest, Files.readString(manifest).replaceAll("\"10\\.[0-9.]+:", "\"127.0.0.1:"));
    Files.createDirectories(run.resolve("etcd/logs"));
    Files.writeString(run.resolve("etcd/logs/etcd-1.log"), "a log");
    Path attempt = matrix.nextAttempt(cell, repeat).path();
    Files.move(run, attempt, StandardCopyOption.REPLACE_EXISTING);
    Files.delete(run.getParent());
    Files.delete(matrix.path().resolve("made"));
  }
}
