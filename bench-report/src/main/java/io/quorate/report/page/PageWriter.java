package io.quorate.report.page;

import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes {@code index.html}. */
public final class PageWriter {
  private PageWriter() {}

  /** A plot as the template sees it. */
  public record ShownPlot(String id, Plot plot, List<Page.Link> files) {
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
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("page", page);
    List<ShownPlot> plots = plots(page.plots());
    model.put(
        "first",
        plots.stream().filter(each -> each.plot().name().equals(page.firstPlot())).toList());
    model.put("sections", sections(plots));
    model.put("tie", page.tiePercent());
    return PageTemplate.html("index.html.ftl", model);
  }

  private static List<ShownPlot> plots(List<Page.DrawnPlot> plots) {
    List<ShownPlot> shown = new ArrayList<>();
    for (Page.DrawnPlot drawn : plots) {
      String id = "plot-" + (shown.size() + 1);
      shown.add(new ShownPlot(id, drawn.plot(), drawn.files()));
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
}
