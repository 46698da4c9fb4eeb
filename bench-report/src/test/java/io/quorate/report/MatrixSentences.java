// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.ResultFacts.number;
import static io.quorate.report.ResultFacts.shows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.stream.Stream;

/**
 * Compares the sentences, the dots and the ratios of the page of a matrix with the values of {@code
 * matrix-result.json}.
 */
public final class MatrixSentences extends SentenceCheck {
  private static final Map<String, String> WORDS =
      Map.of("sn-sz", "1 member", "mn-sz", "3 members, 1 zone", "mn-mz", "3 members, 3 zones");
  private static final double TIE = 1.1;

  private final JsonNode result;
  private final List<JsonNode> cells;

  /** Returns all contradictions of the page and the values in a directory. */
  public static List<String> problems(Path directory) throws IOException {
    return problems(
        Files.readString(directory.resolve("index.html")),
        Files.readString(directory.resolve("matrix-result.json")));
  }

  /** Returns all contradictions of a page and its values. */
  public static List<String> problems(String page, String result) throws IOException {
    return new MatrixSentences(new FirstScreen(page), new ObjectMapper().readTree(result))
        .problems();
  }

  private MatrixSentences(FirstScreen page, JsonNode result) {
    super(page);
    this.result = result;
    this.cells = ResultFacts.list(result.path("cells"));
    summary();
    differences();
    Stream.of(
            "Each cell was run once, so the confidence is unknown: .*",
            "Values are medians of the runs, with the lowest and the highest in parentheses\\.",
            "The databases took turns: .*",
            "A value is the geometric mean of the repeats, .*|It decides only if all of them differ .*",
            "The least time of a request is the sum of .*",
            ".*: (?:up to [\\d.]+ [GM]B|no size keeps the limits\\.).*|With [\\d.]+ [GM]B: .*",
            "A latency above 1 is slower, a throughput above 1 is faster\\.",
            "Not compared: .*",
            "Logarithmic axis.*|Point at a dot for its value\\.",
            "Blue: faster, orange: slower; .*|Gray: .*")
        .forEach(this::explains);
  }

  private long runs() {
    return cells.stream().mapToLong(cell -> cell.path("runs").size()).sum();
  }

  private void summary() {
    know(
        "([\\d,]+) (?:cells?|databases?), each run (once|\\d+ times); ([\\d,]+) of ([\\d,]+) runs are complete\\.",
        found -> {
          int repeats = result.path("repeats").asInt();
          expect(number(found.group(1)) == cells.size(), "there are " + cells.size());
          expect(found.group(2).equals(repeats == 1 ? "once" : repeats + " times"), "not so often");
          long all = (long) cells.size() * repeats;
          long missing = cells.stream().mapToLong(cell -> cell.path("notComplete").size()).sum();
          expect(number(found.group(3)) == all - missing, "runs are not complete: " + missing);
          expect(number(found.group(4)) == all, "not as many");
          expect(
              page.parts("id=\"troubles\"").isEmpty() == found.group(3).equals(found.group(4)),
              "the list of incomplete runs");
        });
    know(
        "Do not use ([\\d,]+) of ([\\d,]+) runs?: .*",
        found -> {
          long listed = page.parts("<li>Run \\d+ of ").size();
          expect(number(found.group(1)) == listed, "listed are " + listed);
          expect(number(found.group(2)) == runs(), "runs are complete: " + runs());
        });
    know(
        "Only ([\\d.]+)% of the scenario's requests were sent\\.",
        found -> expect(shows(found.group(1), 100 * result.path("scale").asDouble()), "not so"));
    know(
        "Each cell was run (\\d+) times, .*",
        found -> expect(number(found.group(1)) == result.path("repeats").asInt(), "not so often"));
    know(
        "(.*): ([\\d.]+)(?: \\(.*\\))? ms, of which the network(?: and fsync explain| explains) ([\\d.]+) ms\\.",
        found -> {
          double p50 = mean(cell(found.group(1)), "p50Ms");
          expect(shows(found.group(2), p50), "its p50 is " + p50);
          expect(number(found.group(3)) * 5 < number(found.group(2)) * 1.01, "it explains it");
        });
  }

  /** Returns the number of pairs that are compared. */
  private static double comparable(MatchResult found) {
    return found.group(1) == null ? 0 : number(found.group(2)) - number(found.group(1));
  }

  private void differences() {
    know(
        "(?:No pair|([\\d,]+) of ([\\d,]+) pairs?) by (.*) (?:have no|has a) mean latency that may be compared: .*",
        found -> {
          long with =
              Arrays.stream(found.group(3).split(", "))
                  .flatMap(axis -> ratios(axis).stream())
                  .filter(row -> !value(row, "mean latency").equals("-"))
                  .count();
          expect(comparable(found) == with, "the tables have " + with);
        });
    know(
        "(?:No pair|([\\d,]+) of ([\\d,]+) pairs?) (?:have no|has a) value that may be compared(?: and are left out)?\\.",
        found -> {
          long with = axes().stream().mapToLong(axis -> ratios(axis).size()).sum();
          expect(comparable(found) == with, "the tables have " + with);
        });
    know(
        "Largest difference by (\\S+)(?: among (\\d+) of (\\d+) pairs, .*?)?: with (.*) the mean latency is ([\\d.]+)(?: \\(.*?\\))? times that with (.*?)(?: \\((.*?)\\))?(?:; .*)?\\.",
        found -> {
          List<Map<String, String>> rows = ratios(found.group(1));
          String pair = found.group(4) + " / " + found.group(6);
          expect(
              rows.stream()
                  .anyMatch(
                      row ->
                          value(row, "compared").equals(pair)
                              && (found.group(7) == null
                                  || value(row, "cells").equals(found.group(7)))
                              && value(row, "mean latency").startsWith(found.group(5))),
              "no table has it");
          double most =
              rows.stream()
                  .map(row -> value(row, "mean latency"))
                  .filter(each -> each.matches(".*(?:slower|faster)\\)"))
                  .mapToDouble(each -> factor(number(each)))
                  .max()
                  .orElse(1);
          expect(factor(number(found.group(5))) > most * 0.99, "a larger one is " + most);
        });
    know(
        "(?:Throughput of .* as a part of that of .*: )?(?:(\\d+)|None) of (?:the )?(\\d+) (?:compared )?cells? differs?\\.",
        found -> {
          long marked = page.parts("<td class=\"(?:better|worse)\"").size();
          expect(
              (found.group(1) == null ? 0 : number(found.group(1))) == marked,
              "colored: " + marked);
        });
  }

