// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static io.quorate.report.ResultFacts.number;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sentences about faults, which are compared with the table of outages and its dots. */
record OutageSentences(FirstScreen page, BiConsumer<Boolean, String> expect) {
  private static final Pattern TIME =
      Pattern.compile(
          "(> )?([\\d.,]+) (ms|s)(?: \\(([\\d.,]+)(?: (ms|s))? to (> )?([\\d.,]+)(?: (ms|s))?\\))?");

  Map<String, Consumer<MatchResult>> sentences() {
    Map<String, Consumer<MatchResult>> known = new LinkedHashMap<>();
    known.put(
        "(\\S+)( \\S+)?: (no lost write seen|a guarantee broke|[\\d,]+ acknowledged writes? lost) in ([\\d,]+) requests(.*)\\.",
        this::statement);
    known.put("(?:Longer|Shorter) than expected: .*|Usual causes?: .*", this::deviation);
    return known;
  }

  private void statement(MatchResult found) {
    String name = found.group(1);
    List<String> verified = row(page.rows("verified"), name);
    boolean isKept = found.group(3).startsWith("no lost");
    expect.accept(
        !isKept
            || verified.stream().noneMatch(cell -> cell.matches(".*\\b[1-9]\\d* (?:lost|stale).*")),
        "the table of violations has some: " + verified);
    expect.accept(
        verified.isEmpty() || !isKept || verified.get(1).contains(found.group(4)),
        "the table of violations has another number of requests: " + verified);
    Matcher stopped = Pattern.compile("writes stopped for (.*?) when ").matcher(found.group(5));
    Matcher worst = Pattern.compile("worst client for ([^;]*)").matcher(found.group(5));
    List<String> any = row(page.rows("outages"), name + ", any client");
    List<String> client = row(page.rows("outages"), name + ", worst client");
    if (stopped.find()) {
      expect.accept(!any.isEmpty() && any.get(1).equals(stopped.group(1)), "the table has " + any);
    }
    if (worst.find() && !client.isEmpty()) {
      expect.accept(client.get(1).startsWith(worst.group(1).strip()), "the table has " + client);
      expect.accept(
          seconds(client.get(1)) >= seconds(any.get(1)), "the worst client waited less than any");
    }
    dots();
  }

  /** Compares the dots of each row with its median and range. */
  private void dots() {
    List<List<String>> rows =
        page.rows("outages").stream()
            .filter(row -> row.size() > 3 && row.get(0).contains(","))
            .toList();
    List<List<Double>> dots = page.outageDots();
    for (int i = 0; i < rows.size(); i++) {
      Matcher time = TIME.matcher(rows.get(i).get(1));
      if (time.find() && !dots.get(i).isEmpty()) {
        List<Double> sorted = dots.get(i).stream().sorted().toList();
        String unit = time.group(3);
        near(
            rows.get(i),
            sorted.get((sorted.size() - 1) / 2),
            sorted.get(sorted.size() / 2),
            time.group(2),
            unit);
        if (time.group(4) != null) {
          String last = time.group(8) == null ? unit : time.group(8);
          String first = time.group(5) == null ? last : time.group(5);
          near(rows.get(i), sorted.get(0), sorted.get(0), time.group(4), first);
          double most = sorted.get(sorted.size() - 1);
          near(rows.get(i), most, most, time.group(7), last);
        }
      }
    }
  }

  private void near(List<String> row, double low, double high, String value, String unit) {
    double seconds = number(value) / (unit.equals("ms") ? 1000 : 1);
    expect.accept(
        seconds >= low * 0.97 - 0.001 && seconds <= high * 1.03 + 0.001,
        "a dot of %s is at %s to %s s".formatted(row, low, high));
  }

  private void deviation(MatchResult found) {
    Pattern.compile(" (> )?([\\d.,]+ m?s) instead of ([\\d.]+)(?: (m?s))? to ([\\d.]+) (m?s)")
        .matcher(found.group())
        .results()
        .forEach(
            each -> {
              double least =
                  number(each.group(3))
                      / ("ms".equals(each.group(4) == null ? each.group(6) : each.group(4))
                          ? 1000
                          : 1);
              double most = number(each.group(5)) / (each.group(6).equals("ms") ? 1000 : 1);
              boolean longer = found.group().startsWith("Longer");
              expect.accept(
                  longer ? seconds(each.group(2)) > most : seconds(each.group(2)) < least,
                  "it is not");
            });
  }

  private static double seconds(String text) {
    Matcher time = TIME.matcher(text);
    return time.find() ? number(time.group(2)) / (time.group(3).equals("ms") ? 1000 : 1) : 0;
  }

  private static List<String> row(List<List<String>> rows, String name) {
    return rows.stream()
        .filter(
            row -> !row.isEmpty() && (row.get(0).equals(name) || row.get(0).startsWith(name + " ")))
        .findFirst()
        .orElse(List.of());
  }
}
