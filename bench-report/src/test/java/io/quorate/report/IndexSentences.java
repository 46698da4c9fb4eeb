// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.ResultFacts.number;
import static io.quorate.report.ResultFacts.shows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the rows of the index of published runs with the values for programs, and with the
 * sentences of the pages, of these runs.
 */
final class IndexSentences extends SentenceCheck {
  private static final Pattern ROW =
      Pattern.compile("(?s)<tr data-row.*?<th scope=\"row\"[^>]*>(.*?)</th>(.*?)</tr>");
  private static final Pattern CELL =
      Pattern.compile(
          "(?s)<td align=\"right\" class=\"([^\"]*)\"(?: style=\"--part:(\\d+)\")?><span class=\"value\">(.*?)</span>(?: <small class=\"ratio\">(.*?)</small>)?</td>");
  private static final Pattern VALUE =
      Pattern.compile("([\\d.,]+)(?: [^(]*)?(?: ?\\(([\\d.,]+) to ([\\d.,]+)\\))?");
  private static final Pattern BAND = Pattern.compile("(throughput|p50|p99) ([\\d,]+)%");

  private final Path directory;

  IndexSentences(FirstScreen page, Path directory) {
    super(page);
    this.directory = directory;
    Stream.of(
            "Small numbers: ratio to the best value of the same load and run, .*",
            "Values of several runs are medians, .*|Server CPU: mean of the members, .*",
            "Differences between databases that the runs do not decide .*",
            "Bars: throughput as a part .*|A search for a capacity shows its outcome: .*|A canary is what .*")
        .forEach(this::explains);
  }

  @Override
  void values() {
    for (MatchResult body : page.parts("<tbody>(.*?)</tbody>")) {
      group(body.group(1));
    }
  }

  private void group(String body) {
    String head = body.substring(0, body.indexOf("</tr>"));
    at(FirstScreen.text(head.replaceAll("</?a[^>]*>", "")));
    List<String> runs =
        Pattern.compile("href=\"([^\"/]*)/index.html\"")
            .matcher(head)
            .results()
            .map(it -> it.group(1))
            .distinct()
            .toList();
    expect(!runs.isEmpty(), "no link to a run");
    String title = head.replaceFirst("(?s)<small>.*", "");
    MatchResult load =
        Pattern.compile(
                "</a>, ([\\d,]+ clients?|[\\d,]+/s|all requests)(?: \\(the last of (\\d+) loads\\))?")
            .matcher(title)
            .results()
            .findFirst()
            .orElse(null);
    Map<String, Double> bands = new LinkedHashMap<>();
    BAND.matcher(head).results().forEach(it -> bands.put(it.group(1), number(it.group(2)) / 100));
    List<MatchResult> rows = ROW.matcher(body).results().toList();
    if (rows.get(0).group(2).contains("class=\"text\"")) {
      rows.forEach(row -> outcome(row, runs));
      return;
    }
    List<ResultFacts> facts =
        runs.stream().map(run -> new ResultFacts(json(run, "result.json"))).toList();
    String of = load == null || load.group(1).equals("all requests") ? "" : load.group(1);
    if (load != null && load.group(2) != null) {
      long loads =
          facts.get(0).databases().stream()
              .flatMap(each -> ResultFacts.list(each.path("steps")).stream())
              .map(step -> step.path("load").toString())
              .distinct()
              .count();
      expect(number(load.group(2)) == loads, "the run has %d loads".formatted(loads));
    }
    column(rows, 0, facts, (it) -> name -> it.rate(name, of), bands.get("throughput"));
    column(rows, 1, facts, (it) -> name -> it.latency(name, of, "p50"), bands.get("p50"));
    column(rows, 2, facts, (it) -> name -> it.latency(name, of, "p99"), bands.get("p99"));
    count(rows, 3, facts, of, "requestsFailed");
    count(rows, 4, facts, of, "requestsDropped");
  }

  private void count(
      List<MatchResult> rows, int column, List<ResultFacts> facts, String load, String field) {
    column(
        rows, column, facts, it -> name -> OptionalDouble.of(it.requests(name, load, field)), null);
  }

