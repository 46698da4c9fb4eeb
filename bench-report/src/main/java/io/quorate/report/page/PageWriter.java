package io.quorate.report.page;

import io.quorate.report.plot.PlotSection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes {@code index.html}. */
public final class PageWriter {
  private PageWriter() {}

  /** The plots of a section. */
  public record Section(String id, String title, List<Page.DrawnPlot> plots) {
    public Section {
      plots = List.copyOf(plots);
    }
  }

  /** Returns a complete, self-contained HTML file. */
  public static String html(Page page) {
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("page", page);
    List<Page.DrawnPlot> plots = page.plots();
    model.put(
        "first",
        plots.stream().filter(each -> each.plot().name().equals(page.firstPlot())).toList());
    model.put("sections", sections(plots));
    model.put("tie", page.tiePercent());
    return PageTemplate.html("index.html.ftl", model);
  }

  private static List<Section> sections(List<Page.DrawnPlot> plots) {
    List<Section> sections = new ArrayList<>();
    for (PlotSection section : PlotSection.values()) {
      List<Page.DrawnPlot> shown =
          plots.stream().filter(each -> each.plot().section() == section).toList();
      if (!shown.isEmpty()) {
        String name = section.name().toLowerCase(Locale.ROOT);
        sections.add(new Section("plots-" + name, section.title(), shown));
      }
    }
    return sections;
  }
}
