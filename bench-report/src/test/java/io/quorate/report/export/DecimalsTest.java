// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "5, 5",
    "0.1, 0.1",
    "5.123456789, 5.12346",
    "100000.5, 100000",
    "100001.5, 100002",
    "1234567, 1234570"
  })
  void six_digits_are_significant_and_ties_go_to_the_even_one(double value, String expected) {
    assertThat(Decimals.significant(value)).isEqualByComparingTo(expected);
  }
}
