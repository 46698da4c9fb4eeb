package io.quorate.report.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Basis;
import io.quorate.report.findings.Standing.OfOperation;
import io.quorate.results.requests.Golden;
import io.quorate.store.ReadGuarantee;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void whoIsAheadIsSaidWithTheFiguresOfAll() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing("etcd", 1211.9, 4.446975, 180.453375),
                    standing("zookeeper", 726, 5.089279, 377.323519),
                    standing("consul", 890, 7.162111, 61.636607))))
        .containsExactly(
            "etcd completed the most requests, 1,211 per second on average: 36 % more than consul"
                + " (890) and 67 % more than zookeeper (726).",
            "At the median (p50) latency was lowest on etcd with 4.447 ms; zookeeper was 14 %"
                + " higher (5.089 ms) and consul was 61 % higher (7.162 ms).",
            "At p99 latency was lowest on consul with 61.637 ms; etcd was 2.9 times as high"
                + " (180.453 ms) and zookeeper was 6.1 times as high (377.324 ms).",
            "No request of etcd, zookeeper and consul failed.");
  }

  @Test
  void valuesThatAreTooCloseAreATie() {
    assertThat(
            Verdict.sentences(
                List.of(standing("etcd", 1000, 10, 20), standing("consul", 1100, 11, 40))))
        .containsExactly(
            "No database was clearly ahead in throughput: consul with 1,100 and etcd with 1,000"
                + " requests per second on average lie within 10 % of the highest, too close to"
                + " tell apart.",
            "At the median (p50) no database was clearly lower: etcd with 10.000 ms and consul with"
                + " 11.000 ms lie within 10 % of the lowest, too close to tell apart.",
            "At p99 latency was lowest on etcd with 20.000 ms; consul was 2.0 times as high (40.000"
                + " ms).",
            "No request of etcd and consul failed.");
  }

  @Test
  void someThatAreTooCloseAreAheadOfTheOthers() {
    assertThat(
            Verdict.sentences(
                List.of(
                    standing("etcd", 1000, 10, 10),
                    standing("zookeeper", 400, 40, 10),
                    standing("consul", 950, 10.5, 10))))
        .containsExactly(
            "etcd with 1,000 and consul with 950 requests per second on average were the most and"
                + " lie within 10 % of the highest, too close to tell apart; those of etcd are 2.5"
                + " times as many as zookeeper (400).",
            "At the median (p50) etcd with 10.000 ms and consul with 10.500 ms were lowest and lie"
                + " within 10 % of the lowest, too close to tell apart; compared with etcd"
                + " zookeeper was 4.0 times as high (40.000 ms).",
            "At p99 no database was clearly lower: etcd with 10.000 ms, zookeeper with 10.000 ms"
                + " and consul with 10.000 ms lie within 10 % of the lowest, too close to tell"
                + " apart.",
            "No request of etcd, zookeeper and consul failed.");
  }

  @Test
  void aDatabaseWithErrorsIsNotPraisedSilently() {
    Standing failing =
        Measured.database("zookeeper", 9000, 1000).perSecond(500).p50(1).p99(2).standing();
    assertThat(Verdict.sentences(List.of(standing("etcd", 200, 4, 8), failing)))
        .startsWith(
            "zookeeper (though 10.00 % of its requests failed) completed the most requests, 500 per"
                + " second on average: 2.5 times as many as etcd (200).",
            "At the median (p50) latency was lowest on zookeeper (though 10.00 % of its requests"
                + " failed) with 1.000 ms; etcd was 4.0 times as high (4.000 ms).")
        .endsWith(
            "Failed: 1,000 of 10,000 requests of zookeeper (10.00 %), and none of the others;"
                + " throughput and latencies are of those that succeeded.");
  }

  @Test
  void aRatioOfReadsWithOtherGuaranteesSaysSo() {
    List<Standing> reads =
        List.of(
            Measured.database("etcd", 1000, 0)
                .perSecond(100)
                .p50(14.3)
                .on(reads(ReadGuarantee.LINEARIZABLE, 0))
                .standing(),
            Measured.database("zookeeper", 1000, 0)
                .perSecond(400)
                .p50(1)
                .on(reads(ReadGuarantee.SYNCED_WITH_LEADER, 0))
                .standing());
    String guarantees =
        "; reads have different guarantees: etcd linearizable, zookeeper synced with the leader,"
            + " which no majority confirms.";
    assertThat(Verdict.sentences(reads))
        .startsWith(
            "zookeeper completed the most requests, 400 per second on average: 4.0 times as many"
                + " as etcd (100)"
                + guarantees,
            "At the median (p50) latency was lowest on zookeeper with 1.000 ms; etcd was 14.3"
                + " times as high (14.300 ms)"
                + guarantees);
  }

  @Test
  void droppedRequestsStandBesideWhoLeads() {
    Standing dropping =
        Measured.database("consul", 900, 0)
            .perSecond(400)
            .on(reads(ReadGuarantee.LINEARIZABLE, 100))
            .standing();
    assertThat(Verdict.sentences(List.of(standing("etcd", 200, 4, 8), dropping)).get(0))
        .startsWith("consul (though 100 of 1,000 were dropped) completed the most requests, 400");
  }

  private static Basis reads(ReadGuarantee guarantee, long dropped) {
    return new Basis(Optional.of(guarantee), OptionalLong.of(1000), 1000, 0, dropped, Set.of());
  }

  @Test
  void aWatchThatCoalescedEventsSaysSoAndIsNotCompared() {
    WatchedEvents all =
        new WatchedEvents(300, 0, 0, 0, 0, 10, 0, OptionalDouble.of(5), OptionalDouble.of(2));
    WatchedEvents few =
        new WatchedEvents(
            333_300, 259_224, 0, 0, 0, 10, 0, OptionalDouble.of(3), OptionalDouble.of(2));
    assertThat(
            Verdict.sentences(
                List.of(
                    Measured.database("etcd", 30, 0).watched(all).standing(),
                    Measured.database("zookeeper", 33_330, 0).watched(few).standing())))
        .contains(
            "Of the events of watchers, zookeeper delivered 74,076 of 333,300 (259,224 were"
                + " coalesced).",
            "No event of the watchers of etcd was lost, coalesced, repeated or reordered.",
            "With 10 watchers the last one had the event of half of the puts within 5.000 ms on"
                + " etcd (half of its puts were answered within 2.000 ms).",
            "With 10 watchers the last one had the event of half of the puts within 3.000 ms on"
                + " zookeeper (half of its puts were answered within 2.000 ms); that is of 74,076"
                + " of 333,300 events only, so it is not compared.");
  }

  @Test
  void aDatabaseWithoutASuccessIsNotCompared() {
    Standing dead = Measured.database("consul", 0, 10).perSecond(0).standing();
    assertThat(Verdict.sentences(List.of(standing("etcd", 200, 4, 8), dead)))
        .containsExactly(
            "etcd completed 200 requests per second on average, half of them within 4.000 ms (p50)"
                + " and 99% within 8.000 ms (p99).",
            "The run has no figures of another database to compare it with.",
            "Failed: all 10 requests of consul, and none of the others; throughput and latencies"
                + " are of those that succeeded.");
    assertThat(Verdict.sentences(List.of(dead)))
        .containsExactly("Failed: all 10 requests of consul.");
  }

  @Test
  void ofWhatWasNotMeasuredNothingIsSaid() {
    Standing bare = Measured.database("imported", 1000, 0).perSecond(500).p50(1).standing();
    assertThat(
            Verdict.sentences(
                List.of(standing("etcd", 200, 4, 8), bare, standing("consul", 100, 8, 16))))
        .contains(
            "At p99 latency was lowest on etcd with 8.000 ms; consul was 2.0 times as high (16.000"
                + " ms); not measured for imported.");
    assertThat(Verdict.sentences(List.of(standing("etcd", 200, 4, 8), bare)))
        .noneMatch(sentence -> sentence.contains("p99"));
  }

  @Test
  void aPercentileOfAHandfulOfRequestsIsNotCompared() {
    Standing brief = Measured.database("consul", 900, 0).perSecond(100).p50(8).p99(16).standing();
    assertThat(Verdict.sentences(List.of(standing("etcd", 200, 4, 8), brief)))
        .contains(
            "The latency at p99 is not compared, as that of consul is of a handful of requests.");
  }

  @Test
  void costIsListedWithoutAClaim() {
    Standing etcd =
        Measured.database("etcd", 9, 0)
            .serverCpu(29.43)
            .serverMemory(92e6)
            .serverDisk(179e6)
            .clientCpu(133.69)
            .standing();
    Standing consul = Measured.database("consul", 9, 0).serverCpu(3).serverDisk(0).standing();
    assertThat(Verdict.sentences(List.of(etcd, consul)))
        .containsExactly(
            "The CPU use of a server peaked at 3.0 % (consul) and 29.4 % (etcd) of a core, as the"
                + " mean over the servers.",
            "The memory of a server peaked at 92 MB (etcd).",
            "After the run a server had 0 B (consul) and 179 MB (etcd) of data on its disk.",
            "The CPU use of the load generator peaked at 133.7 % (etcd) of a core.",
            "No request of etcd and consul failed.");
  }

  @Test
  void aMixIsComparedAsAWholeInThroughputAndByOperationInLatency() {
    Verdict verdict =
        new Verdict(
            List.of(
                mixed("etcd", 1000, List.of(of("get", 1, 2), of("put", 5, 10))),
                mixed("consul", 500, List.of(of("get", 2, 4), of("put", 4, 8)))));
    assertThat(verdict.lead())
        .containsExactly(
            "etcd completed the most requests (get and put together), 1,000 per second on average:"
                + " 2.0 times as many as consul (500).",
            "At p99 the latency of get was lowest on etcd with 2.000 ms; consul was 2.0 times as"
                + " high (4.000 ms).",
            "At p99 the latency of put was lowest on consul with 8.000 ms; etcd was 25 % higher"
                + " (10.000 ms).");
    assertThat(verdict.further())
        .containsExactly(
            "At the median (p50) the latency of get was lowest on etcd with 1.000 ms; consul was"
                + " 2.0 times as high (2.000 ms).",
            "At the median (p50) the latency of put was lowest on consul with 4.000 ms; etcd was 25"
                + " % higher (5.000 ms).",
            "No request of etcd and consul failed.");
  }

  @Test
  void aMixOfOneDatabaseNamesTheOperationOfALatency() {
    assertThat(
            Verdict.sentences(
                List.of(mixed("etcd", 1000, List.of(of("get", 1, 2), of("put", 5, 10))))))
        .startsWith(
            "etcd completed 1,000 requests per second on average (get and put together), 99% of"
                + " get within 2.000 ms (p99) and 99% of put within 10.000 ms (p99).");
  }

  @Test
  void atMostThreeSentencesLeadAndFailuresAreAmongThem() {
    Standing failing =
        Measured.database("zookeeper", 9000, 1000).perSecond(500).p50(1).p99(2).standing();
    Verdict verdict = new Verdict(List.of(standing("etcd", 200, 4, 8), failing));
    assertThat(verdict.lead()).hasSize(3);
    assertThat(verdict.lead().get(2)).startsWith("Failed: 1,000 of 10,000 requests of zookeeper");
    assertThat(verdict.further()).singleElement().asString().startsWith("At the median (p50) ");
  }

  private static OfOperation of(String operation, double p50, double p99) {
    return new OfOperation(operation, 100_000, some(p50), some(p99), Basis.UNKNOWN);
  }

  private static Standing mixed(String name, double perSecond, List<OfOperation> operations) {
    return Measured.database(name, 10_000, 0)
        .perSecond(perSecond)
        .p50(1)
        .p99(2)
        .operations(operations)
        .standing();
  }

  @Test
  void withoutACompleteRunThereIsNoVerdict() {
    assertThat(Verdict.sentences(List.of()))
        .containsExactly("There is no verdict: no database came to the end of its run.");
  }

  @Test
  void sentencesAreTheSameInEveryLocale() {
    List<Standing> standings =
        List.of(standing("etcd", 1211.9, 4.4, 180), standing("consul", 890, 7.1, 61));
    List<String> expected = Verdict.sentences(standings);
    for (String locale : List.of("de", "ru", "ar-EG")) {
      Golden.inLocale(locale, () -> assertThat(Verdict.sentences(standings)).isEqualTo(expected));
    }
  }

  private static Standing standing(String name, double perSecond, double p50, double p99) {
    return Measured.database(name, 1000, 0).perSecond(perSecond).p50(p50).p99(p99).standing();
  }

  private static OptionalDouble some(double value) {
    return OptionalDouble.of(value);
  }
}
