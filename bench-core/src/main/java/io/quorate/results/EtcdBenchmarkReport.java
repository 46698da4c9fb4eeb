// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.GoText;
import io.quorate.results.latency.LatencySummary;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One report of etcd's {@code tools/benchmark}. Values that its text does not contain are empty,
 * and not derived from others.
 *
 * @param part what it is about, if the output has several parts: {@code read}, {@code write},
 *     {@code put}, {@code watch-events}
 * @param totalSeconds wall time of all requests
 * @param requestsPerSecond successes divided by that time
 * @param latency latency of the successes. A value of 0 is too small for the four decimals of the
 *     text: it is NaN here, and such a percentile is left out
 * @param successes number of successes, from the histogram
 * @param requests planned number of requests, from the progress bar or the tool's heading
 * @param errors errors by message, in the order of the text; empty if it does not list them
 */
public record EtcdBenchmarkReport(
    Optional<String> part,
    OptionalDouble totalSeconds,
    OptionalDouble requestsPerSecond,
    Optional<LatencySummary> latency,
    OptionalLong successes,
    OptionalLong requests,
    Optional<List<ClientResults.ErrorCount>> errors) {

  /**
   * Reads the reports in the output of etcd's {@code tools/benchmark}, as {@code pkg/report} prints
   * them since 2015. Other lines, such as log lines, are skipped; within a report only lines of the
   * tool are accepted. Its tabs may have become blanks. Lines may begin with a time, and all lines
   * of a report with the same text, such as {@code "> "} or the name of a Pod.
   */
  static final class EtcdBenchmarkText {
    private static final String SUMMARY = "Summary:";
    private static final String HISTOGRAM = "Response time histogram:";
    private static final String PERCENTILES = "Latency distribution:";
    private static final String ERRORS = "Error distribution:";

    private static final String NUMBER = "(\\d{1,15}(?:\\.\\d{1,25})?(?:e[+-]?\\d{1,2})?)";
    private static final String COUNT = "(\\d{1,15})";
    private static final Pattern BUCKET =
        Pattern.compile("  " + NUMBER + " \\[" + COUNT + "]\\s+\\|.*");
    private static final Pattern PERCENTILE =
        Pattern.compile("  " + NUMBER + "% in " + NUMBER + " secs\\.");
    private static final Pattern ERROR = Pattern.compile("  \\[" + COUNT + "]\\s+(.+)");

    /** The progress; a line may contain several states of it, one after the other. */
    private static final Pattern PROGRESS = Pattern.compile(COUNT + " / " + COUNT + " [\\[B]");

    private static final Pattern PART = Pattern.compile("Total (Read|Write) Ops: " + COUNT);

    /** The heading of a part of the benchmarks of watches. */
    private static final Pattern NAMED_PART = Pattern.compile("((?:Put|Watch)[ a-z]*) summary:");

    /** All that the benchmarks of watches printed in 2016. */
    private static final Pattern RATE = Pattern.compile("\\s*Requests/sec:\\s+" + NUMBER);

    /** The time with which logs of Kubernetes and of pipelines begin each line. */
    private static final Pattern TIME =
        Pattern.compile("(?m)^\\uFEFF?\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[0-9.]*Z( |$)");

    private static final String SAMPLES = "Sample in one second";

    /** Every line is compared with each of them. */
    private static final int MAX_PREFIXES = 1_000;

    private final Path file;
    private final String[] lines;

    /** What each line began with before its text. */
    private final String[] prefixes;

    private final List<EtcdBenchmarkReport> reports = new ArrayList<>();
    private int next;
    private Optional<String> part = Optional.empty();
    private OptionalLong requests = OptionalLong.empty();

    /** What all lines of the current report begin with. */
    private String reportPrefix = "";

    /** Index of the line after the last report. */
    private int end = -1;

    private EtcdBenchmarkText(Path file, String text) {
      this.file = file;
      String untimed = TIME.matcher(text.replace('\u00a0', ' ')).replaceAll("");
      this.lines = untimed.split("\r?\n", -1);
      Arrays.setAll(lines, i -> lines[i].stripTrailing());
      List<String> all =
          IntStream.range(0, lines.length)
              .filter(this::isSummary)
              .mapToObj(i -> lines[i].substring(0, lines[i].length() - SUMMARY.length()))
              .distinct()
              .limit(MAX_PREFIXES + 1)
              .sorted(Comparator.comparing(String::length).reversed())
              .toList();
      if (all.size() > MAX_PREFIXES) {
        throw new QuorateException(
            "%s: found more than %d texts before '%s', expected the same in many lines"
                .formatted(file, MAX_PREFIXES, SUMMARY));
      }
      this.prefixes = new String[lines.length];
      Arrays.setAll(prefixes, i -> prefix(all, lines[i]));
      Arrays.setAll(
          lines, i -> lines[i].substring(Math.min(lines[i].length(), prefixes[i].length())));
    }

    /** Returns whether a line begins a report: the line after it has its first value. */
    private boolean isSummary(int line) {
      String text = lines[line];
      return text.endsWith(SUMMARY)
          && line + 1 < lines.length
          && lines[line + 1].startsWith(text.substring(0, text.length() - SUMMARY.length()) + "  ");
    }

    private static String prefix(List<String> all, String line) {
      return all.stream()
          .filter(each -> line.startsWith(each) || line.equals(each.stripTrailing()))
          .findFirst()
          .orElse("");
    }

    /**
     * Reads the reports in their order, at least one.
     *
     * @throws QuorateException with {@code file:line}, what was found and what was expected
     */
    static List<EtcdBenchmarkReport> reports(Path file, String text) {
      EtcdBenchmarkText reader = new EtcdBenchmarkText(file, text);
      while (reader.next < reader.lines.length) {
        reader.read(reader.lines[reader.next++]);
      }
      if (reader.reports.isEmpty()) {
        reader.refuseMixedLines();
        throw new QuorateException(
            file
                + ": found no report of etcd's benchmark, expected lines such as 'Summary:' and"
                + " 'Requests/sec:'");
      }
      return reader.reports;
    }

    /** Refuses a text in which other lines follow the begin of a report. */
    private void refuseMixedLines() {
      for (int i = 0; i + 1 < lines.length; i++) {
        if (lines[i].endsWith(" " + SUMMARY)) {
          throw wrong(
              i + 2,
              "the first value of " + VisibleText.quoted(lines[i]) + ", after the same text");
        }
      }
    }

    private void read(String line) {
      switch (line) {
        case SUMMARY -> addReport();
        case ERRORS -> addErrors();
        case HISTOGRAM, PERCENTILES -> throw wrong(next, "'" + SUMMARY + "' before it");
        default -> readOutside(line);
      }
    }

    private void readOutside(String line) {
      if (BUCKET.matcher(line).matches() || PERCENTILE.matcher(line).matches()) {
        throw wrong(next, "'" + SUMMARY + "' before it");
      }
      Matcher progress = PROGRESS.matcher(line);
      while (progress.find()) {
        requests = OptionalLong.of(Long.parseLong(progress.group(2)));
      }
      Matcher heading = PART.matcher(line);
      if (heading.find()) {
        part = Optional.of(heading.group(1).equals("Read") ? "read" : "write");
        requests = OptionalLong.of(Long.parseLong(heading.group(2)));
      }
      Matcher named = NAMED_PART.matcher(line);
      if (named.matches()) {
        part = Optional.of(named.group(1).toLowerCase(Locale.ROOT).replace(' ', '-'));
      }
      Matcher rate = RATE.matcher(line);
      if (rate.matches() && part.isPresent()) {
        add(
            OptionalDouble.empty(),
            OptionalDouble.of(Double.parseDouble(rate.group(1))),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty());
      }
    }

    private void addReport() {
      reportPrefix = prefixes[next - 1];
      double totalSeconds = figure("Total", " secs.");
      double slowestMs = milliseconds("Slowest");
      double fastestMs = milliseconds("Fastest");
      double averageMs = milliseconds("Average");
      boolean isOf2015 = next < lines.length && lines[next].startsWith("  Requests/sec:");
      double standardDeviationMs = isOf2015 ? Double.NaN : milliseconds("Stddev");
      double requestsPerSecond = figure("Requests/sec", "");
      heading(HISTOGRAM);
      long successes = 0;
      while (isInSection()) {
        MatchResult bucket =
            expect(BUCKET, "a line of the histogram such as '  0.0021 [2632]\\t|'");
        successes += Long.parseLong(bucket.group(2));
      }
      heading(PERCENTILES);
      Map<Percentile, Double> percentilesMs = new EnumMap<>(Percentile.class);
      while (isInSection()) {
        MatchResult line =
            expect(PERCENTILE, "a line of the distribution such as '  99% in 0.0063 secs.'");
        double ms = milliseconds(line, 2);
        for (Percentile each : Percentile.values()) {
          if (each.percent().compareTo(new BigDecimal(line.group(1))) == 0 && ms > 0) {
            percentilesMs.put(each, ms);
          }
        }
      }
      add(
          OptionalDouble.of(totalSeconds),
          OptionalDouble.of(requestsPerSecond),
          Optional.of(
              new LatencySummary(
                  slowestMs, fastestMs, averageMs, standardDeviationMs, percentilesMs)),
          OptionalLong.of(successes),
          Optional.empty());
      skipSamples();
    }

    private void skipSamples() {
      if (next + 1 < lines.length && lines[next + 1].startsWith(SAMPLES)) {
        do {
          next++;
        } while (next < lines.length && !lines[next].isEmpty());
        end = next;
      }
    }

    /** Adds errors to the report that they follow after one empty line, or as a report. */
    private void addErrors() {
      boolean follow =
          end >= 0
              && next - 1 == end + 1
              && lines[end].isEmpty()
              && prefixes[end].equals(prefixes[next - 1]);
      reportPrefix = prefixes[next - 1];
      List<ClientResults.ErrorCount> errors = new ArrayList<>();
      while (isInSection()) {
        MatchResult error =
            expect(
                ERROR, "a line of the errors such as '  [5]\\tetcdserver: request is too large'");
        errors.add(
            new ClientResults.ErrorCount(
                GoText.quoted(error.group(2)), Long.parseLong(error.group(1))));
      }
      if (!follow) {
        add(
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty());
      }
      EtcdBenchmarkReport last = reports.remove(reports.size() - 1);
      if (last.errors().isPresent()) {
        throw wrong(next, "one list of errors for each report");
      }
      reports.add(
          new EtcdBenchmarkReport(
              last.part(),
              last.totalSeconds(),
              last.requestsPerSecond(),
              last.latency(),
              last.successes(),
              last.requests(),
              Optional.of(errors)));
      end = next;
    }

    private void add(
        OptionalDouble totalSeconds,
        OptionalDouble requestsPerSecond,
        Optional<LatencySummary> latency,
        OptionalLong successes,
        Optional<List<ClientResults.ErrorCount>> errors) {
      reports.add(
          new EtcdBenchmarkReport(
              part, totalSeconds, requestsPerSecond, latency, successes, requests, errors));
      part = Optional.empty();
      requests = OptionalLong.empty();
      end = next;
    }

    private boolean isInSection() {
      return next < lines.length && lines[next].startsWith("  ");
    }

    private void heading(String text) {
      expect(Pattern.compile(""), "an empty line before '" + text + "'");
      expect(Pattern.compile(text), "'" + text + "'");
    }

    /** Reads a latency; NaN for 0, which is too small for four decimals of a second. */
    private double milliseconds(String name) {
      double ms = milliseconds(line(name, " secs."), 1);
      return ms == 0 ? Double.NaN : ms;
    }

    private static double milliseconds(MatchResult line, int group) {
      return new BigDecimal(line.group(group)).movePointRight(3).doubleValue();
    }

    private double figure(String name, String unit) {
      return Double.parseDouble(line(name, unit).group(1));
    }

    private MatchResult line(String name, String unit) {
      Pattern pattern = Pattern.compile("  " + name + ":\\s+" + NUMBER + Pattern.quote(unit));
      return expect(pattern, "a line such as '  " + name + ":\\t0.0016" + unit + "'");
    }

    private MatchResult expect(Pattern pattern, String expected) {
      if (next == lines.length) {
        throw new QuorateException(
            file + ":" + lines.length + ": found the end of the file, expected " + expected);
      }
      Matcher line = pattern.matcher(lines[next++]);
      if (!lines[next - 1].isEmpty() && !prefixes[next - 1].equals(reportPrefix)) {
        throw wrong(next, expected + " after " + VisibleText.quoted(reportPrefix));
      }
      if (!line.matches()) {
        throw wrong(next, expected);
      }
      return line.toMatchResult();
    }

    private QuorateException wrong(int number, String expected) {
      String found = VisibleText.quoted(lines[number - 1]);
      return new QuorateException(
          file + ":" + number + ": found " + found + ", expected " + expected);
    }
  }
}
