// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.OperationSteps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerfdashJsonTest {
  @TempDir private Path results;

  @Test
  void each_operation_has_its_percentiles_in_the_format_of_etcd_s_benchmark_tool() {
    DatabaseRun run = DatabaseRun.read(OperationSteps.write(results).path());

    assertThat(PerfdashJson.text(DatabaseFigures.of(run)))
        .isEqualTo(
            "{\"version\":\"v1\",\"dataItems\":["
                + "{\"data\":{\"Perc50\":3.000319,\"Perc90\":4,\"Perc99\":4},"
                + "\"labels\":{\"Operation\":\"GET\"},\"unit\":\"ms\"},"
                + "{\"data\":{\"Perc50\":5.001215,\"Perc90\":6,\"Perc99\":6},"
                + "\"labels\":{\"Operation\":\"PUT\"},\"unit\":\"ms\"}]}\n");
  }
}
