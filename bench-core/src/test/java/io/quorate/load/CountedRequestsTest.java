package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Judgement;
import io.quorate.capacity.TrialVerdict;
import io.quorate.capacity.ViolationCount;
import io.quorate.load.workload.NumberedRequests;
import io.quorate.measure.RunClock;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.Limit;
import io.quorate.scenario.RequestLimit;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CountedRequestsTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  /** Requests with even numbers are gets, the others puts; nothing is sent anywhere. */
  private static final NumberedRequests GETS_AND_PUTS =
      new NumberedRequests() {
        @Override
        public void send(Connection connection, long index, Completion completion) {}

        @Override
        public int operation(long index) {
          return (int) (index % 2);
        }
      };

  private final long begin = System.nanoTime();

  private static List<RequestLimit> limits(String... texts) {
    return Stream.of(texts)
        .map(text -> RequestLimit.of(Limit.parse(text).orElseThrow()).orElseThrow())
        .toList();
  }

  private CountedRequests counted(String... limits) {
    CountedRequests counted =
        new CountedRequests(
            GETS_AND_PUTS, List.of(Operation.GET, Operation.PUT), limits(limits), 1, 4, 10);
    counted.beginAt(begin);
    return counted;
  }

  private void succeed(CountedRequests counted, long index, long dueNanos, long tookNanos) {
    counted.sending(index, begin + dueNanos);
    counted.send(null, index, null);
    counted.acknowledged(index, begin + dueNanos + tookNanos, 0);
  }

  private List<ViolationCount> counts(CountedRequests counted, int limit) {
    return counted.counts(0, 4, begin + 5 * SECOND, false).get(limit);
  }

  @Test
  void countsWhatIsLateInTheSecondInWhichItWasDue() {
    CountedRequests counted = counted("p99 <= 20 ms");
    succeed(counted, 0, 0, 20 * MILLI);
    succeed(counted, 1, 999 * MILLI, 21 * MILLI);
    succeed(counted, 2, SECOND, 5 * SECOND);

    assertThat(counts(counted, 0))
        .containsExactly(
            new ViolationCount(2, 1),
            new ViolationCount(1, 1),
            new ViolationCount(0, 0),
            new ViolationCount(0, 0));
    assertThat(counted.underWay()).isZero();
  }

  @Test
  void whatFailedOrWasNotSentViolatesEveryLimit() {
    CountedRequests counted = counted("p99 <= 20 ms", "errors = 0");
    counted.sending(0, begin);
    counted.failed(0, ErrorKind.TIMEOUT);
    counted.shed(1, begin + SECOND);

    assertThat(counts(counted, 0)).startsWith(new ViolationCount(1, 1), new ViolationCount(1, 1));
    assertThat(counts(counted, 1)).isEqualTo(counts(counted, 0));
    assertThat(counted.failed()).isEqualTo(1);
    assertThat(counted.shed()).isEqualTo(1);
    assertThat(counted.sent()).isEqualTo(1);
  }

  @Test
  void onlyWhatWasDroppedViolatesALimitOfDroppedRequests() {
    CountedRequests counted = counted("shed = 0");
    counted.sending(0, begin);
    counted.failed(0, ErrorKind.TIMEOUT);
    counted.shed(1, begin + SECOND);

    assertThat(counts(counted, 0)).startsWith(new ViolationCount(1, 0), new ViolationCount(1, 1));
  }

  @Test
  void aLimitOfOneOperationJudgesItsRequestsOnly() {
    CountedRequests counted = counted("get p99 <= 20 ms");
    succeed(counted, 0, 0, 21 * MILLI);
    succeed(counted, 1, 0, 21 * MILLI);

    assertThat(counts(counted, 0)).startsWith(new ViolationCount(1, 1));
  }

  @Test
  void whatHasNotEndedViolatesALimitOnceItIsLate() {
    CountedRequests counted = counted("p99 <= 2 s", "errors = 0");
    counted.sending(0, begin);

    assertThat(counted.counts(0, 1, begin + 2 * SECOND, false).get(0))
        .containsExactly(new ViolationCount(1, 0));
    assertThat(counted.counts(0, 1, begin + 4 * SECOND, false).get(0))
        .containsExactly(new ViolationCount(1, 1));
    assertThat(counted.counts(0, 1, begin + 4 * SECOND, false).get(1))
        .containsExactly(new ViolationCount(1, 0));
    assertThat(counted.underWay()).isEqualTo(1);
  }

  @Test
  void theDriversStampSaysHowLateTheLoadGeneratorSentARequest() {
    assertThat(violatingSinceSent(1_500 * SECOND, 0)).isZero();
    assertThat(violatingSinceSent(500 * SECOND, 0)).isEqualTo(1);
  }

  @Test
  void aRequestThatWaitedForItsConnectionWasNotSentLateByTheLoadGenerator() {
    assertThat(violatingSinceSent(1_500 * SECOND, 1_200 * SECOND)).isEqualTo(1);
  }

  /**
   * Returns how many requests violate a limit of 900 s since they were sent, of one that was due
   * 2,000 s ago and is answered now.
   *
   * @param sentNanos after it was due, as the driver says
   */
  private long violatingSinceSent(long sentNanos, long heldNanos) {
    long due = begin - 2_000 * SECOND;
    NumberedRequests written =
        (connection, index, completion) -> {
          completion.sent(due + sentNanos, heldNanos);
          completion.answered(Answer.WRITTEN);
        };
    CountedRequests counted =
        new CountedRequests(written, List.of(Operation.PUT), limits("p99 <= 900 s"), 1, 4, 10);
    counted.beginAt(begin);
    StepRecorder recorder = new StepRecorder(1, RunClock.start(), List.of("put"), true);
    new Attempt(counted, recorder.operations(), null, new RequestLog(RequestListener.NOBODY)) {
      @Override
      void ended(ErrorKind kind) {}
    }.send(0, due, due);

    assertThat(counts(counted, 0)).startsWith(new ViolationCount(1, 1));
    return counted.counts(0, 1, begin + 5 * SECOND, true).get(0).get(0).violating();
  }

  @Test
  void droppedRequestsBreakLimitsInATrialAndInEverySecondOfARecovery() {
    List<RequestLimit> limits = limits("errors = 0", "p99 < 500 ms");
    CountedRequests counted = counted("errors = 0", "p99 < 500 ms");
    for (long i = 0; i < 230; i++) {
      succeed(counted, i, i * MILLI, MILLI);
    }
    for (long i = 230; i < 1_000; i++) {
      counted.shed(i, begin + i * MILLI);
    }
    List<List<ViolationCount>> counts = counted.counts(0, 1, begin + 5 * SECOND, false);

    assertThat(Judgement.of(limits, counts, 1).limits())
        .extracting(Judgement.Judged::verdict)
        .containsExactly(TrialVerdict.FAIL, TrialVerdict.FAIL);
    for (int i = 0; i < limits.size(); i++) {
      assertThat(counts.get(i)).containsExactly(new ViolationCount(1_000, 770));
      assertThat(counts.get(i).get(0).isWithin(limits.get(i).allowedPart())).isFalse();
    }
  }

  @Test
  void recordsNoResponseTimesWhileTheLoadSettles() {
    CountedRequests counted = counted("p99 <= 20 ms");
    succeed(counted, 0, 999 * MILLI, MILLI);
    succeed(counted, 1, SECOND, 2 * MILLI);

    assertThat(counted.responses().getTotalCount()).isEqualTo(1);
  }
}
