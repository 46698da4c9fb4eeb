// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sentences, tables and marks of a finished page, as its HTML has them. */
final class FirstScreen {
  /** A cell of the first table: its text without marks, its marks, ratio and star. */
  record Cell(String value, String marks, String ratio, boolean best) {}

  /** A mark of a trial: filled, hollow or a cross, at a percentage of the width. */
  record TrialMark(double place, String shape, String title) {}

  private static final Pattern ENDS = Pattern.compile("(?<=[^0-9 ]\\.) +(?=[A-Za-z])");
  private static final List<String> PLACES =
      List.of("verdict(?: broken)?", "limitation", "legend", "caption", "lost", "parameters");

  private final String body;

  FirstScreen(String html) {
    String shown = html.substring(html.indexOf("<body>"));
    body =
        shown
            .replaceAll("(?s)<(style|script)\\b.*?</\\1>", "")
            .replaceAll("(?s)<details class=\"fold\".*?</details>\\s*(?=<details|</main|\n)", "");
  }

  /** Returns all sentences before the folds, each once, in their order. */
  List<String> sentences() {
    List<String> found = new ArrayList<>();
    for (String place : PLACES) {
      matches("(?s)<p class=\"" + place + "\"[^>]*>(.*?)</p>", body)
          .forEach(each -> found.addAll(split(text(each.group(1)))));
    }
    Stream.of("caveats", "capacity")
        .flatMap(id -> section(id).stream())
        .flatMap(section -> matches("(?s)<li>(.*?)</li>", section))
        .forEach(each -> found.addAll(split(text(each.group(1)))));
    Stream.of(
            "<ul class=\"gate\">.*?</ul>",
            "<ul class=\"findings\">.*?</ul>",
            "<details open>.*?</details>")
        .flatMap(place -> matches("(?s)" + place, body))
        .flatMap(place -> matches("(?s)<li[^>]*>(.*?)</li>", place.group()))
        .forEach(each -> found.addAll(split(text(each.group(1)))));
    section("doctor").stream()
        .flatMap(section -> matches("(?s)<(?:p|li)>(.*?)</(?:p|li)>", section))
        .forEach(each -> found.addAll(split(text(each.group(1)))));
    return found.stream().distinct().toList();
  }

  private static List<String> split(String text) {
    return Arrays.stream(ENDS.split(text)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  /** Returns the rows of the first table: cells by column, by database, by title of the group. */
  Map<String, Map<String, Map<String, Cell>>> overview() {
    Map<String, Map<String, Map<String, Cell>>> groups = new LinkedHashMap<>();
    String table = section("overview").orElse("");
    List<String> columns =
        matches("<th scope=\"col\">(.*?)</th>", table).map(each -> text(each.group(1))).toList();
    for (MatchResult group : matches("(?s)<tbody.*?</tbody>", table).toList()) {
      String title =
          first("<th scope=\"rowgroup\"[^>]*>(.*?)</th>", group.group())
              .map(FirstScreen::text)
              .orElse("");
      Map<String, Map<String, Cell>> rows = new LinkedHashMap<>();
      matches("(?s)<tr><th scope=\"row\".*?>(.*?)</th>(.*?)</tr>", group.group())
          .forEach(row -> rows.put(text(row.group(1)), cells(columns, row.group(2))));
      groups.put(title, rows);
    }
    return groups;
  }

  private Map<String, Cell> cells(List<String> columns, String row) {
    Map<String, Cell> cells = new LinkedHashMap<>();
    List<String> all = matches("(?s)<td.*?>(.*?)</td>", row).map(each -> each.group(1)).toList();
    for (int i = 0; i < all.size(); i++) {
      String ratio =
          first("<small class=\"ratio\">(.*?)</small>", all.get(i))
              .map(FirstScreen::text)
              .orElse("");
      String shown = text(all.get(i).replaceAll("<small.*?</small>", ""));
      String[] parts = shown.split(" ", 2);
      cells.put(
          columns.get(i),
          new Cell(parts[0], parts.length > 1 ? parts[1] : "", ratio, all.get(i).contains("★")));
    }
    return cells;
  }

  /** Returns the cells of each row of a table, the first of which is its name. */
  List<List<String>> rows(String table) {
    return first(
            "(?s)<table[^>]*id=\""
                + table
                + "\".*?</table>|"
                + "(?s)<table[^>]*>\\s*<caption id=\""
                + table
                + "\".*?</table>",
            body,
            0)
        .stream()
        .flatMap(each -> matches("(?s)<tr[ >].*?</tr>", each))
        .map(
            row ->
                matches("(?s)<t[hd][ >].*?</t[hd]>", row.group())
                    .map(cell -> text(cell.group()))
                    .toList())
        .toList();
  }

  /** Returns the seconds at which the dots of each row of the outages stand. */
  List<List<Double>> outageDots() {
    return first("(?s)<table id=\"outages\".*?</table>", body, 0).stream()
        .flatMap(each -> matches("(?s)<tr[ >].*?</tr>", each))
        .filter(row -> row.group().contains("<td class=\"dots\">"))
        .map(
            row ->
                matches("<circle cx=\"([0-9.]+)\"|<path d=\"M([0-9.]+) ", row.group())
                    .map(
                        dot ->
                            dot.group(1) == null
                                ? Double.parseDouble(dot.group(2)) + 3
                                : Double.parseDouble(dot.group(1)))
                    .map(x -> Math.pow(10, -2 + 4 * (x - 22) / 300))
                    .toList())
        .toList();
  }

  /** Returns the marks of the trials of each database. */
  List<List<TrialMark>> trials() {
    return matches("(?s)<div class=\"trials\">(.*?)</div>", body)
        .map(
            strip ->
                matches("(?s)<g class=\"\\w+\"><title>(.*?)</title>(.*?)</g>", strip.group(1))
                    .map(each -> trial(each.group(1), each.group(2)))
                    .toList())
        .toList();
  }

  private TrialMark trial(String title, String drawing) {
    String shape =
        drawing.contains("×")
            ? "cross"
            : drawing.contains("fill=\"currentColor\"") ? "filled" : "hollow";
    String place = first("c?x=\"([0-9.]+)%\"", drawing).orElseThrow();
    return new TrialMark(Double.parseDouble(place), shape, text(title));
  }

  /** Returns all parts that match a pattern, in which a dot is any character. */
  List<MatchResult> parts(String pattern) {
    return matches("(?s)" + pattern, body).toList();
  }

  boolean hasRatio() {
    return body.contains("class=\"ratio\"");
  }

  boolean hasStar() {
    return body.contains("aria-label=\"best\"");
  }

  private Optional<String> section(String id) {
    return first("(?s)<section id=\"" + id + "\".*?</section>", body, 0);
  }

  private static Optional<String> first(String pattern, String text) {
    return first(pattern, text, 1);
  }

  private static Optional<String> first(String pattern, String text, int group) {
    return matches(pattern, text).map(each -> each.group(group)).findFirst();
  }

  private static Stream<MatchResult> matches(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results();
  }

  /** Returns a text as a reader sees it, without tags. */
  static String text(String html) {
    return Stream.of(html)
        .map(each -> each.replaceAll("(?s)<(svg|a)\\b.*?</\\1>", " ").replaceAll("<[^>]*>", " "))
        .map(
            each ->
                each.replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&#39;", "'")
                    .replace("&nbsp;", " ")
                    .replace('\u00a0', ' ')
                    .replace("&amp;", "&"))
        .map(each -> Objects.requireNonNull(each).replaceAll("\\s+", " ").strip())
        .collect(joining());
  }
}
