package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Basis;
import io.quorate.report.findings.Standing.OfLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Verdicts of open loops. */
class OfferedRatesTest {
  @Test
  void ofAnOpenLoopTheRateThatWasOfferedIsSaidAndWhetherItWasHeld() {
    assertThat(new Verdict(List.of(open("etcd", 1, 2, 951), open("consul", 40, 80, 949))).lead())
        .containsExactly(
            "1,000 requests per second were offered: etcd held that rate; consul was offered more"
                + " than it can take (949 per second succeeded).",
            "At the median (p50) response time was lowest on etcd with 1.000 ms; consul was 40.0"
                + " times as high (40.000 ms).",
            "At p99 response time was lowest on etcd with 2.000 ms; consul was 40.0 times as high"
                + " (80.000 ms).");
    assertThat(
            Verdict.sentences(
                List.of(
                    open("etcd", 1, 2, 1000, 2000, 3000), open("consul", 4, 8, 1000, 1500, 1400))))
        .containsExactly(
            "Rates of 1,000 to 3,000 requests per second were offered: etcd held all of them;"
                + " consul held up to 1,000, and was offered more than it can take at 2,000 (1,500"
                + " per second succeeded).",
            "At the median (p50) response time was lowest on etcd in every step; at 3,000/s it was"
                + " 1.000 ms (etcd) and 4.000 ms (consul).",
            "At p99 response time was lowest on etcd in every step; at 3,000/s it was 2.000 ms"
                + " (etcd) and 8.000 ms (consul).",
            "No request of etcd and consul failed.");
  }

  @Test
  void aStoreIsBlamedOnlyForARateAtWhichTheLoadGeneratorWasOnTime() {
    assertThat(Verdict.sentences(List.of(open("etcd", Set.of(1000L), 1, 2, 949))))
        .startsWith(
            "1,000 requests per second were offered: etcd did not reach that rate (949 per second"
                + " succeeded), but there the load generator sent requests late.");
    assertThat(
            Verdict.sentences(
                List.of(
                    open("etcd", Set.of(2000L, 3000L), 1, 2, 1000, 1500, 1600),
                    open("consul", Set.of(2000L), 1, 2, 1000, 1500, 1600))))
        .startsWith(
            "Rates of 1,000 to 3,000 requests per second were offered: etcd held up to 1,000, and"
                + " did not reach 2,000 (1,500 per second succeeded), but there the load generator"
                + " sent requests late; consul held up to 1,000, and was offered more than it can"
                + " take at 3,000 (1,600 per second succeeded).");
    assertThat(Verdict.sentences(List.of(open("etcd", Set.of(1000L), 1, 2, 951))))
        .startsWith("1,000 requests per second were offered: etcd held that rate.");
  }

  /** At 1,000 requests a second, 2,000, and so on, of which these succeeded. */
  private static Standing open(String name, double p50, double p99, double... perSecond) {
    return open(name, Set.of(), p50, p99, perSecond);
  }

  private static Standing open(
      String name, Set<Long> late, double p50, double p99, double... perSecond) {
    List<OfLoad> steps = new ArrayList<>();
    for (double each : perSecond) {
      long rate = 1000L * (steps.size() + 1);
      steps.add(
          new OfLoad(
              rate,
              10_000,
              OptionalDouble.of(each),
              OptionalDouble.of(p50),
              OptionalDouble.of(p99),
              late.contains(rate),
              Basis.UNKNOWN));
    }
    return Measured.database(name, 10_000, 0)
        .perSecond(perSecond[0])
        .p50(p50)
        .p99(p99)
        .steps(steps)
        .atRates()
        .standing();
  }
}
