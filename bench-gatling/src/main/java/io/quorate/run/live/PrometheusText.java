package io.quorate.run.live;

import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Writes metrics in Prometheus' text format, version 0.0.4. The samples of a family follow its
 * head, as the format demands. Not for several threads.
 */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  /** The type of a family. */
  enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /** Begins a family. */
  void family(String name, Type type, String help) {
    text.append("# HELP ").append(name).append(' ').append(escaped(help)).append('\n');
    text.append("# TYPE ").append(name).append(' ');
    text.append(type.name().toLowerCase(Locale.ROOT)).append('\n');
  }

  /** Adds a sample. */
  void sample(String name, Map<String, String> labels, long value) {
    sample(name, labels, Long.toString(value));
  }

  /** Adds a sample. */
  void sample(String name, Map<String, String> labels, double value) {
    sample(name, labels, Double.toString(value));
  }

  private void sample(String name, Map<String, String> labels, String value) {
    text.append(name);
    if (!labels.isEmpty()) {
      StringJoiner all = new StringJoiner(",", "{", "}");
      labels.forEach((label, of) -> all.add(label + "=\"" + escapedLabel(of) + "\""));
      text.append(all);
    }
    text.append(' ').append(value).append('\n');
  }

  private static String escapedLabel(String value) {
    return escaped(value).replace("\"", "\\\"");
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
