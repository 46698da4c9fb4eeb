// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.ResultFacts.number;
import static io.quorate.report.ResultFacts.shows;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.report.FirstScreen.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Compares the sentences, the first table and the marks of the page of a run with the values of
 * result.json.
 */
final class RunSentences extends SentenceCheck {
  private static final String NAME = "((?:etcd|ZooKeeper|Consul)(?: [0-9][\\w.]*)?)";
  private static final String RATE = NAME + " \\(([\\d.,]+)/s\\)";
  private static final String RATES = "((?:" + RATE + "(?:, | and )?)+)";
  private static final String LOAD = "([\\d,]+ clients?|[\\d,]+/s)";

  /** A value has to be so much better than another one to be called better. */
  private static final double TIE = 1.1;

  private static final double HELD = 0.95;

  /** Marks of values, by the reasons that sentences name. */
  private static final Map<String, String> MARKS =
      Map.of(
          "the load generator's delay exceeds a tenth of the latency", "*",
          "other processes or the load generator's delay took too much of the time", "\u2021",
          "the load generator's code was not warm", "\u00a7",
          "the load generator sent requests late", "\u2020");

  /** Sentences that only explain how to read a page or what a run is. */
  private static final List<String> EXPLANATIONS =
      List.of(
          "(?:[\\d.,% a-z-]+, )*[\\d,]+-byte keys(?:, [\\d,]+-byte values)?, .*",
          "Small numbers: ratio to the best value\\.",
          "★: ahead of all others by more than 10%, without a failed or dropped request; for CPU, also not behind in throughput\\.",
          "Server CPU: mean of the members, 100% is one core\\.",
          "Per successful request\\.",
          "Write amplification: bytes written to disks by the bytes of acknowledged values\\.",
          "Member traffic: what members sent to each other, as they count it; a dash if they do not\\.",
          "Memory per key: mean resident memory of a server after the load, by all keys; .*",
          "Traffic across zones: what members and clients sent to other zones, .*",
          "Price: that of the time of a million successful requests .*",
          "(?:The numbers of (?:requests|clients) differ|A percentile of a handful of requests is not compared).*",
          "The rate (?:was given|of an operation follows from the mix)(?: \\(.*\\))?\\.",
          "Watchers did not get all events \\(.*\\)\\.",
          "Everything below except the capacity plots describes the initial closed-loop probe before the search\\.",
          "Trials sent requests on schedule regardless of earlier responses: response times start at the scheduled send time\\.",
          "The table shows the probe, which only determines the first load of the search\\.",
          "(?:It|Each database|The capacity|The capacity of each database) was (?:measured|searched) once: .*",
          "Closed loop: each client waits for a response .*",
          "Open loop: requests are sent on schedule regardless of earlier responses\\.",
          "Response times start at the scheduled time and include any delay before sending\\.",
          "The servers of .* and the load generator shared one machine with \\d+ cores: .*",
          "Only the addresses of these servers are known .*",
          "Other processes used part of the load generator's CPUs \\(.*\\)\\.",
          "The run lacks these databases of the scenario: .*",
          "Any client: no client had an acknowledged write; .*",
          "(?:Dots|Outline|Connections|Sessions alive|Ended early|Ended late by|Two lock holders|Events lost|Latest event|Early|Setup): .*",
          "Watch latency: from a put's scheduled send time until .*",
          "(?:Latency|Response time|Watch latency) by percentile \\(ms, logarithmic on both axes\\).*",
          "Response time \\(ms, logarithmic axis\\): p99 with its 95% confidence interval, .*",
          "(?:Means of each step; bars go from|99% of the requests of each step took less|By second|Of the requests that ended|Requests by end time|In intervals of|Point at a plot|With the keyboard|The address of the page|Lines are means|By the number of keys|Pale|Dashed|Hollow).*",
          "Bottleneck: .*",
          "It serves at least [\\d,]+ \\w+, each with one request in .*",
          "\\d+ trials?, \\d+ (?:s|min)\\.",
          "Pauses of the database that are rarer than one in [\\d,]+ s may be missed, .*",
          "(?:No snapshot was seen in the trials (?:that held|at that load)|In \\d+ of the \\d+ trials that decided about it no snapshot was seen|Whether a snapshot fell into its trials is not known).*",
          "The trials that decided had up to [\\d,]+ requests, and differ too much to be accurate to \\d+%\\.",
          "A quick search, accurate to 10%\\.");

