package io.quorate.run;

import io.gatling.charts.component.ComponentLibrary;
import io.quorate.VisibleText;
import java.nio.file.Path;

/**
 * The module that draws the charts of Gatling's HTML report. Its licence allows its use, but not
 * that others pass it on, so a distribution of Quorate comes without it.
 */
final class GatlingCharts {
  private static final String SERVICE = "/META-INF/services/" + ComponentLibrary.class.getName();

  private GatlingCharts() {}

  /** Returns whether Gatling can write its report. */
  static boolean areThere() {
    return GatlingCharts.class.getResource(SERVICE) != null;
  }

  /**
   * Returns a sentence that says why there is no report, and how to get it.
   *
   * @param home of the distribution
   */
  static String absence(Path home) {
    String jar = "gatling-charts-highcharts-" + version() + ".jar";
    return "Gatling's HTML report is not written, as its charts may not come with Quorate: for the"
        + " next run, put %s (io.gatling.highcharts, from Maven's repository) into %s"
            .formatted(jar, VisibleText.of(home.resolve("lib").toString()));
  }

  /** Returns the version of the charts, which is that of Gatling's module that uses them. */
  private static String version() {
    String version = ComponentLibrary.class.getPackage().getImplementationVersion();
    return version == null ? "VERSION" : version;
  }
}
