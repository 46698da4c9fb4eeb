// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.format.StrictJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixManifestTest {
  private static final String JSON =
      """
      {"formatVersion":1,"name":"a","title":"A","description":"","start":"2026-11-27T10:00:00Z",
      "suite":{"dirty":false},"scale":1.0,"repeats":1,
      "axes":["database","case","reads","target","value-size","load"],
      "cells":[{"id":"001-etcd","coordinates":{"database":"etcd","case":"few","reads":"stale",
      "target":"leader","value-size":"256","load":"1 client"}}],
      "options":{},"text":""}
      """;

  @Test
  void the_axes_of_an_earlier_version_have_their_present_names() {
    MatrixManifest manifest = StrictJson.parse("matrix.json", 1, JSON, MatrixManifest.class);

    assertThat(manifest.axes())
        .containsExactly("database", "variant", "consistency", "routing", "values", "load");
    assertThat(manifest.cells().get(0).coordinates().keySet())
        .containsExactlyElementsOf(manifest.axes());
    assertThat(manifest.cells().get(0).label())
        .isEqualTo("etcd, few, stale, leader, 256, 1 client");
  }

  @Test
  void more_repeats_than_a_matrix_has_are_refused() {
    String json = JSON.replace("\"repeats\":1", "\"repeats\":2147483647");
    assertThatThrownBy(() -> StrictJson.parse("matrix.json", 1, json, MatrixManifest.class))
        .hasMessageContaining(
            "2147483647 repeats, expected a scale above 0 and at most 1, and 1 to");
  }

  @Test
  void a_run_beside_those_of_a_matrix_has_no_place_in_it(@TempDir Path matrix) throws IOException {
    Files.createFile(matrix.resolve("matrix.json"));
    Path cells = matrix.resolve("cells");
    Path own = Files.createDirectories(cells.resolve("001-etcd/2-3"));
    Path other = Files.createDirectories(cells.resolve("quick/20261120T083224Z"));
    assertThat(MatrixDirectory.placeOf(new RunDirectory(own)))
        .isEqualTo(Map.of("cell", "001-etcd", "repeat", 2));
    assertThat(MatrixDirectory.placeOf(new RunDirectory(other))).isEmpty();
  }
}