  private final ResultFacts facts;
  private final Map<String, String> busy = new LinkedHashMap<>();

  RunSentences(FirstScreen page, JsonNode result) {
    super(page);
    this.facts = new ResultFacts(result);
    throughput();
    wholeRun();
    limitations();
    new OutageSentences(page, this::expect).sentences().forEach(this::know);
    new CapacitySentences(page, facts, this::expect).sentences().forEach(this::know);
    EXPLANATIONS.forEach(this::explains);
  }

  private void throughput() {
    know(
        "(?:With " + LOAD + " )?" + RATES + " are not compared: (.*)\\.",
        found -> {
          String load = load(found.group(1));
          inOrder(rates(found.group(2), load));
          String mark = MARKS.getOrDefault(found.group(5), "");
          List<Cell> cells = cells(load, "throughput /s");
          expect(
              cells.stream().allMatch(cell -> cell.ratio().isEmpty() && !cell.best()),
              "the table compares them");
          expect(
              mark.isEmpty() || cells.stream().anyMatch(cell -> cell.marks().contains(mark)),
              "no value has the mark " + mark);
        });
    know(
        "In this one run(?: with "
            + LOAD
            + ")?, "
            + RATE
            + " (completed the most requests|took the most locks)(?:; (.*))?\\.",
        found -> {
          String load = load(found.group(1));
          List<Double> all = rates(found.group(2) + " (" + found.group(3) + "/s)", load);
          for (JsonNode other : facts.databases()) {
            String name = name(other);
            OptionalDouble rate = facts.rate(name, load);
            expect(
                name.equals(found.group(2))
                    || !"complete".equals(other.path("status").asText())
                    || rate.isEmpty()
                    || all.get(0) > TIE * rate.getAsDouble() * 0.999,
                name + " is not slower by more than a tie");
          }
          rows(load)
              .forEach(
                  (name, row) ->
                      expect(
                          !cell(row, "throughput /s").best()
                              || name.replaceFirst(",.*", "").equals(found.group(2)),
                          "the star is at " + name));
        });
    know(
        "Highest throughput: (.*)\\.",
        found -> {
          List<Double> rates = new ArrayList<>();
          Pattern.compile(NAME + ",? ([\\d.,]+)/s with ([\\d,]+)")
              .matcher(found.group(1))
              .results()
              .forEach(
                  each -> {
                    rates.addAll(rates(each.group(1) + " (" + each.group(2) + "/s)", ""));
                    expect(
                        !facts.steps(each.group(1), each.group(3) + " clients").isEmpty()
                            || !facts.steps(each.group(1), each.group(3) + "/s").isEmpty(),
                        each.group(1) + " had another load");
                  });
          inOrder(rates);
          expect(!page.hasStar(), "there is a star");
        });
    know(
        "Unequal loads: this compares them, not the databases\\.",
        any -> expect(!page.hasStar(), "there is a star"));
    know(
        "In this one run(?: with "
            + LOAD
            + ")?, "
            + RATES
            + " are within 10% of each other: too close to call.*",
        found -> {
          List<Double> all = rates(found.group(2), load(found.group(1)));
          inOrder(all);
          expect(all.get(0) <= TIE * all.get(all.size() - 1) * 1.001, "they differ by more");
          expect(
              cells(load(found.group(1)), "throughput /s").stream().noneMatch(Cell::best),
              "the table has a star");
        });
    know(
        "(?:With " + LOAD + " )?" + NAME + " completed ([\\d.,]+) requests/s\\.",
        found -> rates(found.group(2) + " (" + found.group(3) + "/s)", load(found.group(1))));
    know(
        "Offered " + LOAD + "; (?:succeeded: ([^;]*))?(?:; )?(.* not judged: .*)?\\.",
        found -> {
          if (found.group(2) != null) {
            missed(found.group(2), found.group(1));
          }
          if (found.group(3) != null) {
            for (String part : found.group(3).split("; ")) {
              notJudged(part, found.group(1));
            }
          }
        });
    know(
        "At " + LOAD + " (.*)\\.",
        found -> {
          for (String part : found.group(2).split("; ")) {
            if (part.startsWith("succeeded: ")) {
              missed(part.substring("succeeded: ".length()), found.group(1));
            } else if (part.contains(" not judged: ")) {
              notJudged(part, found.group(1));
            } else {
              Pattern.compile(NAME)
                  .matcher(part)
                  .results()
                  .forEach(
                      name ->
                          expect(
                              facts.rate(name.group(1), found.group(1)).orElse(0)
                                  >= HELD * number(found.group(1)),
                              name.group(1) + " did not complete the rate"));
            }
          }
        });
  }

