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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the title, the sentences, the table and the intervals of the page of a comparison with
 * the values of {@code comparison.json}.
 */
public final class ComparisonSentences extends SentenceCheck {
  private static final Map<String, String> STATES = Map.of("better", "good", "worse", "bad");
  private static final String MEDIANS =
      "(\\S+) \\(medians (.*?) and (.*?)(?:, with 95% confidence .*?)?\\): .*";

  /** A row of the table, with all that it shows. */
  private record Row(
      String group,
      String state,
      String metric,
      String baseline,
      String candidate,
      String change,
      String picture,
      String verdict) {}

  private final JsonNode result;
  private final List<JsonNode> changes;
  private final List<Row> rows = new ArrayList<>();

  /** Returns all contradictions of the page and the values in a directory. */
  public static List<String> problems(Path directory) throws IOException {
    return problems(
        Files.readString(directory.resolve("index.html")),
        Files.readString(directory.resolve("comparison.json")));
  }

  /** Returns all contradictions of a page and its values. */
  public static List<String> problems(String page, String result) throws IOException {
    return new ComparisonSentences(new FirstScreen(page), new ObjectMapper().readTree(result))
        .problems();
  }

  private ComparisonSentences(FirstScreen page, JsonNode result) {
    super(page);
    this.result = result;
    this.changes = ResultFacts.list(result.path("changes"));
    for (MatchResult group :
        page.parts("<tbody>\\s*<tr class=\"group\"><th[^>]*>(.*?)</th>(.*?)</tbody>")) {
      Pattern.compile(
              "(?s)<tr(?: class=\"(\\w+)\")?><th scope=\"row\">(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td>(.*?)</td><td class=\"strip\">(.*?)</td>.*?<td class=\"text\">(.*?)</td></tr>")
          .matcher(group.group(2))
          .results()
          .forEach(
              it ->
                  rows.add(
                      new Row(
                          FirstScreen.text(group.group(1)),
                          it.group(1) == null ? "" : it.group(1),
                          FirstScreen.text(it.group(2)),
                          it.group(3),
                          it.group(4),
                          FirstScreen.text(it.group(5)),
                          it.group(6),
                          FirstScreen.text(it.group(7)))));
    }
    know(
        "(.*): (\\d+) runs?, then (\\d+) runs?",
        found -> runs(found.group(1), number(found.group(2)), number(found.group(3))));
    know(
        "(?:(.*): )?(\\d+) runs? in the baseline and (\\d+) runs? in the candidate: .*",
        found -> runs(found.group(1), number(found.group(2)), number(found.group(3))));
    know("gate (passed|FAILED|INCONCLUSIVE): (.*): ([^:]*): (.*)", this::gate);
    Stream.of(
            "An interval and a gate need \\d+ of each\\.|Repeat them with: .*",
            "Picture: .*|Values are medians over runs; .*|Small numbers: ratio to the better side\\.",
            "Change: Hodges-Lehmann estimate over runs\\.|A change is colored if .*|The A/A band decides nothing\\.",
            "Not compared: .*",
            "(?:.*: )?(?:the throughput of the runs of one side varies|The throughput of the runs of one side varies|other processes used|Other processes used).*",
            "More runs, longer runs or a quieter machine give narrower intervals\\.|Stop them, and repeat these runs: .*",
            "(?:.*: )?[Aa]ll runs of one side were before those of the other, .*|To exclude this, .*|'--ignore=order' lets .*",
            "(?:.*: )?[Tt]he first run, .*|Leave it out if .*",
            "Left out: .*",
            "(?:.*: )?[Tt]hese pairs were repeated until .*|Only the gate's results allow for that: .*",
            "By second\\.|Of the requests that ended in each interval\\.|By the number of keys written\\.",
            "(?:Latency|Response time) by percentile \\(ms, logarithmic on both axes\\).*|Means of each step; .*|99% of the requests of each step took less\\.",
            "The run with the median throughput of each side\\.")
        .forEach(this::explains);
  }

  /** Compares the numbers of runs with the values in each row of a database. */
  private void runs(String name, double before, double after) {
    // of other conditions, not all runs have all rows
    boolean isExact = result.path("differences").isEmpty();
    expect(
        changes.stream()
            .filter(each -> name == null || each.path("database").asText().equals(name))
            .filter(each -> each.path("metric").asText().equals("throughput"))
            .anyMatch(
                each ->
                    isExact
                        ? each.path("baseline").size() == before
                            && each.path("candidate").size() == after
                        : each.path("baseline").size() <= before
                            && each.path("candidate").size() <= after),
        "comparison.json has other numbers of runs");
  }

  private void gate(MatchResult found) {
    long outcomes =
        ResultFacts.list(result.path("gate")).stream()
            .filter(each -> each.path("outcome").asText().equalsIgnoreCase(found.group(1)))
            .count();
    expect(outcomes > 0, "comparison.json has no such outcome");
    MatchResult medians =
        Pattern.compile(MEDIANS).matcher(found.group(4)).results().findFirst().orElse(null);
    expect(
        medians == null
            || rows.stream()
                .anyMatch(
                    row ->
                        row.change.equals(medians.group(1))
                            && shown(row.baseline).equals(medians.group(2))
                            && shown(row.candidate).equals(medians.group(3))),
        "no row of the table has these values");
    boolean isFailed = found.group(1).equals("FAILED");
    MatchResult rule =
        Pattern.compile("(>=|<=) ([-+][\\d.]+)%$")
            .matcher(found.group(2))
            .results()
            .findFirst()
            .orElse(null);
    if (medians != null && rule != null && medians.group(1).endsWith("%")) {
      double change = Double.parseDouble(medians.group(1).replaceAll("[%>]", ""));
      double limit = Double.parseDouble(rule.group(2));
      boolean isBroken = rule.group(1).equals(">=") ? change < limit : change > limit;
      expect(!isFailed || isBroken, "the change is within the limit");
      expect(isBroken == isFailed || !found.group(1).equals("passed") || !isBroken, "it is beyond");
    }
  }

