// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"=1+1", "=HYPERLINK(A1)", "+A1", "-A1", "@SUM(A1)", "-1+2", "'=1", "-5 ms", "=="})
  void a_formula_is_written_as_text_and_read_as_it_was(String text) {
    assertThat(new CsvText().row(text)).hasToString("'" + text + "\n");
    assertThat(CsvText.unescaped("'" + text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "+", "-5", "+0.25", "-1.5E-7", "+10%", "a=b", "'", "'a", ">2"})
  void other_cells_are_unchanged(String text) {
    assertThat(new CsvText().row(text)).hasToString(text + "\n");
    assertThat(CsvText.unescaped(text)).isEqualTo(text);
  }
}