  private void notJudged(String part, String load) {
    String mark = MARKS.getOrDefault(part.replaceFirst(".* not judged: ", ""), "\u00b6");
    Pattern.compile(NAME)
        .matcher(part.replaceFirst(" not judged: .*", ""))
        .results()
        .forEach(
            name ->
                expect(
                    rows(load).entrySet().stream()
                        .filter(row -> row.getKey().startsWith(name.group(1)))
                        .allMatch(
                            row -> cell(row.getValue(), "throughput /s").marks().contains(mark)),
                    name.group(1) + " has no mark " + mark));
  }

  private void missed(String list, String load) {
    Pattern.compile(NAME + " ([\\d.,]+)/s( \\(the load generator was late\\))?")
        .matcher(list)
        .results()
        .forEach(
            each -> {
              rates(each.group(1) + " (" + each.group(2) + "/s)", load);
              expect(number(each.group(2)) < number(load), "it completed the rate");
              expect(
                  each.group(3) == null
                      || rows(load).entrySet().stream()
                          .filter(row -> row.getKey().startsWith(each.group(1)))
                          .allMatch(
                              row -> cell(row.getValue(), "throughput /s").marks().contains("†")),
                  "no mark says that it was late");
            });
  }

  private void wholeRun() {
    know(
        "Do not use this run: .*",
        any -> expect(!page.hasRatio() && !page.hasStar(), "the page compares values"));
    know("No verdict: .*|No verdict yet: .*", any -> expect(!page.hasStar(), "there is a star"));
    know(
        "Not all requests succeeded: (.*)\\.",
        found -> {
          for (String part : found.group(1).split("; ")) {
            String name = part.replaceFirst(" \\(.*", "");
            count("([\\d,]+) failed", part, facts.requests(name, "", "requestsFailed"));
            count(
                "([\\d,]+) (?:were |was )?dropped",
                part,
                facts.requests(name, "", "requestsDropped"));
            count("of ([\\d,]+)\\)", part, facts.requests(name, "", "requestsIntended"));
          }
        });
    know(
        "((?:" + NAME + " broke \\d+ of \\d+ (?:limits|thresholds)(?:; )?)+)\\.",
        found ->
            Pattern.compile(NAME + " broke (\\d+) of (\\d+)")
                .matcher(found.group(1))
                .results()
                .forEach(
                    each -> {
                      List<JsonNode> all =
                          ResultFacts.list(facts.database(each.group(1)).path("thresholds"));
                      long broken =
                          all.stream()
                              .filter(it -> !it.path("kept").asBoolean(true))
                              .filter(it -> !it.has("disturbance"))
                              .count();
                      expect(all.size() == number(each.group(3)), "it has " + all.size());
                      expect(broken == number(each.group(2)), "it broke " + broken);
                    }));
    know(
        "Watches did not report each change: (.*)\\.",
        found ->
            Pattern.compile(
                    NAME
                        + " reported ([\\d,]+) of ([\\d,]+) changes \\(([\\d,]+) merged, ([\\d,]+) lost\\)")
                .matcher(found.group(1))
                .results()
                .forEach(
                    each -> {
                      expect(number(each.group(2)) < number(each.group(3)), "nothing is missing");
                      watched(each.group(1), "eventsDelivered", each.group(2));
                      watched(each.group(1), "eventsExpected", each.group(3));
                      watched(each.group(1), "eventsCoalesced", each.group(4));
                      watched(each.group(1), "eventsLost", each.group(5));
                    }));
    know(
        "(Watch latency until the last watcher(?:, with [\\d,]+ watchers)?): .*",
        this::watchLatency);
    know("Sessions of dead clients ended later than their TTL by: .*", any -> {});
    know(
        NAME
            + ": (?:(?:; )?(?:fault|maintenance) \\d+, [a-z-]+(?: \\d+s)?)+: no effect: expected"
            + " that .*\\.",
        any -> {});
    know(NAME + ": watches reported [\\d,]+ events twice, and [\\d,]+ out of order, .*", any -> {});
    know(NAME + ": the database ended [\\d,]+ sessions? within the TTL after .*", any -> {});
  }

