// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "plain 'text', \"quoted\", a\\\\b, \\u00e9, \\u4e16, \\u0431 => plain 'text', \"quoted\","
            + " a\\b, \u00e9, \u4e16, \u0431",
        "\\033[2J\\177\\n\\r\\t\\007\\b\\f\\013\\0 => \\x1b[2J\\x7f\\n\\r\\t\\a\\b\\f\\v\\x00",
        "\\u009b31m\\u0085\\u2028\\u2029 => \\u009b31m\\u0085\\u2028\\u2029",
        "\\u202egnp.exe\\u2066\\u200f\\ufeff => \\u202egnp.exe\\u2066\\u200f\\ufeff",
        "a\\u00a0b\\u3000c\\u2003d\\u200be => a\\u00a0b\\u3000c\\u2003d\\u200be",
        "\\ud83d \\udc00 \\ud83d\\ude00 => \\ud83d \\udc00 \ud83d\ude00",
        "\\udb40\\udc41\\ue000 => \\U000e0041\\ue000",
      })
  void what_commands_turns_or_hides_is_spelled_out(String javaText, String expected) {
    String text =
        Pattern.compile("\\\\u([0-9a-f]{4})")
            .matcher(javaText)
            .replaceAll(code -> String.valueOf((char) Integer.parseInt(code.group(1), 16)))
            .translateEscapes();
    assertThat(VisibleText.of(text)).isEqualTo(expected);
  }

  @Test
  void a_quoted_value_is_short_and_ends_where_its_quote_ends() {
    assertThat(VisibleText.quoted("it's a\\b\n")).isEqualTo("'it\\'s a\\\\b\\n'");
    assertThat(VisibleText.quoted("x".repeat(60))).isEqualTo("'" + "x".repeat(60) + "'");
    assertThat(VisibleText.quoted("x".repeat(61))).isEqualTo("'" + "x".repeat(60) + "...'");
    assertThat(VisibleText.of("\ud83d\ude00\ud83d\ude00\ud83d\ude00", 2))
        .isEqualTo("\ud83d\ude00\ud83d\ude00...");
  }

  @Test
  void a_message_keeps_its_lines() {
    assertThat(VisibleText.lines("one\u001b[2J\ntwo\r\nthree\ttabs"))
        .isEqualTo("one\\x1b[2J\ntwo\nthree\\ttabs");
  }

  @Property(seed = "1")
  void nothing_that_a_terminal_would_obey_is_left(@ForAll String text) {
    assertThat(VisibleText.of(text).codePoints()).allMatch(VisibleText::isVisible);
    assertThat(VisibleText.of(text)).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    assertThat(VisibleText.lines(text)).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}&&[^\n]]");
    assertThat(VisibleText.quoted(text)).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
  }

  @Property(seed = "1")
  void what_is_shown_is_shown_again_in_the_same_way(@ForAll String text) {
    String shown = VisibleText.of(text);
    assertThat(VisibleText.of(shown)).isEqualTo(shown);
  }
}
