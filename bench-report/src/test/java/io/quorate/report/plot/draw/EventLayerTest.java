// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Frame;
import io.quorate.report.plot.draw.EventLayer.Kind;
import io.quorate.report.plot.draw.EventLayer.Mark;
import io.quorate.report.plot.draw.EventLayer.Span;
import io.quorate.results.RunEvent;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class EventLayerTest {
  private static final long SECOND = 1_000_000_000L;

  private static DatabaseSeries database(long firstSecond, RunEvent... events) {
    Frame none = new Frame(0);
    return new DatabaseSeries(
        "etcd",
        "etcd",
        "etcd",
        List.of(),
        firstSecond,
        List.of(),
        List.of(),
        none,
        none,
        none,
        List.of(),
        List.of(),
        List.of(),
        List.of(events));
  }

  private static RunEvent fault(long fromSecond, long toSecond) {
    return new RunEvent(
        RunEvent.Kind.FAULT, "etcd-1", 1, fromSecond * SECOND, toSecond * SECOND, 0, "kill-leader");
  }

  private static List<BigDecimal> numbers(double... values) {
    return DoubleStream.of(values).mapToObj(LineChart::place).toList();
  }

  @Test
  void faults_of_several_databases_are_shaded_once_and_marked_in_the_row_of_each() {
    EventLayer layer =
        new EventLayer(
            List.of(
                database(1_000, fault(1_005, 1_015)),
                database(2_000, fault(2_004, 2_010), fault(2_030, 2_031))));
    assertThat(layer.marks(1000, 0.1))
        .containsExactly(
            new LineChart.Marks(
                "fault",
                "#b0b0b0",
                2,
                List.of(numbers(0, 5, 15), numbers(1, 4, 10), numbers(1, 30, 31)),
                List.of(numbers(4, 15), numbers(30, 31))));
    assertThat(layer.words()).isEqualTo(" Events marked at the bottom: fault 3.");
  }

  @Test
  void a_shaded_part_without_marks_is_in_the_legend_and_not_counted() {
    EventLayer layer =
        new EventLayer(
            List.of(List.of(new Mark(Kind.LEADER_CHANGE, new Span(1.2, 1.2)))),
            List.of(new Span(0, 10)));
    assertThat(layer.keys()).extracting(PlotSpec.Key::label).containsExactly("new leader", "fault");
    assertThat(layer.words()).isEqualTo(" Events marked at the bottom: new leader 1.");
  }
}