  private void watchLatency(MatchResult found) {
    Map<String, Map<String, Cell>> rows =
        page.overview().getOrDefault(found.group(1).replaceFirst("Watch", "watch"), Map.of());
    Pattern.compile(NAME + " p50 ([\\d.,]+) ms, p99 ([\\d.,]+) ms")
        .matcher(found.group())
        .results()
        .forEach(
            each -> {
              Map<String, Cell> row = rows.getOrDefault(each.group(1), Map.of());
              expect(near(each.group(2), cell(row, "p50 ms")), "p50 of the table differs");
              expect(near(each.group(3), cell(row, "p99 ms")), "p99 of the table differs");
            });
  }

  private static boolean near(String value, Cell cell) {
    return Math.abs(number(value) / number(cell.value()) - 1) < 0.01;
  }

  private void watched(String name, String column, String text) {
    double all =
        facts.steps(name, "").stream()
            .mapToDouble(step -> step.path("watch").path(column).asDouble())
            .sum();
    expect(shows(text, all), column + " of " + name + " is " + all);
  }

  private void limitations() {
    String host =
        "the (?:load generator's host|CPU of the load generator's machine) was (\\d+%) busy (?:with|at) ";
    know(
        NAME + ": " + host + "([\\d,]+)(?: clients?| requests a second|/s)\\b.*",
        found -> {
          String of = found.group(1) + " with " + found.group(3);
          String other = busy.putIfAbsent(of, found.group(2));
          expect(other == null || other.equals(found.group(2)), "another sentence says " + other);
        });
    know(
        NAME + ": no request succeeded for ([\\d.,]+) s \\((?:with|at) " + LOAD + "\\)(.*)",
        found -> {
          double longest =
              facts.steps(found.group(1), found.group(3)).stream()
                  .mapToDouble(step -> step.path("longestSecondsWithoutSuccess").asDouble())
                  .max()
                  .orElse(0);
          expect(number(found.group(2)) <= longest + 0.06, "the longest time was " + longest);
        });
    know(NAME + ": no request that was sent in .* succeeded .*", any -> {});
    know(
        "Databases got different (numbers of clients|rates of requests|numbers of requests) \\((.*)\\)\\.",
        found -> {
          expect(!starInThroughput(), "the table has a star");
          for (String part : found.group(2).split("; ")) {
            String[] of = part.split(": ", 2);
            for (String name : of[0].split(", | and ")) {
              List<JsonNode> steps = facts.steps(name, "");
              String last = of[1].replaceFirst(".* and ", "");
              if (found.group(1).equals("numbers of clients")) {
                expect(
                    steps.get(steps.size() - 1).path("load").path("clients").asDouble()
                        == number(last),
                    name + " had another number");
              }
            }
          }
        });
    know(
        "Reads have different guarantees: .*",
        any -> expect(!starInThroughput(), "the table has a star"));
    know(
        "Requests were measured for less than a minute \\((.*)\\): .*",
        found ->
            Pattern.compile(NAME + " for ([\\d.]+) s")
                .matcher(found.group(1))
                .results()
                .forEach(
                    each -> {
                      double seconds =
                          facts
                              .database(each.group(1))
                              .path("figures")
                              .path("totalSeconds")
                              .asDouble();
                      expect(seconds < 60 && shows(each.group(2), seconds), "it was " + seconds);
                    }));
    know(
        NAME
            + ": (?:complete|running|interrupted|ended early|failed|it ).*, so it is not compared\\.",
        any -> {});
    // the causes, below the fold of the first screen: only what they share with it is compared
    know(
        "(?s).*\\b(?:stalls?|busy|took|waited|fsync|explain|response|snapshot|CPUs?|latency)\\b.*",
        any -> {});
    know(
        "Give it a separate machine, or a load that it can send\\.|See the section on faults\\.",
        any -> {});
  }

  private boolean starInThroughput() {
    return page.overview().values().stream()
        .flatMap(group -> group.values().stream())
        .anyMatch(row -> cell(row, "throughput /s").best());
  }

