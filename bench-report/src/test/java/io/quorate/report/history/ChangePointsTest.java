// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.history.ChangePoints.ChangePoint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangePointsTest {
  private static double[] tigerBeetle() throws IOException {
    try (InputStream file = ChangePointsTest.class.getResourceAsStream("tigerbeetle.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .mapToDouble(Double::parseDouble)
          .toArray();
    }
  }

  private static List<Integer> indexes(List<ChangePoint> points) {
    return points.stream().map(ChangePoint::index).toList();
  }

  /** The examples that Apache Otava publishes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0.01    | 0.05 | 15, 71",
        "0.05    | 0.05 | 15, 71",
        "0.1     | 0.05 | 10, 11, 15, 71, 363",
        "0.2     | 0.05 | 10, 11, 15, 71",
        "0.2     | 0    | 3, 6, 7, 10, 11, 13, 15, 16, 28, 29, 35, 37, 39, 41, 44, 48, 49, 56, 58, 61, 65,"
            + " 66, 69, 71, 74, 76, 82, 95, 108, 117, 125, 126, 129, 131, 136, 137, 142, 148, 165,"
            + " 169, 187, 190, 192, 197, 200, 212, 220, 241, 243, 246, 247, 249, 250, 260, 265, 266,"
            + " 268, 278, 282, 288, 305, 306, 325, 330, 337, 338, 340, 347, 349, 363",
        "0.1     | 0    | 3, 6, 10, 11, 15, 16, 28, 29, 35, 37, 39, 41, 44, 48, 49, 61, 71, 95, 117, 131, 142,"
            + " 148, 165, 169, 192, 206, 212, 260, 265, 268, 278, 282, 288, 305, 363",
        "0.01    | 0    | 15, 26, 61, 71, 95, 117, 131, 142, 148, 165, 169, 192, 212, 260",
        "0.001   | 0    | 15, 61, 71, 95, 117, 131, 142, 148, 192, 212, 260",
        "0.0001  | 0    | 71, 95, 117, 131, 142, 148, 192, 212",
        "0.00001 | 0    | 71, 95, 131, 192, 212"
      })
  void the_change_points_are_those_of_otava(double p, double magnitude, String expected)
      throws IOException {
    assertThat(indexes(ChangePoints.of(tigerBeetle(), 30, p, magnitude)))
        .isEqualTo(Arrays.stream(expected.split(", ")).map(Integer::valueOf).toList());
  }

  @Test
  void a_change_has_its_size_and_its_levels() {
    double[] series = {
      1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01, 0.98, 1.01, 0.96, 0.50, 0.51, 0.48, 0.48, 0.55,
      0.50, 0.49, 0.51, 0.50, 0.49
    };
    List<ChangePoint> points = ChangePoints.of(series, 10, 0.0001, 0);
    assertThat(indexes(points)).containsExactly(10);
    assertThat(points.get(0).before()).isBetween(1.0, 1.01);
    assertThat(points.get(0).change()).isBetween(-0.51, -0.49);
  }

  @Test
  void a_change_near_the_end_is_found() {
    double[] series = new Random(1).doubles(30, 99, 101).toArray();
    Arrays.setAll(series, i -> i < 27 ? series[i] : series[i] * 1.5);
    List<ChangePoint> points = ChangePoints.of(series);
    assertThat(indexes(points)).containsExactly(27);
  }

  /** Returns runs without a change, of which neighbors have a correlation. */
  private static double[] unchanged(int seed, int runs, double correlation) {
    Random random = new Random(seed);
    double[] series = new double[runs];
    double noise = random.nextGaussian();
    for (int i = 0; i < runs; i++) {
      series[i] = 100 * Math.exp(0.1 * noise);
      noise =
          correlation * noise + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
    }
    return series;
  }

  @ParameterizedTest
  @CsvSource({
    "12, 0, 1",
    "30, 0, 1",
    "60, 0, 1",
    "12, 0.5, 5",
    "30, 0.5, 4",
    "30, 0.9, 9",
    "60, 0.9, 6"
  })
  void series_without_a_change_rarely_have_a_point(int runs, double correlation, int percent) {
    int seeds = 500;
    long alarms =
        IntStream.range(0, seeds)
            .filter(seed -> !ChangePoints.of(unchanged(seed, runs, correlation)).isEmpty())
            .count();
    assertThat(alarms).isLessThanOrEqualTo(seeds * percent / 100);
  }

  @ParameterizedTest
  @CsvSource({"20, 10, 1.2, 0.2", "30, 15, 1.1, 0.3", "30, 27, 1.2, 0.3", "60, 50, 0.9, 0.3"})
  void most_changes_are_found(int runs, int change, double factor, double noise) {
    int seeds = 200;
    long found =
        IntStream.range(0, seeds)
            .filter(
                seed -> {
                  double[] series = unchanged(seed, runs, 0);
                  Arrays.setAll(
                      series,
                      i -> 100 * Math.pow(series[i] / 100, noise) * (i < change ? 1 : factor));
                  return ChangePoints.of(series).stream()
                      .anyMatch(point -> Math.abs(point.index() - change) <= 1);
                })
            .count();
    assertThat(found).isGreaterThanOrEqualTo(seeds * 9 / 10);
  }

  @Test
  void series_without_a_change_have_no_point() {
    assertThat(ChangePoints.of(new double[0])).isEmpty();
    assertThat(ChangePoints.of(new double[] {1})).isEmpty();
    assertThat(ChangePoints.of(new double[] {1, 1, 1, 1, 1, 1})).isEmpty();
    assertThat(ChangePoints.of(new double[] {0, 0, 0, 0})).isEmpty();
  }
}
