// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.server.ReportedMetrics;
import io.quorate.store.server.ServerCheck;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The check whether anybody compacts the history of etcd. */
class EtcdCompactionCheckTest {
  private static final double MINUTE = 60_000;

  @Test
  void a_long_run_without_a_compaction_is_a_warning() {
    ServerCheck.Measured found = measured(12 * MINUTE, OptionalDouble.of(0)).orElseThrow();
    assertThat(found.text()).isEqualTo("0 in 12 minutes");
    assertThat(found.value()).isGreaterThanOrEqualTo(found.warning()).isLessThan(found.bad());
  }

  @Test
  void a_long_run_with_compactions_and_a_short_run_are_in_order() {
    ServerCheck.Measured compacted = measured(11 * MINUTE, OptionalDouble.of(2)).orElseThrow();
    assertThat(compacted.text()).isEqualTo("2 in 11 minutes");
    assertThat(compacted.value()).isLessThan(compacted.warning());
    ServerCheck.Measured brief = measured(MINUTE, OptionalDouble.of(0)).orElseThrow();
    assertThat(brief.value()).isLessThan(brief.warning());
  }

  @Test
  void without_the_metric_nothing_is_known() {
    assertThat(measured(12 * MINUTE, OptionalDouble.empty())).isEmpty();
  }

  private static Optional<ServerCheck.Measured> measured(double millis, OptionalDouble growth) {
    ServerCheck check =
        EtcdServers.SERVERS.knowledge().checks().stream()
            .filter(each -> each.rule().id().equals("etcd-compaction"))
            .findFirst()
            .orElseThrow();
    return check.measurement().of(new Reported(millis, growth));
  }

  /** A member that has reported one counter. */
  private record Reported(double millis, OptionalDouble compactions) implements ReportedMetrics {
    @Override
    public OptionalDouble last(String metric) {
      return OptionalDouble.empty();
    }

    @Override
    public OptionalDouble most(String metric) {
      return OptionalDouble.empty();
    }

    @Override
    public OptionalDouble growth(String metric) {
      return metric.equals("etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_count")
          ? compactions
          : OptionalDouble.empty();
    }

    @Override
    public OptionalDouble usual(String metric) {
      return OptionalDouble.empty();
    }
  }
}
