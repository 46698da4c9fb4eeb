// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the templates of all pages as texts, so also the parts that no other test fills. */
class PageTemplateTest {
  private static final Path TEMPLATES = Path.of("src/main/resources/io/quorate/report/page");
  private static final Pattern INSTRUCTION =
      Pattern.compile("(?s)<#--.*?-->|\\$\\{[^}]*}|</?[#@][^>]*>");
  private static final Pattern TAG =
      Pattern.compile("<(/?)([a-z][a-z0-9]*)((?:\"[^\"]*\"|[^\">])*)>");
  private static final Pattern NOT_ESCAPED = Pattern.compile("[^{}]*no_esc");
  private static final Set<String> EMPTY = Set.of("br", "hr", "img", "input", "link", "meta");

  @Test
  void every_element_ends_in_the_one_in_which_it_began() throws IOException {
    for (Path template : templates()) {
      Deque<String> open = new ArrayDeque<>();
      Matcher tag = TAG.matcher(INSTRUCTION.matcher(Files.readString(template)).replaceAll(""));
      while (tag.find()) {
        if (!tag.group(1).isEmpty()) {
          assertThat(tag.group(2)).as("%s: %s ends", template, tag.group()).isEqualTo(open.poll());
        } else if (!EMPTY.contains(tag.group(2)) && !tag.group(3).endsWith("/")) {
          open.push(tag.group(2));
        }
      }
      assertThat(open).as(template.toString()).isEmpty();
    }
  }

  @Test
  void only_pictures_and_scripts_are_not_escaped() throws IOException {
    String all = "";
    for (Path template : templates()) {
      all += Files.readString(template);
    }
    assertThat(NOT_ESCAPED.matcher(all).results().map(MatchResult::group).distinct())
        .containsExactlyInAnyOrder(
            "plot.svg?no_esc",
            "plot.plot.svg?no_esc",
            "scripts.data?no_esc",
            "scripts.hashes?no_esc",
            "scripts.styles?no_esc",
            "source?no_esc");
    assertThat(all).doesNotContain("autoesc", "outputformat", "output_format");
  }

  private static List<Path> templates() throws IOException {
    try (Stream<Path> files = Files.list(TEMPLATES)) {
      List<Path> found = files.filter(each -> each.toString().endsWith(".ftl")).sorted().toList();
      assertThat(found).isNotEmpty();
      return found;
    }
  }
}
