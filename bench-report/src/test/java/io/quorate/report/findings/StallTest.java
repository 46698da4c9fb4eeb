// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static io.quorate.report.figures.StepFiguresTest.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.StepFiguresTest;
import io.quorate.results.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StallTest {
  private static final OptionalDouble UNKNOWN = OptionalDouble.empty();

  @Test
  void aStallThatWasWatchedIsKnownToTheMillisecondAndAnotherByItsSeconds() {
    StepFigures watched =
        StepFiguresTest.step(
            10,
            rows(100, 400, 500, 300),
            4,
            OptionalDouble.of(1.75),
            OptionalDouble.of(2.95),
            UNKNOWN);
    assertThat(text(List.of(watched, step(1, 1, 1, 1)), List.of()))
        .hasValue(
            "etcd: no request succeeded for 1.8 s (with 10 clients), and for 3.0 s in all "
                + "such times of a second or more; at most 10 requests were in flight, so "
                + "percentiles barely show it");
    assertThat(text(List.of(step(1, 9, 0, 0, 8, 0, 7)), List.of()))
        .hasValue(
            "etcd: no request that was sent in 2 consecutive seconds succeeded (with 1 "
                + "client); at most 1 request was in flight, so percentiles barely show it");
    assertThat(text(List.of(step(5, 9, 8, 7)), List.of())).isEmpty();
  }

  @Test
  void aTimeWithoutASuccessInWhichTheLoadGeneratorStalledIsNotTheStores() {
    StepFigures step = step(5, 9, 8, 7);
    long second = 1_000_000_000L;
    RunEvent ours = RunEvent.stall(1, 10 * second, 12 * second, 3);
    RunEvent noSuccess = RunEvent.noSuccess(1, 10 * second - 1_000, 12 * second + 5_000);
    RunEvent ofStore = RunEvent.noSuccess(1, 20 * second, 21 * second + second / 2);

    assertThat(text(List.of(step), List.of(ours, noSuccess))).isEmpty();
    assertThat(Warnings.Stall.longest(List.of(step), List.of(ours, noSuccess, ofStore)))
        .hasValue(new Warnings.Stall(1.5, 1.5, step, true));
    // a second and more is left when the load generator's part is taken away
    RunEvent longer = RunEvent.noSuccess(1, 10 * second, 15 * second);
    assertThat(Warnings.Stall.longest(List.of(step), List.of(ours, longer)))
        .hasValue(new Warnings.Stall(3, 3, step, true));
  }

  private static Optional<String> text(List<StepFigures> steps, List<RunEvent> events) {
    return Warnings.Stall.longest(steps, events).map(stall -> stall.text("etcd"));
  }

  private static StepFigures step(int clients, long... throughputs) {
    return StepFiguresTest.step(clients, rows(100, throughputs), 3.25, UNKNOWN, UNKNOWN, UNKNOWN);
  }
}
