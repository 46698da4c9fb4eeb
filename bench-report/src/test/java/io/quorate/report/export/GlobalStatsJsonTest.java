// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.DatabaseFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.OperationSteps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GlobalStatsJsonTest {
  @TempDir private Path results;

  @Test
  void all_requests_are_told_as_Gatlings_plugin_for_Jenkins_reads_them() {
    DatabaseRun run = DatabaseRun.read(OperationSteps.write(results).path());

    assertThat(GlobalStatsJson.text(DatabaseFigures.of(run)))
        .contains(
            "{\"name\":\"All Requests\",\"numberOfRequests\":{\"total\":10,\"ok\":8,\"ko\":2},"
                + "\"minResponseTime\":{\"total\":1,\"ok\":1},"
                + "\"maxResponseTime\":{\"total\":6,\"ok\":6},"
                + "\"meanResponseTime\":{\"total\":4,\"ok\":4},"
                + "\"standardDeviation\":{\"total\":1,\"ok\":1},"
                + "\"percentiles1\":{\"total\":4,\"ok\":4},\"percentiles2\":{\"total\":4,\"ok\":4},"
                + "\"percentiles3\":{\"total\":6,\"ok\":6},\"percentiles4\":{\"total\":6,\"ok\":6},\"group1\":{\"name\":\"t"
                + " < 10 ms\",\"htmlName\":\"t &lt; 10"
                + " ms\",\"count\":8,\"percentage\":80},\"group2\":{\"name\":\"10 ms <= t < 100"
                + " ms\",\"htmlName\":\"10 ms &lt;= t &lt; 100"
                + " ms\",\"count\":0,\"percentage\":0},\"group3\":{\"name\":\"t >= 100"
                + " ms\",\"htmlName\":\"t &gt;= 100"
                + " ms\",\"count\":0,\"percentage\":0},\"group4\":{\"name\":\"failed\",\"htmlName\":\"failed\",\"count\":2,\"percentage\":20},\"meanNumberOfRequestsPerSecond\":{\"total\":2.857,\"ok\":2.286,\"ko\":0.571}}\n");
  }
}
