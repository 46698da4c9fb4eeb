// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.workload.RequestSource;
import io.quorate.measure.RunClock;
import io.quorate.measure.SloRecorder;
import io.quorate.measure.StepRecorder;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class InFlightRequestTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

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
  private static long violatingSinceSent(long sentNanos, long heldNanos) {
    long due = System.nanoTime() - 2_000 * SECOND;
    RequestSource written =
        (connection, index, completion) -> {
          completion.sent(due + sentNanos, heldNanos);
          completion.answered(Answer.WRITTEN);
        };
    ServiceLevel limit =
        ServiceLevel.of(SloLimit.parse("p99 <= 900 s").orElseThrow()).orElseThrow();
    SloRecorder slo = new SloRecorder(List.of(limit), 0);
    StepRecorder recorder =
        new StepRecorder(1, RunClock.start(), List.of("put"), true, Optional.of(slo));
    recorder.clientStarted(due);
    new InFlightRequest(
        written, recorder.operations(), null, new RequestLog(RequestListener.NOBODY)) {
      @Override
      void ended(ErrorKind kind) {}
    }.send(0, due, due);

    assertThat(slo.violations(0, 1, false).get(0).get(0).violating()).isEqualTo(1);
    return slo.violations(0, 1, true).get(0).get(0).violating();
  }
}
