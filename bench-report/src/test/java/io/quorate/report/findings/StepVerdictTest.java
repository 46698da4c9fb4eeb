package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Basis;
import io.quorate.report.findings.Standing.OfLoad;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests verdicts on loads with several steps, and on times without a success. */
class StepVerdictTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();

  @Test
  void whoIsAheadIsSaidForEachStepAndTheMeanOverStepsIsNot() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing("etcd", 900, with(1, 612, 1.5, 3), with(1000, 10_750, 90, 200)),
                    standing("zookeeper", 700, with(1, 450, 2, 4), with(1000, 30_100, 31, 60)))))
        .containsExactly(
            "With 1 client etcd completed the most requests, 612 per second: 36 % more than"
                + " zookeeper (450).",
            "With 1,000 clients zookeeper completed the most requests, 30,100 per second: 2.8 times"
                + " as many as etcd (10,750).",
            "At the median (p50) latency was lowest on etcd with 1 client and on zookeeper with"
                + " 1,000 clients; with 1,000 clients it was 31.000 ms (zookeeper) and 90.000 ms"
                + " (etcd).",
            "At p99 latency was lowest on etcd with 1 client and on zookeeper with 1,000 clients;"
                + " with 1,000 clients it was 60.000 ms (zookeeper) and 200.000 ms (etcd).",
            "No request of etcd and zookeeper failed.");
  }

  @Test
  void whatIsTheSameInEveryStepIsSaidOnce() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing(
                        "etcd",
                        900,
                        with(1, 600, 1, 3),
                        with(10, 4000, 2, 5),
                        with(100, 20_000, 5, 9)),
                    standing(
                        "consul",
                        700,
                        with(1, 300, 2, 7),
                        with(10, 3000, 3, 6),
                        with(100, 5000, 20, 40)))))
        .containsExactly(
            "In every step etcd completed the most requests: with 1 client 600 per second, 2.0"
                + " times as many as consul (300), and with 100 clients 20,000, 4.0 times as many"
                + " as consul (5,000).",
            "At the median (p50) latency was lowest on etcd in every step; with 100 clients it was"
                + " 5.000 ms (etcd) and 20.000 ms (consul).",
            "At p99 latency was lowest on etcd in every step; with 100 clients it was 9.000 ms"
                + " (etcd) and 40.000 ms (consul).",
            "No request of etcd and consul failed.");
  }

  @Test
  void stepsThatAreTooCloseAreATieAndStepsInARowAreARange() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing(
                        "etcd",
                        900,
                        with(1, 100, 1, 3),
                        with(5, 500, 1, 3),
                        with(10, 1000, 1, 3),
                        with(50, 4000, 1, 3)),
                    standing(
                        "consul",
                        700,
                        with(1, 99, 1, 3),
                        with(5, 501, 1, 3),
                        with(10, 1001, 1, 3),
                        with(50, 2000, 1, 3)))))
        .startsWith(
            "With 1 to 10 clients no database was clearly ahead in throughput: with 10 clients"
                + " consul with 1,001 and etcd with 1,000 requests per second lie within 10 % of"
                + " the highest, too close to tell apart.",
            "With 50 clients etcd completed the most requests, 4,000 per second: 2.0 times as many"
                + " as consul (2,000).",
            "At the median (p50) latency was lowest on etcd and consul (too close to tell apart) in"
                + " every step; with 50 clients it was 1.000 ms (etcd) and 1.000 ms (consul).");
  }

  @Test
  void aStepWithoutASuccessIsNoMissingFigure() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing("etcd", 900, with(1, 600, 1, 3), with(10, 4000, 2, 5)),
                    standing("consul", 700, with(1, 300, 2, 7), with(10, 3000, 3, 6)),
                    standing(
                        "zetcd",
                        200,
                        with(1, 200, 4, 9),
                        new OfLoad(
                            10, 0, OptionalDouble.of(0), NONE, NONE, false, Basis.UNKNOWN)))))
        .startsWith(
            "In every step etcd completed the most requests: with 1 client 600 per second, 2.0"
                + " times as many as consul (300) and 3.0 times as many as zetcd (200), and with 10"
                + " clients 4,000, 33 % more than consul (3,000); no request of zetcd succeeded.");
  }

  @Test
  void oneDatabaseAloneIsDescribedByItsSteps() {
    assertThat(
            Verdict.sentences(
                List.of(standing("etcd", 900, with(1, 600, 1, 3), with(1000, 30_000, 20, 50)))))
        .startsWith(
            "etcd completed 600 requests per second with 1 client (99% within 3.000 ms) and 30,000"
                + " requests per second with 1,000 clients (99% within 50.000 ms).",
            "The run has no figures of another database to compare it with.");
  }

  @Test
  void aTimeWithoutASuccessAndTheSlowestRequestAreNamed() {
    Standing etcd = stalled("etcd", 3027.5, new Stall(3.02, 3.02, 10, true, OptionalLong.empty()));
    Standing consul = stalled("consul", 1100, new Stall(1.1, 7.25, 1, true, OptionalLong.empty()));
    Standing zookeeper =
        stalled("zookeeper", 3834.7257, new Stall(3, 3, 1000, false, OptionalLong.empty()));
    assertThat(Verdict.sentences(List.of(etcd, consul, zookeeper)))
        .containsSubsequence(
            "No request of etcd succeeded for 3.0 s at a stretch (with 10 clients): at most 10"
                + " requests were under way at a time, so the percentiles hardly show it.",
            "No request of consul succeeded for 1.1 s at a stretch (with 1 client), and for 7.2 s"
                + " in all such times of a second or more: at most 1 request was under way at a"
                + " time, so the percentiles hardly show it.",
            "No request of zookeeper that was sent in 3 whole seconds in a row succeeded (with"
                + " 1,000 clients): at most 1,000 requests were under way at a time, so the"
                + " percentiles hardly show it.",
            "The slowest request took 1100.000 ms (consul), 3027.500 ms (etcd) and 3834.726 ms"
                + " (zookeeper).",
            "No request of etcd, consul and zookeeper failed.");
  }

  private static Standing stalled(String name, double slowestMs, Stall stall) {
    return Measured.database(name, 5000, 0)
        .perSecond(500)
        .p50(1)
        .p99(2)
        .slowest(slowestMs)
        .stalled(stall)
        .standing();
  }

  private static Standing standing(String name, double perSecond, OfLoad... steps) {
    return Measured.database(name, 5000, 0)
        .perSecond(perSecond)
        .p50(1)
        .p99(2)
        .steps(List.of(steps))
        .standing();
  }

  private static OfLoad with(long clients, double perSecond, double p50, double p99) {
    return new OfLoad(
        clients,
        5000,
        OptionalDouble.of(perSecond),
        OptionalDouble.of(p50),
        OptionalDouble.of(p99),
        false,
        Basis.UNKNOWN);
  }
}
