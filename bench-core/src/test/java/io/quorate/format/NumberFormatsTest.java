// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.results.manifest.StoreInfo;
import io.quorate.results.requests.Golden;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberFormatsTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "de", "ru"})
  void decimalsAreRoundedAsGoRoundsThem(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          for (CSVRecord row : Golden.rows("functions/number-formats.csv")) {
            double value = Double.parseDouble(row.get(0));
            assertThat(NumberFormats.fixed(value, 4)).as(row.get(0)).isEqualTo(row.get(1));
            assertThat(NumberFormats.fixed(value, 6)).as(row.get(0)).isEqualTo(row.get(2));
            assertThat(NumberFormats.fixed(value, 2)).as(row.get(0)).isEqualTo(row.get(3));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "de", "ru"})
  void thousandsAreSeparatedByCommas(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          for (CSVRecord row : Golden.rows("functions/humanize-comma.csv")) {
            assertThat(NumberFormats.commas(Long.parseLong(row.get(0)))).isEqualTo(row.get(1));
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"5,5", "0.967,0.97", "12.34,12.3", "254.5826,255", "254.5,254", "1578.6,'1,579'"})
  void a_rate_has_three_digits_or_is_rounded(double perSecond, String shown) {
    assertThat(NumberFormats.rate(perSecond)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "de", "ru"})
  void bytesAreHumanizedAsTheReferenceDoes(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          assertThat(Golden.rows("functions/humanize-bytes.csv")).hasSize(1658);
          for (CSVRecord row : Golden.rows("functions/humanize-bytes.csv")) {
            assertThat(humanized(row.get(0))).as(row.get(0)).isEqualTo(row.get(1));
          }
        });
  }

  private static String humanized(String bytes) {
    return NumberFormats.humanizedBytes(Long.parseLong(bytes));
  }

  @Test
  void theShortestDecimalIsReadAsTheSameNumber() {
    assertThat(NumberFormats.shortest(5.10969)).isEqualTo("5.10969");
    assertThat(NumberFormats.shortest(10.551800499999999)).isEqualTo("10.551800499999999");
    assertThat(NumberFormats.shortest(0)).isEqualTo("0");
    assertThat(NumberFormats.shortest(1519000000)).isEqualTo("1519000000");
    assertThat(NumberFormats.shortest(0.1 + 0.2)).isEqualTo("0.30000000000000004");
    assertThat(NumberFormats.shortest(2e-3)).isEqualTo("0.002");
    assertThat(NumberFormats.shortest(2.0E-44)).endsWith("02").hasSize(46);
    assertThat(NumberFormats.shortest(1e21)).isEqualTo("1000000000000000000000");
  }

  @Test
  void whatIsNoNumberIsNotPublished() {
    assertThatThrownBy(() -> NumberFormats.fixed(Double.NaN, 4)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> NumberFormats.fixed(1.0 / 0, 4)).hasMessageContaining("Infinity");
  }

  @Test
  void theDifferenceOfACounterThatBeganAnewHasASign() {
    assertThat(NumberFormats.humanizedBytes(-983_676_757)).isEqualTo("-984 MB");
  }

  @Test
  void aTagIsMadeFromADescription() {
    for (CSVRecord row : Golden.rows("functions/make-tag.csv")) {
      assertThat(StoreInfo.tag(row.get(0))).isEqualTo(row.get(1));
    }
  }
}
