// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Steps;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {
  private static final long SECOND = 1_000_000_000L;
  private final Locale before = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(before);
  }

  private static ProgressLine line(
      int clients, long done, Histogram interval, OptionalDouble secondsLeft) {
    return new ProgressLine(
        "etcd",
        "2/3",
        Steps.closed(clients, 1, 1).load(),
        done,
        OptionalLong.of(30_000),
        interval,
        2 * SECOND,
        7,
        0,
        secondsLeft,
        OptionalDouble.empty());
  }

  private static Histogram of(int count, long nanos) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(nanos, count);
    return histogram;
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "de", "ru", "ar"})
  void it_says_how_far_how_fast_how_slow_how_wrong_and_how_long(String language) {
    Locale.setDefault(Locale.forLanguageTag(language));
    assertThat(line(10, 20_000, of(4_000, 1_250_000), OptionalDouble.of(5)))
        .hasToString("etcd 2/3  10 clients  66%  2,000/s  p99 1.25 ms  7 errors  5 s left");
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "de"})
  void without_a_success_nothing_is_made_up(String language) {
    Locale.setDefault(Locale.forLanguageTag(language));
    assertThat(line(1, 100, of(0, 1), OptionalDouble.empty()))
        .hasToString("etcd 2/3  1 client  0%  0/s  p50 -  p99 -  7 errors");
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "de"})
  void a_long_rest_is_said_in_minutes(String language) {
    Locale.setDefault(Locale.forLanguageTag(language));
    assertThat(line(1, 0, of(200, 1_000_000), OptionalDouble.of(300)).toString())
        .endsWith("7 errors  5 min left");
    assertThat(line(1, 30_000, of(200, 1_000_000), OptionalDouble.empty()).toString())
        .endsWith("7 errors");
  }

  @Test
  void after_the_last_request_it_waits_for_responses() {
    assertThat(line(1, 30_000, of(0, 1), OptionalDouble.of(0)).toString())
        .endsWith("7 errors  waiting for the last responses");
  }

  @Test
  void an_open_loop_that_cannot_send_all_says_its_rate_and_what_it_did_not_send() {
    Histogram interval = of(4_000, 1_250_000);
    assertThat(
            new ProgressLine(
                "etcd",
                "1/1",
                "2000/s",
                5_000,
                OptionalLong.of(10_000),
                interval,
                2 * SECOND,
                0,
                1_000,
                OptionalDouble.of(2.5),
                OptionalDouble.of(185)))
        .hasToString("etcd 1/1  50%  2,000/s  p99 1.25 ms  0 errors, 1,000 dropped  3 s left");
  }

  @Test
  void a_load_that_ends_by_time_has_no_share_of_its_requests() {
    Histogram interval = of(4_000, 1_250_000);
    assertThat(
            new ProgressLine(
                "etcd",
                "1/1",
                "1 client",
                5_000,
                OptionalLong.empty(),
                interval,
                2 * SECOND,
                0,
                0,
                OptionalDouble.empty(),
                OptionalDouble.empty()))
        .hasToString("etcd 1/1  1 client  5,000 requests  2,000/s  p99 1.25 ms  0 errors");
  }

  @Test
  void the_time_left_is_never_left_out() {
    ProgressLine line =
        new ProgressLine(
            "ClickHouse Keeper 25.8.2",
            "10/10",
            "100,000 clients",
            123_456_789,
            OptionalLong.of(1_000_000_000),
            of(4_000, 9_999_000_000L),
            SECOND,
            1_234,
            0,
            OptionalDouble.of(7_200),
            OptionalDouble.of(72_000));
    assertThat(line)
        .hasToString("ClickHouse Keeper 25.8.2 10/10  12%  4,000/s  1,234 errors  2 h left");
  }
}