  private static double factor(double ratio) {
    return Math.max(ratio, 1 / ratio);
  }

  /** Compares the dots of all cells, and the ratios of cells that ran once. */
  @Override
  void values() {
    for (MatchResult row :
        page.parts("<tr><th scope=\"row\" align=\"left\">([^<]*)</th><td><svg(.*?)</svg>")) {
      for (MatchResult dot :
          page.parts(
              "(?=.{0,0})<g( opacity=\".4\")?><title>([^<]*)</title>(?:<line[^>]*>)?<circle cx=\"([\\d.]+)%\"[^>]*fill=\"(\\S*)\"")) {
        if (row.start() < dot.start() && dot.end() < row.end()) {
          dot(FirstScreen.text(row.group(1)), dot);
        }
      }
    }
    if (result.path("repeats").asInt() == 1) {
      axes().forEach(axis -> ratios(axis).forEach(row -> ratio(axis, row)));
    }
  }

  private double last;
  private double lastPlace;

  private void dot(String row, MatchResult dot) {
    String[] text = FirstScreen.text(dot.group(2)).split(": ");
    at("dot of " + row + ", " + dot.group(2));
    JsonNode cell = cell(row + ", " + text[0]);
    boolean isRate = text[1].endsWith("/s");
    double value = mean(cell, isRate ? "requestsPerSecond" : "meanMs");
    expect(shows(text[1].replaceAll("[^\\d.,]", ""), value), "its value is " + value);
    boolean isHollow = dot.group(4).equals("none");
    expect(
        !isHollow || !cell.path("coordinates").path("routing").asText().equals("leader"),
        "hollow, and to the leader");
    double place = number(dot.group(3));
    expect(
        last == 0 || Math.abs(value / last - 1) < 0.01 || value > last == place > lastPlace,
        "dots are not in the order of their values");
    last = value;
    lastPlace = place;
  }

  private void ratio(String axis, Map<String, String> row) {
    String[] pair = value(row, "compared").split(" / ");
    for (Map.Entry<String, String> column :
        Map.of("mean latency", "meanMs", "p99", "p99Ms", "throughput", "requestsPerSecond")
            .entrySet()) {
      String shown = value(row, column.getKey());
      at("ratio by " + axis + ": " + row);
      if (!shown.equals("-")) {
        double ratio =
            mean(cell(value(row, "cells") + ", " + pair[0]), column.getValue())
                / mean(cell(value(row, "cells") + ", " + pair[1]), column.getValue());
        expect(shows(shown.replaceFirst(" .*", ""), ratio), column.getKey() + " is " + ratio);
        boolean isDecided = shown.matches(".*\\((?:slower|faster)\\)");
        expect(isDecided == factor(ratio) > TIE, "the verdict on " + column.getKey());
        boolean isSlower = column.getKey().equals("throughput") == ratio < 1;
        expect(!isDecided || shown.contains("slower") == isSlower, "it is the other way round");
      }
    }
  }

  private List<String> axes() {
    return ResultFacts.list(result.path("axes")).stream().map(JsonNode::asText).toList();
  }

  /** Returns the rows of the table of an axis: cells by column. */
  private List<Map<String, String>> ratios(String axis) {
    List<Map<String, String>> rows = new ArrayList<>();
    page.parts("<caption id=\"(ratios-\\d+)\">By " + axis + "</caption>")
        .forEach(
            table -> {
              List<List<String>> all = page.rows(table.group(1));
              for (List<String> cells : all.subList(1, all.size())) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < cells.size(); i++) {
                  row.put(all.get(0).get(i), cells.get(i));
                }
                rows.add(row);
              }
            });
    return rows;
  }

  /** Returns a cell of such a row; columns without values are left out. */
  private static String value(Map<String, String> row, String column) {
    return row.getOrDefault(column, "-");
  }

  private static double mean(JsonNode cell, String field) {
    return cell.path(field).path("geometricMean").asDouble(Double.NaN);
  }

  /** Returns the cell with these words, in any order. */
  private JsonNode cell(String words) {
    TreeSet<String> expected = tokens(words);
    Optional<JsonNode> found =
        cells.stream()
            .filter(cell -> tokens(words(cell)).containsAll(expected))
            .filter(cell -> expected.size() >= tokens(words(cell)).size() - 1)
            .findFirst();
    expect(found.isPresent(), "no cell is " + words);
    return found.orElse(cells.get(0));
  }

  private static String words(JsonNode cell) {
    StringBuilder words = new StringBuilder();
    cell.path("coordinates")
        .forEach(
            each -> words.append(WORDS.getOrDefault(each.asText(), each.asText())).append(", "));
    return words.toString();
  }

  private static TreeSet<String> tokens(String words) {
    return new TreeSet<>(List.of(words.replaceFirst("^, ", "").split(", ?")));
  }
}
