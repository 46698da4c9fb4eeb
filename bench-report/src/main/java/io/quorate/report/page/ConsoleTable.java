// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.cli.Colors;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table at the end of a run's console output: a row for each database, with the values of the
 * last steps side by side, as many as the terminal is wide.
 */
record ConsoleTable(RunFigures figures, Colors colors) {
  /** Most characters of a title, so that a phase of many operations fits into a line. */
  private static final int MOST_OF_TITLE = 60;

  private static final List<Reservation> MARKED =
      Arrays.stream(Reservation.values()).filter(Reservation::isMarked).toList();

  List<String> lines() {
    Overview overview = new Overview(figures);
    List<Overview.Group> groups = overview.comparable();
    if (groups.isEmpty()) {
      return List.of();
    }
    List<String> names =
        groups.stream()
            .flatMap(each -> each.rows().stream())
            .map(OverviewRow::database)
            .distinct()
            .toList();
    List<List<String>> fixed = new ArrayList<>(List.of(names(names, groups)));
    boolean byLoad = figures.compared().stream().anyMatch(each -> each.byLoad().size() > 1);
    List<Overview.Group> counted =
        byLoad ? groups : groups.subList(groups.size() - 1, groups.size());
    fixed.add(counts("errors", names, counted, OverviewRow::errors));
    if (counted.stream()
        .flatMap(each -> each.rows().stream())
        .anyMatch(row -> row.dropped().orElse(0) > 0)) {
      fixed.add(counts("dropped", names, counted, OverviewRow::dropped));
    }
    List<List<String>> blocks =
        groups.stream().map(group -> block(group, names, groups.size() == 1)).toList();
    int first = groups.size() - 1;
    while (first > 0
        && ConsoleText.width(
                ConsoleText.sideBySide(
                    Stream.concat(fixed.stream(), blocks.stream().skip(first - 1)).toList()))
            <= ConsoleText.WIDTH) {
      first--;
    }
    fixed.addAll(1, blocks.subList(first, blocks.size()));
    List<String> lines = new ArrayList<>(ConsoleText.sideBySide(fixed));
    lines.removeIf(String::isBlank); // the title of a single group
    long more =
        groups.stream().limit(first).filter(it -> !Overview.isOfWatches(it.title())).count();
    if (more > 0) {
      lines.add(
          NumberFormats.count(more, byLoad ? "more step" : "more operation") + " on the page");
    }
    List<Overview.Group> shown = groups.subList(first, groups.size());
    MARKED.stream()
        .filter(each -> shown.stream().anyMatch(group -> marks(group).contains(each.mark())))
        .forEach(each -> lines.add(each.shortLegend()));
    return lines;
  }

  /** Returns the first column; those that are ahead in the last group stand out. */
  private List<String> names(List<String> names, List<Overview.Group> groups) {
    Overview.Group last = groups.get(groups.size() - 1);
    List<String> best =
        last.rows().stream()
            .filter(row -> OverviewColumn.THROUGHPUT.cell(row, last).best())
            .map(OverviewRow::database)
            .toList();
    List<String> lines = new ArrayList<>(List.of("", ""));
    names.forEach(name -> lines.add(best.contains(name) ? colors.best(name) : name));
    return lines;
  }

  private static List<String> counts(
      String title,
      List<String> names,
      List<Overview.Group> groups,
      Function<OverviewRow, OptionalLong> count) {
    List<List<String>> rows = new ArrayList<>(List.of(List.of(""), List.of(title)));
    for (String name : names) {
      List<Long> known =
          groups.stream()
              .flatMap(group -> group.rows().stream())
              .filter(row -> row.database().equals(name))
              .flatMap(row -> count.apply(row).stream().boxed())
              .toList();
      rows.add(
          List.of(
              known.isEmpty()
                  ? Overview.MISSING
                  : NumberFormats.commas(known.stream().mapToLong(Long::longValue).sum())));
    }
    return ConsoleText.table(rows, column -> false);
  }

  /** Returns the columns of a group: its title above a value of each of its rows. */
  private List<String> block(Overview.Group group, List<String> names, boolean isOnly) {
    List<OverviewColumn> columns =
        Stream.of(OverviewColumn.THROUGHPUT, OverviewColumn.P50, OverviewColumn.P99)
            .filter(column -> isOnly || column != OverviewColumn.P50)
            .filter(
                column ->
                    group.rows().stream().anyMatch(row -> column.figure.apply(row).isPresent()))
            .toList();
    boolean marked = !marks(group).isEmpty();
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        columns.stream()
            .map(column -> column == OverviewColumn.THROUGHPUT ? "/s" : column.title.split(" ")[0])
            .map(head -> marked ? head + " " : head)
            .toList());
    for (String name : names) {
      rows.add(
          columns.stream()
              .map(
                  column ->
                      group.rows().stream()
                          .filter(row -> row.database().equals(name))
                          .findFirst()
                          .map(row -> text(row, column, marked))
                          .orElse(Overview.MISSING))
              .toList());
    }
    List<String> lines = new ArrayList<>(ConsoleText.table(rows, column -> false));
    String whole = group.title();
    String title =
        whole.length() > MOST_OF_TITLE ? whole.substring(0, MOST_OF_TITLE - 3) + "..." : whole;
    int gap = ConsoleText.width(lines) - title.length();
    if (gap < 0) {
      lines.replaceAll(line -> " ".repeat(-gap) + line);
    }
    lines.add(0, " ".repeat(Math.max(0, gap)) + title);
    return lines;
  }

  private String text(OverviewRow row, OverviewColumn column, boolean marked) {
    OptionalDouble value = column.figure.apply(row);
    if (value.isEmpty()) {
      return Overview.MISSING + (marked ? " " : "");
    }
    String mark = mark(row.basis(column));
    return column.format.apply(value.getAsDouble())
        + (column == OverviewColumn.THROUGHPUT ? "" : " ms")
        + (mark.isEmpty() && marked ? " " : colors.warning(mark));
  }

  /** Returns the mark of a value, of which there is one at most. */
  private String mark(Basis basis) {
    return figures.doNotUse().isPresent()
        ? ""
        : MARKED.stream()
            .filter(basis.own()::contains)
            .map(Reservation::mark)
            .findFirst()
            .orElse("");
  }

  private String marks(Overview.Group group) {
    return group.rows().stream()
        .flatMap(
            row ->
                Stream.of(OverviewColumn.values())
                    .filter(OverviewColumn::hasRatio)
                    .filter(column -> column.figure.apply(row).isPresent())
                    .map(column -> mark(row.basis(column))))
        .collect(Collectors.joining());
  }
}
