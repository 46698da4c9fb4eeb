// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.RecordedCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PendingRequestsTest {
  private static final long NOW = System.nanoTime();
  private static final long LATER = NOW + Duration.ofHours(2).toNanos();

  private final PendingRequests pending = new PendingRequests(Duration.ofHours(1));
  private final RecordedCompletion completion = new RecordedCompletion();

  @Test
  void a_request_is_left_alone_before_its_deadline() {
    pending.add(completion);
    pending.expire(NOW);

    assertThat(completion.timesTold()).isZero();
  }

  @Test
  void it_says_before_what_time_no_request_becomes_late() {
    long timeout = Duration.ofHours(1).toNanos();
    assertThat(pending.expire(NOW)).isEqualTo(NOW + timeout);

    PendingRequest first = pending.add(completion);
    pending.add(new RecordedCompletion());
    assertThat(pending.expire(NOW)).isEqualTo(first.deadlineNanos());
    first.end(done -> done.answered(Answer.WRITTEN));
    assertThat(pending.expire(NOW)).isGreaterThanOrEqualTo(first.deadlineNanos());
    assertThat(pending.expire(LATER)).isEqualTo(LATER + timeout);
  }

  @Test
  void an_answer_after_the_deadline_is_not_told() {
    PendingRequest request = pending.add(completion);
    pending.expire(LATER);
    request.end(done -> done.answered(Answer.WRITTEN));

    assertThat(completion.outcome()).isEqualTo("failed:TIMEOUT");
    assertThat(completion.message()).isEqualTo("no answer within 3600000 ms");
    assertThat(completion.timesTold()).isEqualTo(1);
  }

  @Test
  void a_request_that_never_gets_a_connection_waited_until_its_deadline() {
    List<Long> times = new ArrayList<>();
    Completion sent =
        new Completion() {
          @Override
          public void sent(long sentNanos, long heldNanos) {
            times.add(sentNanos);
            times.add(heldNanos);
          }

          @Override
          public void answered(Answer answer) {
            throw new AssertionError(answer);
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            times.add(System.nanoTime());
          }
        };
    long start = System.nanoTime() - Duration.ofSeconds(5).toNanos();
    PendingRequest waiting = new PendingRequest(sent, start, 0);
    waiting.queued();
    waiting.endLate("late");

    assertThat(times).hasSize(3);
    assertThat(times.get(0)).isBetween(start + times.get(1), times.get(2));
    assertThat(times.get(1)).isGreaterThanOrEqualTo(Duration.ofSeconds(5).toNanos());
  }

  @Test
  void a_late_request_is_given_up_in_the_client_library_and_an_answered_one_is_not() {
    var givenUp = new AtomicInteger();
    pending.add(completion).whenLate(givenUp::incrementAndGet);
    PendingRequest answered = pending.add(new RecordedCompletion());
    answered.whenLate(() -> givenUp.addAndGet(100));
    answered.end(done -> done.answered(Answer.WRITTEN));
    pending.expire(LATER);

    assertThat(givenUp).hasValue(1);
  }

  @Test
  void what_is_to_be_done_for_a_request_that_is_late_already_is_done_at_once() {
    var givenUp = new AtomicInteger();
    var overdue = new PendingRequest(completion, System.nanoTime(), 0);
    overdue.endLate("late");
    overdue.whenLate(givenUp::incrementAndGet);
    PendingRequest answered = pending.add(new RecordedCompletion());
    answered.end(done -> done.answered(Answer.WRITTEN));
    answered.whenLate(() -> givenUp.addAndGet(100));

    assertThat(givenUp).hasValue(1);
  }

  @Test
  void after_closing_each_request_ends_at_once() {
    PendingRequest underWay = pending.add(completion);
    pending.close();
    underWay.end(done -> done.answered(Answer.WRITTEN));
    var afterwards = new RecordedCompletion();
    pending.add(afterwards);

    assertThat(completion.outcome()).isEqualTo("failed:CONNECTION");
    assertThat(completion.timesTold()).isEqualTo(1);
    assertThat(afterwards.outcome()).isEqualTo("failed:CONNECTION");
  }
}
