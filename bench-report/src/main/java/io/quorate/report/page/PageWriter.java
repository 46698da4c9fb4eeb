package io.quorate.report.page;

import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the texts of a page: {@code index.html} and {@code README.md}. */
public final class PageWriter {
  /**
   * Shortest fence, extended so that it is longer than any run of backticks within the text that it
   * encloses.
   */
  private static final String SHORTEST_FENCE = "```";

  private PageWriter() {}

  /** A plot as the templates see it. */
  public record ShownPlot(String id, Plot plot, String svg, String image, List<Page.Link> files) {
    public ShownPlot {
      files = List.copyOf(files);
    }
  }

  /** The plots of a section. */
  public record Section(String id, String title, List<ShownPlot> plots) {
    public Section {
      plots = List.copyOf(plots);
    }
  }

  /** Returns a complete, self-contained HTML file. */
  public static String html(Page page) {
    return PageTemplate.html("index.html.ftl", model(page, true));
  }

  /** Returns the page as Markdown. */
  public static String markdown(Page page) {
    return PageTemplate.markdown("README.md.ftl", model(page, false));
  }

  private static Map<String, Object> model(Page page, boolean inline) {
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("page", page);
    List<ShownPlot> plots = plots(page.plots(), inline);
    model.put(
        "first",
        plots.stream().filter(each -> each.plot().name().equals(page.firstPlot())).toList());
    model.put("sections", sections(plots));
    model.put("tie", page.tiePercent());
    model.put("fence", fence(page.resultsText() + page.scenario()));
    return model;
  }

  private static List<ShownPlot> plots(List<Page.DrawnPlot> plots, boolean inline) {
    List<ShownPlot> shown = new ArrayList<>();
    for (Page.DrawnPlot drawn : plots) {
      String image = drawn.files().isEmpty() ? "" : drawn.files().get(0).href();
      String svg = inline ? drawn.plot().svg() : "";
      shown.add(
          new ShownPlot("plot-" + (shown.size() + 1), drawn.plot(), svg, image, drawn.files()));
    }
    return shown;
  }

  private static List<Section> sections(List<ShownPlot> plots) {
    List<Section> sections = new ArrayList<>();
    for (PlotSection section : PlotSection.values()) {
      List<ShownPlot> shown =
          plots.stream().filter(each -> each.plot().section() == section).toList();
      if (!shown.isEmpty()) {
        String name = section.name().toLowerCase(Locale.ROOT);
        sections.add(new Section("plots-" + name, title(section), shown));
      }
    }
    return sections;
  }

  private static String title(PlotSection section) {
    return switch (section) {
      case CAPACITY -> "Capacity";
      case THROUGHPUT -> "Throughput";
      case LATENCY -> "Latency";
      case CLIENTS -> "By number of clients";
      case RATES -> "By offered rate";
      case KEYS -> "By number of keys";
      case SERVERS -> "Servers";
      case ERRORS -> "Errors over time";
    };
  }

  private static String fence(String text) {
    int longest = Arrays.stream(text.split("[^`]+")).mapToInt(String::length).max().orElse(0);
    return "`".repeat(Math.max(SHORTEST_FENCE.length(), longest + 1));
  }
}
