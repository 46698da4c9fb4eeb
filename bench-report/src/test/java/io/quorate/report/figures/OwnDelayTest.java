// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.OperationSteps;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of latencies and throughput without the load generator's delay. */
class OwnDelayTest {
  private static final long MS = 1_000_000;
  private static final Histogram NONE = new Histogram(3);
  private static final GeneratorDelay DELAY = new GeneratorDelay(all(3 * MS), all(MS));

  @Test
  void aResponseOfAClosedLoopContainsLateSendingAndReceiving() {
    OwnDelay delay = new OwnDelay(requests(all(8 * MS), NONE, NONE), false, 0);
    assertThat(delay.nanos(99)).isCloseTo(4 * MS, within(0.01 * MS));
    assertThat(delay.throughputFactor()).isCloseTo(2, within(0.01));
    assertThat(delay.meanLateNanos()).isCloseTo(4 * MS, within(0.01 * MS));
  }

  @Test
  void theServiceTimesOfAnOpenLoopLackLateSending() {
    OwnDelay delay = new OwnDelay(requests(all(8 * MS), all(5 * MS), NONE), true, 0);
    assertThat(delay.latencies().getMaxValue()).isCloseTo(5 * MS, within(MS / 100));
    assertThat(delay.lateNanos(99)).isCloseTo(MS, within(MS / 100));
    assertThat(delay.nanos(99)).isCloseTo(4 * MS, within(0.01 * MS));
  }

  @Test
  void waitingForAConnectionIsNoDelayOfTheLoadGenerator() {
    OwnDelay delay = new OwnDelay(requests(all(18 * MS), all(5 * MS), all(10 * MS)), true, 0);
    assertThat(delay.nanos(99)).isCloseTo(4 * MS, within(0.01 * MS));
    assertThat(delay.latencies().getMaxValue()).isCloseTo(18 * MS, within(MS / 50));
  }

  @Test
  void serviceTimesOfSomeRequestsOnlyAreNotTheirLatencies() {
    Histogram some = new Histogram(3);
    some.recordValue(5 * MS);
    OwnDelay delay = new OwnDelay(requests(all(8 * MS), some, NONE), false, 0);
    assertThat(delay.nanos(99)).isCloseTo(4 * MS, within(0.01 * MS));
  }

  @Test
  void anOperationHasNoMoreRequestsThatWereDroppedAfterStallsThanItLost(@TempDir Path results) {
    DatabaseDirectory etcd = OperationSteps.write(results);
    RunEvent.append(etcd, List.of(RunEvent.stall(2, 1, 2, 3)));
    StepFigures step = DatabaseFigures.of(DatabaseRun.read(etcd.path())).steps().get(1);
    assertThat(step.operations())
        .extracting(each -> OwnDelay.of(List.of(step), each).dropped())
        .containsExactly(3L, 0L);
  }

  private static Histogram all(long nanos) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(nanos, 100);
    return histogram;
  }

  /** Returns 100 requests, and 2 that were dropped. */
  private static RequestFigures requests(Histogram response, Histogram service, Histogram queue) {
    return new RequestFigures(
        Optional.empty(),
        Optional.of(new OperationCounts("put", 2, 100, 0)),
        OptionalDouble.of(1),
        response,
        service,
        queue,
        DELAY,
        Optional.empty(),
        Basis.UNKNOWN);
  }
}
