// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.RecordedCompletion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {
  private final Deadlines deadlines = new Deadlines("deadlines-of-a-test");
  private final PendingRequests patient = new PendingRequests(Duration.ofHours(1));
  private final PendingRequests hasty = new PendingRequests(Duration.ofMillis(30));

  @Test
  void a_request_with_an_early_deadline_ends_beside_one_with_a_late_one() {
    var waiting = new RecordedCompletion();
    var late = new RecordedCompletion();
    deadlines.watch(patient);
    patient.add(waiting);
    deadlines.watch(hasty);
    hasty.add(late);

    assertThat(late.outcome()).isEqualTo("failed:TIMEOUT");
    assertThat(waiting.timesTold()).isZero();
    deadlines.forget(patient);
    deadlines.forget(hasty);
  }

  @Test
  void a_connection_that_comes_after_all_others_have_gone_has_deadlines_too() {
    deadlines.watch(patient);
    deadlines.forget(patient);
    var late = new RecordedCompletion();
    deadlines.watch(hasty);
    hasty.add(late);

    assertThat(late.outcome()).isEqualTo("failed:TIMEOUT");
    deadlines.forget(hasty);
  }
}
