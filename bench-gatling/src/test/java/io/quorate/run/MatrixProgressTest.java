// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MatrixProgressTest {
  @Test
  void the_rest_is_estimated_from_the_same_cell_or_from_the_mean() {
    MatrixRun.Progress progress = new MatrixRun.Progress(6, 1);

    assertThat(progress.begins("etcd, put", 1, 2, List.of("a", "b", "a", "b", "a")))
        .isEqualTo("[2/6] repeat 1 of 2, etcd, put");
    progress.ended("a", Duration.ofSeconds(10));
    assertThat(progress.begins("etcd, get", 1, 2, List.of("b", "a", "b", "a")))
        .isEqualTo("[3/6] repeat 1 of 2, etcd, get; about 40 s left");
    progress.ended("b", Duration.ofSeconds(90));
    assertThat(progress.begins("etcd, put", 2, 2, List.of("a", "b", "a")))
        .isEqualTo("[4/6] repeat 2 of 2, etcd, put; about 110 s left");
    progress.ended("a", Duration.ofSeconds(100));
    assertThat(progress.begins("etcd, get", 1, 1, List.of("b", "a")))
        .isEqualTo("[5/6] etcd, get; about 3 min left");
  }
}
