// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RelativeLinkTest {
  private static final Path HOME = Path.of("/results/quick/run");

  @Test
  void aLinkIsRelativeToThePage() {
    assertThat(RunFiles.href(HOME, HOME.resolve("etcd/manifest.json")))
        .isEqualTo("etcd/manifest.json");
  }

  @Test
  void whatCouldMeanAnythingElseIsEncoded() {
    assertThat(RunFiles.href(HOME, HOME.resolve("javascript:alert(1)/\"><b>#?% ü&.csv")))
        .isEqualTo("javascript%3Aalert%281%29/%22%3E%3Cb%3E%23%3F%25%20%C3%BC%26.csv");
  }
}
