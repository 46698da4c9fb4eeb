package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownFormatTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '\'',
      value = {
        "3.6.16 (Go 1.9) ¦ 3.6.16 (Go 1.9)",
        "a_b *c* [x](javascript:alert(1)) ¦ a\\_b \\*c\\* \\[x\\](javascript:alert(1))",
        "<script>&lt; ![x] ~~ `c` | $m$ \\ ¦ \\<script\\>\\&lt; !\\[x\\] \\~\\~ \\`c\\` \\| \\$m\\$ \\\\",
        "# no heading ¦ \\# no heading",
        "- no item ¦ \\- no item",
        "12. no item ¦ 12\\. no item",
        "1) no item ¦ 1\\) no item",
        "e.g. 12. is kept ¦ e.g. 12. is kept"
      })
  void textStaysText(String text, String markdown) {
    assertThat(MarkdownFormat.INSTANCE.escapePlainText(text)).isEqualTo(markdown);
  }

  @Test
  void textStaysInItsLine() {
    assertThat(MarkdownFormat.INSTANCE.escapePlainText("a\n\n# b\r\n")).isEqualTo("a # b");
  }
}
