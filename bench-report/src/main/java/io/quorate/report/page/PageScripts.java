// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.format.StrictJson;
import io.quorate.report.page.Page.DrawnPlot;
import io.quorate.report.page.Page.Scripts;
import io.quorate.report.plot.draw.LineChart;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The scripts of a page and what they draw. The page allows exactly these scripts, by their hashes.
 * Where a server forbids them, the pictures stay. What several charts have in common is in lists,
 * in which the charts name places.
 */
record PageScripts(
    List<List<BigDecimal>> places,
    List<List<LineChart.Lane>> steps,
    List<List<LineChart.Marks>> events,
    List<List<LineChart.Label>> labels,
    List<PageScripts.Chart> charts) {
  private static final String WEBJAR = "/META-INF/resources/webjars/uplot/";
  private static final String VERSION = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

  /**
   * A chart.
   *
   * @param id of the element of the page
   * @param group of charts that have the same cursor and the same part of the axis
   */
  record Chart(
      String id,
      String group,
      String title,
      LineChart.Axis across,
      LineChart.Axis up,
      List<Series> lines,
      int steps,
      int events,
      int labels,
      Optional<LineChart.Heat> heat) {}

  record Series(
      String entry,
      String name,
      String color,
      List<Float> dash,
      float width,
      boolean marked,
      int x,
      List<BigDecimal> y,
      List<BigDecimal> low,
      List<BigDecimal> high,
      List<Integer> hollow) {}

  /** Returns the scripts; without those that draw if no plot has lines. */
  static Scripts of(List<DrawnPlot> plots) {
    List<DrawnPlot> charts =
        plots.stream().filter(each -> each.plot().chart().isPresent()).toList();
    if (charts.isEmpty()) {
      return only("document.js");
    }
    String directory = WEBJAR + version() + "/";
    String library =
        "/* MIT License, Copyright (c) 2022 Leon Sorokin */\n"
            + text(directory + "dist/uPlot.iife.min.js");
    List<String> sources = List.of(library, text("page.js"), text("document.js"));
    return new Scripts(
        hashes(sources),
        text(directory + "dist/uPlot.min.css"),
        new PageScripts(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>())
            .json(charts),
        sources);
  }

  /** Returns a script of this package, which draws nothing. */
  static Scripts only(String name) {
    List<String> sources = List.of(text(name));
    return new Scripts(hashes(sources), "", "", sources);
  }

  private static String hashes(List<String> sources) {
    return sources.stream()
        .map(source -> "'sha256-" + hash(source) + "'")
        .collect(Collectors.joining(" "));
  }

  private String json(List<DrawnPlot> plots) {
    plots.forEach(plot -> charts.add(chart(plot)));
    return StrictJson.line(this)
        .strip()
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e");
  }

  private Chart chart(DrawnPlot plot) {
    LineChart chart = plot.plot().chart().orElseThrow();
    return new Chart(
        plot.id(),
        group(chart),
        chart.title(),
        chart.across(),
        chart.up(),
        chart.lines().stream().map(this::series).toList(),
        index(steps, chart.steps()),
        index(events, chart.events()),
        index(labels, chart.labels()),
        chart.heat());
  }

  /** Returns the group of a chart: all charts of the page with the same axis across. */
  private static String group(LineChart chart) {
    String label = chart.across().label();
    boolean isOther = label.matches("seconds since (?!the first request).*");
    return chart.labels().isEmpty() && !isOther
        ? label.split(" ", 2)[0].replaceAll("[^a-z]", "")
        : label.replaceAll("[^A-Za-z0-9]+", "-");
  }

  private Series series(LineChart.Series line) {
    return new Series(
        line.entry(),
        line.name(),
        line.color(),
        line.dash(),
        line.width(),
        line.marked(),
        index(places, line.x()),
        line.y(),
        line.low(),
        line.high(),
        line.hollow());
  }

  private static <T> int index(List<T> list, T value) {
    int index = list.indexOf(value);
    if (index >= 0) {
      return index;
    }
    list.add(value);
    return list.size() - 1;
  }

  private static String version() {
    return text(VERSION)
        .lines()
        .filter(line -> line.startsWith("version="))
        .map(line -> line.substring("version=".length()))
        .findFirst()
        .orElseThrow();
  }

  private static String text(String resource) {
    try (InputStream file = PageScripts.class.getResourceAsStream(resource)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static String hash(String script) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
