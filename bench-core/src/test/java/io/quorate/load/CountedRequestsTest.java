package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.ViolationCount;
import io.quorate.scenario.Limit;
import io.quorate.scenario.RequestLimit;
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

  private CountedRequests counted(String... limits) {
    CountedRequests counted =
        new CountedRequests(
            GETS_AND_PUTS,
            List.of(Operation.GET, Operation.PUT),
            Stream.of(limits)
                .map(text -> RequestLimit.of(Limit.parse(text).orElseThrow()).orElseThrow())
                .toList(),
            1,
            4,
            10);
    counted.beginAt(begin);
    return counted;
  }

  private void succeed(CountedRequests counted, long index, long dueNanos, long tookNanos) {
    counted.sending(index, begin + dueNanos);
    counted.send(null, index, null);
    counted.acknowledged(index, begin + dueNanos + tookNanos);
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
  void whatTheLoadGeneratorSentLateIsNotLateSinceItWasSent() {
    CountedRequests counted = counted("p99 <= 9 s");
    counted.sending(0, begin - 10 * SECOND);
    counted.send(null, 0, null);
    counted.acknowledged(0, System.nanoTime());

    assertThat(counts(counted, 0)).startsWith(new ViolationCount(1, 1));
    assertThat(counted.counts(0, 1, begin + 5 * SECOND, true).get(0))
        .containsExactly(new ViolationCount(1, 0));
  }

  @Test
  void recordsNoResponseTimesWhileTheLoadSettles() {
    CountedRequests counted = counted("p99 <= 20 ms");
    succeed(counted, 0, 999 * MILLI, MILLI);
    succeed(counted, 1, SECOND, 2 * MILLI);

    assertThat(counted.responses().getTotalCount()).isEqualTo(1);
  }
}