  /** Compares the first table with result.json, and its ratios and stars with its values. */
  @Override
  void values() {
    page.overview()
        .forEach(
            (title, rows) -> {
              boolean all = title.isEmpty() || title.equals("all requests");
              boolean step = title.matches(LOAD);
              rows.forEach(
                  (row, cells) -> {
                    String name = row.replaceFirst(" ?,.*", "");
                    String load = all ? "" : title;
                    at("table, " + title + ", " + row);
                    if (all || step) {
                      shown(cells, "throughput /s", facts.rate(name, load));
                      shown(cells, "p50 ms", facts.latency(name, load, "p50"));
                      shown(cells, "p99 ms", facts.latency(name, load, "p99"));
                      shown(
                          cells,
                          "errors",
                          OptionalDouble.of(facts.requests(name, load, "requestsFailed")));
                      shown(
                          cells,
                          "dropped",
                          OptionalDouble.of(facts.requests(name, load, "requestsDropped")));
                    }
                  });
              for (String column : List.of("throughput /s", "p50 ms", "p99 ms")) {
                at("table, " + title + ", " + column);
                ratios(rows, column);
              }
            });
  }

  private void ratios(Map<String, Map<String, Cell>> rows, String column) {
    List<Cell> cells = rows.values().stream().map(row -> cell(row, column)).toList();
    List<Double> values =
        cells.stream().filter(c -> !c.value().equals("-")).map(c -> number(c.value())).toList();
    Comparator<Double> better =
        column.startsWith("throughput") ? Comparator.reverseOrder() : Comparator.naturalOrder();
    List<Double> sorted = values.stream().sorted(better).toList();
    for (Cell cell : cells) {
      if (!cell.ratio().isEmpty()) {
        double ratio = number(cell.value()) / sorted.get(0);
        double digits = 0.006 + 2 / number(cell.value().replace(".", ""));
        expect(Math.abs(number(cell.ratio()) / ratio - 1) < digits, "the ratio is " + ratio);
      }
      if (cell.best()) {
        double second = sorted.size() > 1 ? sorted.get(1) : Double.NaN;
        double times = Math.max(second, sorted.get(0)) / Math.min(second, sorted.get(0));
        expect(number(cell.value()) == sorted.get(0) && times > 0.99 * TIE, "star without a lead");
        expect(cell.marks().isEmpty(), "star at a marked value");
        expect(
            rows.keySet().stream().map(row -> row.replaceFirst("^[^,]*", "")).distinct().count()
                == 1,
            "star among unequal loads");
      }
    }
  }

  private void shown(Map<String, Cell> row, String column, OptionalDouble value) {
    Cell cell = row.getOrDefault(column, new Cell("-", "", "", false));
    expect(
        cell.value().equals("-") || value.isPresent() && shows(cell.value(), value.getAsDouble()),
        column + " is " + cell.value() + ", result.json has " + value);
  }

  private List<Double> rates(String list, String load) {
    List<Double> rates = new ArrayList<>();
    Pattern.compile(RATE)
        .matcher(list)
        .results()
        .forEach(
            each -> {
              double rate = facts.rate(each.group(1), load).orElse(Double.NaN);
              expect(shows(each.group(2), rate), each.group(1) + " completed " + rate + "/s");
              rates.add(rate);
            });
    expect(!rates.isEmpty(), "no rates");
    return rates;
  }

  private void inOrder(List<Double> rates) {
    expect(
        rates.stream().sorted(Comparator.reverseOrder()).toList().equals(rates),
        "the highest is not the first");
  }

  private Map<String, Map<String, Cell>> rows(String load) {
    Map<String, Map<String, Map<String, Cell>>> groups = page.overview();
    return groups.getOrDefault(
        load, groups.getOrDefault("", groups.getOrDefault("all requests", Map.of())));
  }

  private List<Cell> cells(String load, String column) {
    return rows(load).values().stream().map(row -> cell(row, column)).toList();
  }

  private static Cell cell(Map<String, Cell> row, String column) {
    return row.getOrDefault(column, new Cell("-", "", "", false));
  }

  private void count(String pattern, String part, long value) {
    Pattern.compile(pattern)
        .matcher(part)
        .results()
        .forEach(each -> expect(number(each.group(1)) == value, "result.json has " + value));
  }

  private String name(JsonNode database) {
    String title = database.path("id").asText().replaceFirst("@.*", "");
    String name =
        title.equals("zookeeper") ? "ZooKeeper" : title.equals("consul") ? "Consul" : title;
    return facts.databases().stream()
                .filter(each -> each.path("id").asText().startsWith(title))
                .count()
            > 1
        ? name + " " + database.path("version").asText()
        : name;
  }

  private static String load(String group) {
    return group == null ? "" : group;
  }
}
