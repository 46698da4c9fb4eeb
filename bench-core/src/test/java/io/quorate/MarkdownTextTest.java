// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTextTest {
  @ParameterizedTest
  @CsvSource({
    "etcd@3.5.35, etcd@3.5.35",
    "@octocat, @&#8203;octocat",
    "'by @org/team, @x', 'by @&#8203;org/team, @&#8203;x'",
    "#12, \\#&#8203;12",
    "a # b @ c, a \\# b @ c",
    "<b>, &lt;b>",
    "a|b, a\\|b",
    "```, \\`\\`\\`",
    "~~~, \\~\\~\\~"
  })
  void no_text_notifies_people_or_ends_a_cell(String text, String markdown) {
    assertThat(MarkdownText.of(text)).isEqualTo(markdown);
  }
}
