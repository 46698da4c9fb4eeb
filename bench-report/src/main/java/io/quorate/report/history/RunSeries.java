// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.history.ChangePoints.ChangePoint;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The values of a row of a database over runs of the same load.
 *
 * @param variant what differs from other loads of the same scenario and database; empty if there
 *     are none
 * @param entries runs with a value, in the order of their start
 * @param values value of each run
 */
record RunSeries(
    String scenario,
    String database,
    String variant,
    Row row,
    List<HistoryEntry> entries,
    double[] values,
    List<ChangePoint> points) {
  /** Number of runs before and after a change with which it is confirmed. */
  static final int CONFIRMED = 5;

  private static final String PENDING = "pending";

  /** Returns the database and, if its load has changed, the load. */
  String name() {
    return variant.isEmpty() ? database : database + ", " + variant;
  }

  Metric metric() {
    return row.metric();
  }

  /**
   * A change of the level of a series.
   *
   * @param from last run before it
   * @param to first run with the new level
   */
  record LevelChange(RunSeries series, ChangePoint point, HistoryEntry from, HistoryEntry to) {
    boolean isBetter() {
      return Kind.of(series.metric()).isBetter(point.before(), point.after());
    }

    String word() {
      return Kind.of(series.metric()).word(isBetter());
    }

    String before() {
      return text(point.before());
    }

    String after() {
      return text(point.after());
    }

    /** Returns a mean, of a count with a decimal if it is not whole. */
    private String text(double mean) {
      return series.metric().isCount() && mean != Math.rint(mean)
          ? NumberFormats.fixed(mean, 1)
          : series.metric().text(mean);
    }

    /** Returns the size in percent or, for counts and from 0, in the unit: {@code +24%}. */
    String size() {
      boolean ratio = !series.metric().isCount() && point.before() > 0;
      return Change.text(ratio, ratio ? point.change() : point.after() - point.before());
    }

    /**
     * Returns a restriction: {@code pending} with too few runs at an end of the series, {@code
     * lasted 2 runs} for an episode; otherwise empty.
     */
    String note() {
      int place = series.points.indexOf(point);
      boolean last = place == series.points.size() - 1;
      int end = last ? series.values.length : series.points.get(place + 1).index();
      int after = end - point.index();
      boolean few = place == 0 && point.index() < CONFIRMED;
      if (few || last && after < CONFIRMED) {
        return PENDING;
      }
      return after < CONFIRMED ? "lasted " + NumberFormats.count(after, "run") : "";
    }

    boolean isPending() {
      return note().equals(PENDING);
    }

    /** Returns a range of commits as Git writes it; empty if a run has none, or both the same. */
    Optional<String> commits() {
      return from.commit()
          .filter(first -> to.commit().filter(last -> !last.equals(first)).isPresent())
          .map(first -> shortened(first) + ".." + shortened(to.commit().orElseThrow()));
    }

    /** Returns what else changed at this run, such as {@code Java: 17.0.14 to 17.0.15}. */
    List<String> others() {
      List<String> others = new ArrayList<>();
      Map<String, String> before = from.surroundings();
      to.surroundings()
          .forEach(
              (name, value) -> {
                String other = before.getOrDefault(name, value);
                if (!value.equals(other)) {
                  others.add("%s: %s to %s".formatted(name, other, value));
                }
              });
      return others;
    }
  }

  /** Returns the value of a run; empty if it has none. */
  OptionalDouble valueOf(HistoryEntry entry) {
    for (int i = 0; i < values.length; i++) {
      if (entries.get(i) == entry) {
        return OptionalDouble.of(values[i]);
      }
    }
    return OptionalDouble.empty();
  }

  /** Returns the changes, the newest first. */
  List<LevelChange> changes() {
    List<LevelChange> changes = new ArrayList<>();
    for (ChangePoint point : points) {
      changes.add(
          0,
          new LevelChange(this, point, entries.get(point.index() - 1), entries.get(point.index())));
    }
    return changes;
  }

  /** Returns the direction of the newest change in words; empty without one. */
  Optional<String> direction() {
    return changes().stream().map(LevelChange::word).findFirst();
  }

  /** Returns the mean of the level to which each value belongs. */
  double[] levels() {
    double[] levels = new double[values.length];
    int next = 0;
    for (int i = 0; i < levels.length; i++) {
      while (next < points.size() && points.get(next).index() <= i) {
        next++;
      }
      levels[i] = next > 0 ? points.get(next - 1).after() : points.get(0).before();
    }
    return levels;
  }

  /** Returns the first characters of an id of a commit. */
  static String shortened(String commit) {
    return commit.matches("[0-9a-f]{40}|[0-9a-f]{64}") ? commit.substring(0, 8) : commit;
  }
}
