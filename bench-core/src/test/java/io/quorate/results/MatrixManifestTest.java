// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.format.StrictJson;
import org.junit.jupiter.api.Test;

class MatrixManifestTest {
  @Test
  void the_axes_of_an_earlier_version_have_their_present_names() {
    String json =
        """
        {"formatVersion":1,"name":"a","title":"A","description":"","start":"2026-11-27T10:00:00Z",
        "suite":{"dirty":false},"scale":1.0,"repeats":1,
        "axes":["database","case","reads","target","value-size","load"],
        "cells":[{"id":"001-etcd","coordinates":{"database":"etcd","case":"few","reads":"stale",
        "target":"leader","value-size":"256","load":"1 client"}}],
        "options":{},"text":""}
        """;
    MatrixManifest manifest = StrictJson.parse("matrix.json", 1, json, MatrixManifest.class);

    assertThat(manifest.axes())
        .containsExactly("database", "variant", "consistency", "routing", "values", "load");
    assertThat(manifest.cells().get(0).coordinates().keySet())
        .containsExactlyElementsOf(manifest.axes());
    assertThat(manifest.cells().get(0).label())
        .isEqualTo("etcd, few, stale, leader, 256, 1 client");
  }
}
