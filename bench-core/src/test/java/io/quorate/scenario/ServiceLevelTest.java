// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServiceLevelTest {
  private static ServiceLevel limit(String text) {
    return ServiceLevel.of(SloLimit.parse(text).orElseThrow()).orElseThrow();
  }

  private static String obstacle(String text) {
    return ServiceLevel.obstacle(SloLimit.parse(text).orElseThrow()).orElse("none");
  }

  @Test
  void aPercentileAllowsAPartOfTheRequestsToTakeLonger() {
    ServiceLevel limit = limit("p99 <= 20 ms");

    assertThat(limit.allowedPart()).isEqualTo(0.01);
    assertThat(limit.isViolatedBy(20_000_000)).isFalse();
    assertThat(limit.isViolatedBy(20_000_001)).isTrue();
  }

  @Test
  void aLimitBelowATimeIsViolatedByExactlyThatTime() {
    assertThat(limit("p99.9 < 1.5 s").isViolatedBy(1_500_000_000)).isTrue();
    assertThat(limit("p99.9 < 1.5 s").isViolatedBy(1_499_999_999)).isFalse();
    assertThat(limit("p99.9 < 1.5 s").allowedPart()).isEqualTo(0.001);
  }

  @Test
  void aMaximumAllowsNone() {
    assertThat(limit("max <= 1 s").allowedPart()).isZero();
    assertThat(limit("p100 <= 1 s").allowedPart()).isZero();
  }

  @Test
  void errorsAreNoneOrAPart() {
    assertThat(limit("errors = 0").allowedPart()).isZero();
    assertThat(limit("errors <= 0").allowedPart()).isZero();
    assertThat(limit("errors <= 0.1%").allowedPart()).isEqualTo(0.001);
    assertThat(limit("errors = 0").isViolatedBy(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void aLimitMayBeOfOneOperation() {
    assertThat(limit("get p99 <= 5 ms").operation()).hasToString("Optional[get]");
  }

  @Test
  void saysWhatToDoAboutLimitsThatASearchCannotUse() {
    assertThat(obstacle("p99 <= 5 ms")).isEqualTo("none");
    assertThat(obstacle("step 3 p99 <= 5 ms"))
        .isEqualTo("a limit without a step, since a search has none");
    assertThat(obstacle("throughput >= 5000/s")).startsWith("a percentile such as p99 <= 20 ms");
    assertThat(obstacle("mean <= 5 ms")).startsWith("a percentile such as p99 <= 20 ms");
    assertThat(obstacle("p99 > 5 ms")).startsWith("< or <=: a search looks for the most load");
    assertThat(obstacle("errors <= 5")).startsWith("errors = 0, or a part");
    assertThat(obstacle("errors < 0.1%")).isEqualTo("none");
  }
}
