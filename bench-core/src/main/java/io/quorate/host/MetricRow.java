// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.format.NumberFormats;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The cells of one row of host metrics; an absent value is an empty cell. Immutable. */
record MetricRow(Map<HostMetric, String> cells) {
  static MetricRow of(Reading reading, Optional<MetricRow> before) {
    Map<HostMetric, String> cells = new EnumMap<>(HostMetric.class);
    HostMetric.measured().forEach(metric -> cells.put(metric, metric.measured(reading)));
    return derived(cells, before);
  }

  /** Returns the row with these measured cells, and computes those that are derived. */
  static MetricRow derived(Map<HostMetric, String> measured, Optional<MetricRow> before) {
    MetricRow row = new MetricRow(new EnumMap<>(measured));
    for (HostMetric metric : HostMetric.values()) {
      if (metric.fill() == GapFill.DERIVED) {
        row.cells.put(metric, metric.derived(row, before));
      }
    }
    return row;
  }

  String cell(HostMetric metric) {
    return cells.getOrDefault(metric, "");
  }

  OptionalLong whole(HostMetric metric) {
    String cell = cell(metric);
    return cell.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(cell));
  }

  /** Returns the growth of a counter since the row before; 0 in the first row. */
  OptionalLong growth(HostMetric counter, Optional<MetricRow> before) {
    OptionalLong now = whole(counter);
    if (now.isEmpty() || before.isEmpty()) {
      return now.isEmpty() ? now : OptionalLong.of(0);
    }
    OptionalLong then = before.get().whole(counter);
    return then.isEmpty() ? then : OptionalLong.of(now.getAsLong() - then.getAsLong());
  }

  String[] cells(List<HostMetric> columns) {
    return columns.stream().map(this::cell).toArray(String[]::new);
  }

  static String text(OptionalLong number) {
    return number.isEmpty() ? "" : Long.toString(number.getAsLong());
  }

  /** Formats bytes with a unit; a negative sign shows that a counter was reset. */
  static String humanized(OptionalLong bytes) {
    return bytes.isEmpty() ? "" : NumberFormats.humanizedBytes(bytes.getAsLong());
  }
}
