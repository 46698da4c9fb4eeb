// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.LatencyParts;
import io.quorate.report.doctor.StallAnalysis;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DoctorTablesTest {
  @Test
  void stepsWithDifferentPartsHaveTheSameColumns() {
    LatencyParts.Part fsync = new LatencyParts.Part("WAL fsync", 3);
    LatencyParts.Part commit = new LatencyParts.Part("backend commit", 2);
    Page.Table table =
        new DoctorTables(
                new Diagnosis(
                    "etcd",
                    List.of(),
                    new StallAnalysis(List.of(), List.of(), 0),
                    List.of(),
                    Set.of(),
                    List.of(),
                    List.of(
                        new LatencyParts("with 1 client", 5, List.of(fsync)),
                        new LatencyParts("with 10 clients", 9, List.of(fsync, commit))),
                    List.of()))
            .latency();

    assertThat(table.columns())
        .startsWith("measured mean", "WAL fsync", "backend commit")
        .hasSize(5);
    assertThat(table.rows())
        .allSatisfy(row -> assertThat(row.cells()).hasSameSizeAs(table.columns()));
    assertThat(table.rows().get(0).cells().get(2).text()).isEqualTo("-");
  }
}
