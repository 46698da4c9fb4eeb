// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTextTest {
  /** Go: fmt.Printf("%q"). The texts are Java escapes, as some could not be seen here. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "zk: connection closed => \"zk: connection closed\"",
        "say \"no\" => \"say \\\"no\\\"\"",
        "a\\\\b => \"a\\\\b\"",
        "\\007\\b\\f\\n\\r\\t => \"\\a\\b\\f\\n\\r\\t\"",
        "\\013\\033[31m\\0\\177 => \"\\v\\x1b[31m\\x00\\x7f\"",
        "caf\u00e9 \u4e16\u754c \u2126 \ud83d\ude00 => \"caf\u00e9 \u4e16\u754c \u2126 \ud83d\ude00\"",
        "\u00a0\u00ad\u0085\u2028\u200b\ufeff => \"\\u00a0\\u00ad\\u0085\\u2028\\u200b\\ufeff\"",
        "\ufffd => \"\ufffd\"",
        "\ue000\udb40\udc01 => \"\\ue000\\U000e0001\"",
      })
  void quotesAsGoDoes(String javaText, String expected) {
    assertThat(GoText.quoted(javaText.translateEscapes())).isEqualTo(expected);
  }

  @Test
  void halfACharacterIsReplaced() {
    assertThat(GoText.quoted("a\ud83d")).isEqualTo("\"a\\ufffd\"");
  }
}
