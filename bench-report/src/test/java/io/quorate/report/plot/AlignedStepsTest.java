// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quorate.report.figures.Frame;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.StepLayer;
import io.quorate.scenario.Steps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Databases whose steps take different times, on one axis. */
class AlignedStepsTest {
  @Test
  void equal_steps_begin_where_the_longest_one_before_them_has_ended() {
    List<DatabaseSeries> aligned =
        DatabaseSeries.aligned(List.of(series(1, 50, 3), series(1, 50, 10)));

    assertThat(aligned)
        .allSatisfy(
            each ->
                assertThat(each.marks())
                    .extracting(StepLayer.Mark::second, StepLayer.Mark::load)
                    .containsExactly(tuple(0.0, 1L), tuple(10.0, 50L)));
    assertThat(aligned.get(0).place(2)).isEqualTo(2);
    assertThat(aligned.get(0).place(5)).isEqualTo(12);
    assertThat(aligned.get(0).isInterrupted(3)).isTrue();
    assertThat(aligned.get(0).isInterrupted(4)).isFalse();
    assertThat(aligned.get(1).place(12)).isEqualTo(12);
  }

  @Test
  void databases_with_other_loads_stay_as_they_are() {
    List<DatabaseSeries> others = List.of(series(1, 50, 3), series(1, 60, 10));

    assertThat(DatabaseSeries.aligned(others)).isEqualTo(others);
  }

  /** Returns a database whose second step begins after some seconds and takes three. */
  private static DatabaseSeries series(int first, int second, int begin) {
    double[] ms = {1, 2, 3};
    List<StepFigures> steps =
        List.of(
            Plots.step(Steps.closed(first, 1, 60), 100, ms, 10, 20, 30),
            Plots.step(Steps.closed(second, 1, 60), 100 + begin, ms, 10, 20, 30));
    Frame none = new Frame(0);
    return new DatabaseSeries(
        "etcd",
        "etcd",
        "etcd",
        List.of(),
        100,
        List.of(),
        steps,
        new Frame(begin + 3),
        none,
        none,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
