// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.TrialResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.capacity.ViolationCount;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SloRecorderTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int GET = 0;
  private static final int PUT = 1;

  /** The load begins 100 s ago, with a second since 1970. */
  private final long begin = System.nanoTime() - 100 * SECOND;

  private StepRecorder recorder;

  private static List<ServiceLevel> limits(String... texts) {
    return Stream.of(texts)
        .map(text -> ServiceLevel.of(SloLimit.parse(text).orElseThrow()).orElseThrow())
        .toList();
  }

  private SloRecorder judge(String... limits) {
    SloRecorder slo = new SloRecorder(limits(limits), 1);
    recorder =
        new StepRecorder(
            1, new RunClock(1_000 * SECOND, begin), List.of("get", "put"), true, Optional.of(slo));
    recorder.clientStarted(begin + MILLI);
    return slo;
  }

  private void succeed(int operation, long dueNanos, long tookNanos) {
    succeed(operation, dueNanos, tookNanos, 0);
  }

  private void succeed(int operation, long dueNanos, long tookNanos, long delayNanos) {
    OperationRecorder requests = recorder.operations().get(operation);
    long due = begin + dueNanos;
    requests.succeeded(requests.begun(due), due, due + delayNanos, due + tookNanos, delayNanos);
    requests.delayed(delayNanos);
  }

  private void fail(int operation, long dueNanos) {
    OperationRecorder requests = recorder.operations().get(operation);
    requests.failed(requests.begun(begin + dueNanos), "timeout", "no answer", MILLI);
  }

  private void dropped(int operation, long dueNanos) {
    OperationRecorder requests = recorder.operations().get(operation);
    requests.dropped(requests.second(begin + dueNanos));
  }

  @Test
  void countsWhatIsLateInTheSecondInWhichItWasDue() {
    SloRecorder slo = judge("p99 <= 20 ms");
    succeed(GET, 0, 20 * MILLI);
    succeed(PUT, 999 * MILLI, 21 * MILLI);
    succeed(GET, SECOND, 5 * SECOND);

    assertThat(slo.violations(0, 3, false).get(0))
        .containsExactly(
            new ViolationCount(2, 1), new ViolationCount(1, 1), new ViolationCount(0, 0));
    assertThat(slo.intended(0, 3)).isEqualTo(3);
    assertThat(recorder.underWayCount()).isZero();
  }

  @Test
  void whatFailedOrWasNotSentViolatesEveryLimit() {
    SloRecorder slo = judge("p99 <= 20 ms", "errors = 0");
    fail(GET, 0);
    dropped(PUT, SECOND);

    assertThat(slo.violations(0, 2, false))
        .containsExactly(
            List.of(new ViolationCount(1, 1), new ViolationCount(1, 1)),
            List.of(new ViolationCount(1, 1), new ViolationCount(1, 1)));
    assertThat(slo.intended(0, 2)).isEqualTo(2);
  }

  @Test
  void onlyWhatWasDroppedViolatesALimitOfDroppedRequests() {
    SloRecorder slo = judge("dropped = 0");
    fail(GET, 0);
    dropped(PUT, SECOND);

    assertThat(slo.violations(0, 2, false).get(0))
        .containsExactly(new ViolationCount(1, 0), new ViolationCount(1, 1));
  }

  @Test
  void aLimitOfOneOperationJudgesItsRequestsOnly() {
    SloRecorder slo = judge("get p99 <= 20 ms");
    succeed(GET, 0, 21 * MILLI);
    succeed(PUT, 0, 21 * MILLI);

    assertThat(slo.violations(0, 1, false).get(0)).containsExactly(new ViolationCount(1, 1));
  }

  @Test
  void whatHasNotEndedViolatesALimitOnceItIsLate() {
    SloRecorder slo = judge("p99 <= 2 s", "p99 <= 1000 s", "errors = 0");
    recorder.operations().get(GET).begun(begin);

    assertThat(slo.violations(0, 1, false))
        .containsExactly(
            List.of(new ViolationCount(1, 1)),
            List.of(new ViolationCount(1, 0)),
            List.of(new ViolationCount(1, 0)));
    assertThat(recorder.underWayCount()).isEqualTo(1);
  }

  @Test
  void aRequestThatWasSentLateIsJudgedFromThenTooAndFromWhenItWasDue() {
    SloRecorder slo = judge("p99 <= 20 ms");
    succeed(GET, 0, 30 * MILLI, 15 * MILLI);
    succeed(GET, 0, 30 * MILLI, 5 * MILLI);

    assertThat(slo.violations(0, 1, false).get(0)).containsExactly(new ViolationCount(2, 2));
    assertThat(slo.violations(0, 1, true).get(0)).containsExactly(new ViolationCount(2, 1));
  }

  @Test
  void droppedRequestsBreakLimitsInATrialAndInEverySecondOfARecovery() {
    List<ServiceLevel> limits = limits("errors = 0", "p99 < 500 ms");
    SloRecorder slo = judge("errors = 0", "p99 < 500 ms");
    for (long i = 0; i < 230; i++) {
      succeed((int) (i % 2), i * MILLI, MILLI);
    }
    for (long i = 230; i < 1_000; i++) {
      dropped((int) (i % 2), i * MILLI);
    }
    List<List<ViolationCount>> counts = slo.violations(0, 1, false);

    for (int i = 0; i < limits.size(); i++) {
      assertThat(TrialResult.of(List.of(limits.get(i)), List.of(counts.get(i)), 1).verdict())
          .isEqualTo(TrialVerdict.FAIL);
      assertThat(counts.get(i)).containsExactly(new ViolationCount(1_000, 770));
      assertThat(counts.get(i).get(0).isWithin(limits.get(i).allowedPart())).isFalse();
    }
  }

  @Test
  void recordsNoResponseTimesWhileTheLoadSettles() {
    SloRecorder slo = judge("p99 <= 20 ms");
    succeed(GET, 999 * MILLI, MILLI);
    succeed(PUT, SECOND, 2 * MILLI);

    assertThat(slo.responses().getTotalCount()).isEqualTo(1);
    assertThat(slo.responses().getMaxValue()).isBetween(2 * MILLI, 2 * MILLI + 2_000);
  }

  @Test
  void theLagOfTheSettlingTimeIsForgotten() {
    SloRecorder slo = judge("p99 <= 20 ms");
    succeed(GET, 0, 30 * MILLI, 15 * MILLI);
    assertThat(slo.lag().getTotalCount()).isEqualTo(1);

    slo.settled();
    assertThat(slo.lag().getTotalCount()).isZero();

    succeed(GET, SECOND, 30 * MILLI, 5 * MILLI);
    assertThat(TimeUnit.NANOSECONDS.toMillis(slo.lag().getMaxValue())).isEqualTo(5);
  }
}