  /** Compares a column with the values of all runs, and its ratios, colors, bars and band. */
  private void column(
      List<MatchResult> rows,
      int column,
      List<ResultFacts> facts,
      Function<ResultFacts, Function<String, OptionalDouble>> value,
      Double band) {
    List<Double> medians = new ArrayList<>();
    List<MatchResult> cells = new ArrayList<>();
    double widest = 0;
    for (MatchResult row : rows) {
      String name = name(row);
      MatchResult cell =
          CELL.matcher(row.group(2)).results().skip(column).findFirst().orElseThrow();
      at("row " + name + ", column " + column + ": " + FirstScreen.text(cell.group()));
      List<Double> all =
          facts.stream()
              .flatMap(each -> value.apply(each).apply(name).stream().boxed())
              .sorted()
              .toList();
      String text = FirstScreen.text(cell.group(3));
      if (all.size() < facts.size() || text.equals("-")) {
        continue;
      }
      double median = (all.get((all.size() - 1) / 2) + all.get(all.size() / 2)) / 2;
      MatchResult shown = VALUE.matcher(text).results().findFirst().orElseThrow();
      expect(shows(shown.group(1), median), "the median of the runs is " + median);
      if (shown.group(2) != null) {
        expect(shows(shown.group(2), all.get(0)), "the lowest is " + all.get(0));
        expect(shows(shown.group(3), all.get(all.size() - 1)), "the highest is " + all);
      }
      medians.add(median);
      cells.add(cell);
      widest = Math.max(widest, all.get(all.size() - 1) / all.get(0) - 1);
    }
    if (band != null && medians.size() == rows.size()) {
      expect(
          Math.abs(band - widest) < 0.0051,
          "the band of column %d is %f".formatted(column, widest));
    }
    ratios(medians, cells, column, band);
  }

  private void ratios(List<Double> medians, List<MatchResult> cells, int column, Double band) {
    double most = medians.stream().mapToDouble(each -> each).max().orElse(0);
    double best = column == 0 ? most : medians.stream().mapToDouble(each -> each).min().orElse(0);
    for (int i = 0; i < cells.size(); i++) {
      MatchResult cell = cells.get(i);
      at("column " + column + ": " + FirstScreen.text(cell.group()));
      double ratio = medians.get(i) / best;
      if (cell.group(4) != null) {
        expect(shows(cell.group(4), ratio), "the ratio is " + ratio);
      }
      if (cell.group(2) != null) {
        double part = 100 * medians.get(i) / most;
        expect(Math.abs(number(cell.group(2)) - part) <= 0.5001, "the bar is " + part);
      }
      boolean isColored = cell.group(1).contains("wors");
      expect(!isColored || cell.group(4) != null, "colored, and not compared");
      expect(
          !isColored || band == null || Math.max(ratio, 1 / ratio) > 1 + band,
          "colored, although its ratio is within the A/A band");
    }
  }

  private static String name(MatchResult row) {
    return FirstScreen.text(row.group(1).replaceFirst("(?s)<small>.*", "")).replaceFirst(",.*", "");
  }

  /** Compares what a row says instead of values with the page that it links. */
  private void outcome(MatchResult row, List<String> runs) {
    String said = FirstScreen.text(row.group(2));
    at(FirstScreen.text(row.group(1)) + ": " + said);
    if (said.startsWith("a matrix")) {
      JsonNode matrix = json(runs.get(0), "matrix-result.json");
      int repeats = matrix.path("repeats").asInt();
      expect(number(FirstScreen.text(row.group(1))) == matrix.path("cells").size(), "not as many");
      expect(
          said.endsWith(repeats == 1 ? "once" : repeats + " times"), "run " + repeats + " times");
      return;
    }
    List<String> outcomes = List.of(said.split("; "));
    expect(outcomes.size() == runs.size(), "it has not one outcome for each run");
    for (int i = 0; i < Math.min(outcomes.size(), runs.size()); i++) {
      search(name(row), outcomes.get(i), new FirstScreen(read(runs.get(i), "index.html")));
    }
  }

  private void search(String name, String said, FirstScreen run) {
    String sentence =
        run.sentences().stream()
            .filter(each -> each.startsWith(name + ", "))
            .findFirst()
            .orElse("no sentence about it");
    boolean isUnknown = sentence.matches(".*: (?:no (?:result|verdict|load)|the search was).*");
    boolean isInconclusive = sentence.contains("inconclusive");
    boolean isAgreed =
        said.startsWith("inconclusive") == isInconclusive
            && said.equals("no result") == isUnknown
            && Pattern.compile("[\\d,]+(?= to | \\w+/s| clients| failed| passed)")
                .matcher(said)
                .results()
                .allMatch(each -> sentence.contains(each.group()));
    expect(isAgreed, "the page of the run says: " + sentence);
  }

  private JsonNode json(String run, String file) {
    try {
      return new ObjectMapper().readTree(read(run, file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private String read(String run, String file) {
    try {
      return Files.readString(directory.resolve(run).resolve(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
