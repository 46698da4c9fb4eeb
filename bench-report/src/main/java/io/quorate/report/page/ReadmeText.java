// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.MarkdownText;
import io.quorate.report.plot.Plot;
import io.quorate.results.manifest.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text of a README.md of published results: Markdown in the order of dbtester's pages of
 * results, which is machine, versions, settings, results and plots. Not for several threads.
 */
public final class ReadmeText {
  /** Name of the file. */
  public static final String NAME = "README.md";

  private static final String GUIDE = "../../../../src/site/markdown/";

  private static final String HEAD =
      """
      **This is an example from one machine and not a reference.** It shows what Quorate measures and how a result looks. It names
      no winner and gives no score. Do not compare

      %1$s
      [Semantics](%2$sexplanation/semantics.md) says what each store promises. The [page](index.html) contains all values and plots
      ([how to read it](%2$show-to/read-a-report.md)).
      """;

  private final StringBuilder text = new StringBuilder();

  /**
   * Begins with the title and what it is an example of.
   *
   * @param incomparable what must not be compared
   * @param description paragraphs
   */
  public ReadmeText(String title, List<String> incomparable, List<String> description) {
    text.append("# ").append(MarkdownText.of(title)).append("\n\n");
    text.append(
        HEAD.formatted(
            incomparable.stream().map("- %s\n"::formatted).collect(Collectors.joining()), GUIDE));
    description.forEach(each -> text.append("\n").append(MarkdownText.of(each)).append("\n"));
  }

  /**
   * Returns what must not be compared.
   *
   * @param once sentence that each value was measured once; empty if it was measured repeatedly
   */
  public static List<String> incomparable(String once) {
    List<String> all = new ArrayList<>();
    all.add("absolute values of different machines, versions or scenarios");
    all.add("stores whose consistency or durability differs");
    all.add("latencies of steps beyond saturation: more clients only wait longer");
    if (!once.isEmpty()) {
      all.add("values within 10% of each other: " + once);
    }
    all.add("percentiles of a handful of requests");
    return all;
  }

  public void heading(String heading) {
    text.append("\n## ").append(heading).append("\n\n");
  }

  /** Adds the section about machines, versions and settings of runs, each once. */
  public void environment(List<Manifest> runs) {
    heading("Machine, versions and settings");
    items(RunInfo.environment(runs));
  }

  /** Adds a list. */
  public void items(List<String> items) {
    items.forEach(item -> text.append("- ").append(MarkdownText.of(item)).append("\n"));
  }

  /** Adds Markdown as it is. */
  public void markdown(String markdown) {
    text.append(markdown);
  }

  /** Adds text as it is; a text cannot end the block. */
  public void code(String code) {
    text.append("```\n").append(code.replace("```", "'''")).append("```\n");
  }

  /**
   * Adds the section of plots.
   *
   * @param directory path of their SVG files, empty or with a slash at its end
   */
  public void plots(String directory, List<Plot> plots) {
    heading("Plots");
    for (Plot plot : plots) {
      text.append(
          "<img src=\"%s%s.svg\" alt=\"%s\">\n\n"
              .formatted(
                  directory, plot.name(), MarkdownText.of(plot.title()).replace("\"", "&quot;")));
    }
  }

  /** Returns the whole text. */
  public String text() {
    return text.toString().stripTrailing() + "\n";
  }
}
