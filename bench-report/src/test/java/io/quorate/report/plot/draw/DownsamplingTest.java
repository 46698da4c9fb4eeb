// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DownsamplingTest {
  private static final double NONE = Double.NaN;

  @Test
  void pointsThatHaveRoomStayAsTheyAre() {
    assertThat(points(10, 1, 2, 3))
        .containsExactly(point(0, 1, true), point(10, 2, false), point(20, 3, false));
  }

  @Test
  void aMissingValueInterruptsTheLine() {
    assertThat(points(10, NONE, 2, NONE, 4, 5))
        .containsExactly(point(10, 2, true), point(30, 4, true), point(40, 5, false));
  }

  @Test
  void oneSecondIsOnePoint() {
    assertThat(points(10, 7)).containsExactly(point(0, 7, true));
    assertThat(points(10, NONE)).isEmpty();
  }

  @Test
  void ofPointsInTheSamePlaceTheMedianAndTheExtremesAreKept() {
    double[] values = new double[1000];
    Random random = new Random(1);
    for (int i = 0; i < values.length; i++) {
      values[i] = 100 + random.nextInt(10);
    }
    values[500] = 9999;
    values[501] = 1;
    List<LineLayer.Downsampling.Point> points = points(0.5, values);
    assertThat(points).hasSize(100);
    assertThat(points).extracting(LineLayer.Downsampling.Point::low).contains(1.0);
    assertThat(points).extracting(LineLayer.Downsampling.Point::high).contains(9999.0);
    assertThat(points).allSatisfy(point -> assertThat(point.y()).isBetween(100.0, 110.0));
    assertThat(points.stream().filter(LineLayer.Downsampling.Point::interrupted)).hasSize(1);
  }

  @Test
  void gapsOfDenseLinesStayGapsAndNothingIsDrawnInThem() {
    double[] values = new double[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i >= 400 && i < 450 ? NONE : 5;
    }
    values[700] = NONE;
    List<LineLayer.Downsampling.Point> points = points(0.5, values);
    assertThat(points.stream().filter(LineLayer.Downsampling.Point::interrupted)).hasSize(2);
    assertThat(points).noneMatch(point -> point.x() >= 200 && point.x() < 225);
  }

  @Test
  void theBandOfALineIsKeptToo() {
    double[] x = IntStream.range(0, 600).mapToDouble(i -> i * 0.1).toArray();
    double[] y = DoubleStream.generate(() -> 5).limit(600).toArray();
    double[] low = y.clone();
    low[300] = 2;
    low[301] = NONE;
    double[] high = y.clone();
    high[300] = 8;
    Line line = new Line("a", LineStyle.of(List.of("etcd")).get(0), x, y).withBand(low, high);
    List<LineLayer.Downsampling.Point> points = LineLayer.Downsampling.points(line, 5);
    assertThat(points).hasSize(12);
    assertThat(points.get(6))
        .isEqualTo(new LineLayer.Downsampling.Point(32.45, 5, 2, 8, false, false));
  }

  private static LineLayer.Downsampling.Point point(double x, double y, boolean interrupted) {
    return new LineLayer.Downsampling.Point(x, y, y, y, interrupted, false);
  }

  private static List<LineLayer.Downsampling.Point> points(
      double pixelsPerPoint, double... values) {
    double[] x = IntStream.range(0, values.length).mapToDouble(i -> i * pixelsPerPoint).toArray();
    return LineLayer.Downsampling.points(
        new Line("a", LineStyle.of(List.of("etcd")).get(0), x, values), 5);
  }
}
