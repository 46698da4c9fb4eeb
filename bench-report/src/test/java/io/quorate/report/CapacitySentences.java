// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.ResultFacts.number;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.report.FirstScreen.TrialMark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Sentences about searches for capacities, which are compared with their trials and marks. */
record CapacitySentences(FirstScreen page, ResultFacts facts, BiConsumer<Boolean, String> expect) {
  private static final Map<String, String> SHAPES =
      Map.of("passed", "filled", "failed", "cross", "undecided", "hollow", "invalid", "hollow");
  private static final String NUMBER = "([\\d,]+)";

  Map<String, Consumer<MatchResult>> sentences() {
    Map<String, Consumer<MatchResult>> known = new LinkedHashMap<>();
    known.put("trial \\d+: " + NUMBER + "(?:/s| clients), .*: (\\w+)(?: \\(.*\\))?", this::trial);
    known.put("(etcd|ZooKeeper|Consul)(?: [\\d.]+)?, \\d+ members?, .*?: (.*)\\.", this::outcome);
    known.put(
        "The (?:(\\d+) trials|trial) that decided about " + NUMBER + " \\S+ had a p99 of .*",
        found -> expect.accept(verdicts(number(found.group(2))).count() > 0, "no such trial"));
    known.put(
        "After \\d+ s at " + NUMBER + "/s, at " + NUMBER + "/s: .*",
        found -> expect.accept(number(found.group(1)) > number(found.group(2)), "no overload"));
    known.put(
        "(\\d+) of (\\d+) trials were invalid .*",
        found ->
            expect.accept(
                all().stream()
                        .filter(each -> each.path("verdict").asText().equals("spoiled"))
                        .count()
                    >= number(found.group(1)),
                "fewer were invalid"));
    known.put(
        "It serves " + NUMBER + " \\w+, and not " + NUMBER + ", .*",
        found -> expect.accept(number(found.group(1)) < number(found.group(2)), "not more"));
    return known;
  }

  private List<JsonNode> all() {
    return facts.databases().stream()
        .flatMap(each -> ResultFacts.list(each.path("capacity")).stream())
        .flatMap(each -> ResultFacts.list(each.path("trials")).stream())
        .toList();
  }

  private java.util.stream.Stream<String> verdicts(double load) {
    return all().stream()
        .filter(each -> each.path("load").asDouble() == load)
        .map(each -> each.path("verdict").asText());
  }

  private void trial(MatchResult found) {
    String shape = SHAPES.get(found.group(2));
    expect.accept(
        page.trials().stream()
            .flatMap(List::stream)
            .anyMatch(mark -> mark.title().equals(found.group()) && mark.shape().equals(shape)),
        "no mark of the picture is the one of this trial");
    for (List<TrialMark> strip : page.trials()) {
      for (TrialMark one : strip) {
        for (TrialMark other : strip) {
          expect.accept(
              load(one) > load(other) == one.place() > other.place() + 0.001
                  || Math.abs(one.place() - other.place()) < 0.2,
              "marks of the picture are not in the order of the loads");
        }
      }
    }
  }

  private static double load(TrialMark mark) {
    return number(mark.title().replaceFirst("trial \\d+: ", ""));
  }

  private void outcome(MatchResult found) {
    String text = found.group(2);
    List<JsonNode> trials =
        facts.searches(found.group(1)).stream()
            .flatMap(search -> ResultFacts.list(search.path("trials")).stream())
            .toList();
    each(NUMBER + "(?: writes/s)? passed", text, load -> has(trials, load, "pass", true));
    each(NUMBER + "(?: writes/s)? was undecided", text, load -> has(trials, load, "pass", false));
    each(
        NUMBER + "(?: writes/s)? was undecided",
        text,
        load -> has(trials, load, "undecided", true));
    each(NUMBER + "(?: writes/s)? failed", text, load -> has(trials, load, "fail", true));
    each(
        "(?:^| )" + NUMBER + " writes/s within .* \\(held",
        text,
        load -> has(trials, load, "pass", true));
    Pattern.compile(NUMBER + "(?: \\w+/s within [^(]*\\()? ?(?:held|failed) (\\d+) of (\\d+)")
        .matcher(text)
        .results()
        .forEach(
            each -> expect.accept(number(each.group(2)) <= number(each.group(3)), "more than all"));
    Pattern.compile("between " + NUMBER + " and " + NUMBER)
        .matcher(text)
        .results()
        .forEach(
            each -> {
              double low = number(each.group(1));
              double high = number(each.group(2));
              expect.accept(low < high, "an empty range");
              has(trials, low, "pass", true);
              has(trials, high, "pass", false);
            });
    each("even " + NUMBER, text, load -> has(trials, load, "pass", false));
  }

  private void each(String pattern, String text, Consumer<Double> check) {
    Pattern.compile(pattern)
        .matcher(text)
        .results()
        .forEach(it -> check.accept(number(it.group(1))));
  }

  private void has(List<JsonNode> trials, double load, String verdict, boolean expected) {
    boolean found =
        trials.stream()
            .anyMatch(
                each ->
                    each.path("load").asDouble() == load
                        && each.path("verdict").asText().equals(verdict));
    expect.accept(found == expected, "a trial at %s: %s is %s".formatted(load, verdict, found));
  }
}