  @Override
  void values() {
    at("the table");
    expect(
        rows.size() == changes.size(),
        "it has %d of %d rows".formatted(rows.size(), changes.size()));
    rows.forEach(this::row);
    at(FirstScreen.text(page.parts("<h1>(.*?)</h1>").get(0).group(1)));
    Map<String, Long> verdicts = new TreeMap<>();
    rows.stream()
        .filter(row -> !row.verdict.equals("-"))
        .forEach(
            row ->
                verdicts.merge(
                    row.verdict.replaceFirst("(:| within | \\().*|; .*", ""), 1L, Long::sum));
    Map<String, Long> counts = new TreeMap<>();
    page
        .parts(
            "(?<=[ >])(\\d+) (slower|faster|same|more|less|fewer|worse|better|longer|shorter|lower|higher|too close to call|too few runs|not compared|not measured)(?=[,<( ])")
        .stream()
        .filter(each -> each.start() < page.parts("</h1>").get(0).start())
        .forEach(each -> counts.put(each.group(2), Long.parseLong(each.group(1))));
    expect(
        page.parts("<section aria-labelledby=\"candidate-").size() > 1 || counts.equals(verdicts),
        "the table has " + verdicts + ", the title " + counts);
  }

  private static String shown(String cell) {
    return FirstScreen.text(cell.replaceAll("<small.*?</small>", ""));
  }

  private void row(Row row) {
    at(row.toString().replaceAll("<.*?>", ""));
    String id =
        row.metric
            .replaceFirst(" per (request|million)$", "")
            .replace(' ', '-')
            .toLowerCase(Locale.ROOT);
    List<JsonNode> found =
        changes.stream()
            .filter(
                each ->
                    each.path("metric")
                        .asText()
                        .replace("generator", "load-generator")
                        .replace("load-load", "load")
                        .replace("disk-written", "disk-writes")
                        .equals(id))
            .filter(each -> isShown(row.baseline, each.path("baseline")))
            .filter(each -> isShown(row.candidate, each.path("candidate")))
            .toList();
    expect(!found.isEmpty(), "comparison.json has no such values");
    if (!found.isEmpty()) {
      JsonNode change = found.get(0);
      String verdict = change.path("verdict").asText();
      String state = row.verdict.equals("-") ? "" : STATES.getOrDefault(verdict, "");
      expect(row.state.equals(state), "its color, for " + verdict);
      boolean isCompared = !verdict.startsWith("not-");
      expect(isCompared || row.picture.isBlank(), "it has a picture, and is not compared");
      expect(
          isCompared || !(row.baseline + row.candidate).contains("ratio"),
          "it has a ratio, and is not compared");
      double before = median(change.path("baseline"));
      double after = median(change.path("candidate"));
      if (row.change.matches("[-+]?[\\d.]+%")) {
        double expected =
            change.has("change") ? change.path("change").asDouble() : after / before - 1;
        expect(
            shows(row.change.replaceAll("[-+%]", ""), 100 * Math.abs(expected)),
            "the change is " + expected);
        expect(!row.change.startsWith(expected > 0 ? "-" : "+"), "the direction");
      }
      picture(row);
    }
  }

  private void picture(Row row) {
    Pattern.compile(
            "<line x1=\"([\\d.]+)%\" x2=\"[\\d.]+%\" y1=\"0\" y2=\"18\" stroke=\"currentColor\" stroke-opacity=\".6\"/><line x1=\"([\\d.]+)%\" x2=\"([\\d.]+)%\" [^>]*><circle cx=\"([\\d.]+)%\"")
        .matcher(row.picture)
        .results()
        .forEach(
            it -> {
              double zero = Double.parseDouble(it.group(1));
              double low = Double.parseDouble(it.group(2));
              double high = Double.parseDouble(it.group(3));
              double dot = Double.parseDouble(it.group(4));
              expect(low <= dot && dot <= high, "the dot is outside of its interval");
              expect(!row.change.startsWith("+") || dot >= zero, "the dot is left of no change");
              expect(!row.change.startsWith("-") || dot <= zero, "the dot is right of no change");
            });
  }

  private static boolean isShown(String cell, JsonNode values) {
    String text = shown(cell).replace("> ", "");
    return values.isEmpty() || values.isMissingNode()
        ? text.equals("-")
        : !text.equals("-") && shows(text.replaceFirst("[^\\d.,].*", ""), median(values));
  }

  private static double median(JsonNode values) {
    List<Double> sorted =
        ResultFacts.list(values).stream().map(JsonNode::asDouble).sorted().toList();
    int last = sorted.size() - 1;
    return last < 0 ? Double.NaN : (sorted.get(last / 2) + sorted.get(last - last / 2)) / 2;
  }
}
