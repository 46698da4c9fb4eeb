package io.quorate.results;

import io.quorate.QuorateException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the reports in the output of etcd's {@code tools/benchmark}, as people paste it: between
 * prose, log lines and progress bars, indented, quoted, fenced, with LF or CRLF, and with the other
 * lines of a report left out. A line within a report that cannot be one of it is a problem, and all
 * problems are reported at once.
 */
final class EtcdBenchmarkText {
  private static final int MOST_REPORTS = 100;
  private static final int LONGEST_MESSAGE = 4000;

  private static final Pattern BAR = Pattern.compile("(\\d{1,18}) / (\\d{1,18}) \\[");
  private static final Pattern PART = Pattern.compile("Total (Read|Write) Ops: *(\\d{1,18})");
  private static final Pattern FIGURE =
      Pattern.compile(
          "(Total|Slowest|Fastest|Average|Stddev|Requests/sec):\\s*(\\S+)(\\s+secs\\.?)?");
  private static final Pattern BUCKET = Pattern.compile("(\\S+) \\[(\\S+)]\\s*\\|[^\\p{Alnum}]*");
  private static final Pattern PERCENTILE = Pattern.compile("(\\S+)% in (\\S+)( secs\\.?)?");
  private static final Pattern ERROR = Pattern.compile("\\[(\\S+)]\\s+(\\S.*)");

  /** The parts of a report to which a line may belong. */
  private enum Section {
    NONE(""),
    SUMMARY("Summary:"),
    HISTOGRAM("Response time histogram:"),
    PERCENTILES("Latency distribution:"),
    ERRORS("Error distribution:");

    private final String heading;

    Section(String heading) {
      this.heading = heading;
    }
  }

  private final EtcdBenchmarkLines lines;
  private final List<EtcdBenchmarkDraft> reports = new ArrayList<>();
  private Section section = Section.NONE;
  private Optional<String> part = Optional.empty();
  private OptionalLong asked = OptionalLong.empty();

  /** True if the lines since the last report belong to none, or to the next one. */
  private boolean isNext = true;

  /** True if a section was found without its summary, which is reported once. */
  private boolean orphaned;

  /** True if the line before could not be read, so that this one may belong to it. */
  private boolean unread;

  private int reportLine;
  private int problemsBefore;

  private EtcdBenchmarkText(EtcdBenchmarkLines lines) {
    this.lines = lines;
  }

  /**
   * Reads the reports in their order, at least one.
   *
   * @param file that is named when something is wrong
   * @throws QuorateException with every problem as {@code file:line:column}, what was found and
   *     what was expected
   */
  static List<EtcdBenchmarkReport> reports(Path file, String text) {
    EtcdBenchmarkLines lines = new EtcdBenchmarkLines(file, text);
    EtcdBenchmarkText reader = new EtcdBenchmarkText(lines);
    while (lines.next()) {
      reader.read();
    }
    reader.close();
    reader.finish();
    if (reader.reports.isEmpty() && lines.problems() == 0) {
      lines.problemOfAll(
          "found no report of etcd's benchmark, expected lines such as 'Summary:' and"
              + " 'Requests/sec:'");
    }
    lines.requireNoProblem();
    return reader.reports.stream().map(EtcdBenchmarkDraft::report).toList();
  }

  private void read() {
    String content = lines.text().replaceFirst("^[\\s>\\uFEFF]+", "").stripTrailing();
    if (isHeading(content)) {
      return;
    }
    if (content.isEmpty() || content.startsWith("```")) {
      isNext |= !content.isEmpty();
      close();
    } else {
      switch (section) {
        case NONE -> between(content);
        case SUMMARY -> figure(content);
        case HISTOGRAM -> bucket(content);
        case PERCENTILES -> percentile(content);
        case ERRORS -> error(content);
      }
    }
  }

  /**
   * Returns whether a line is a heading; the first one may follow the progress bar, on the same
   * line.
   */
  private boolean isHeading(String content) {
    for (Section each : Section.values()) {
      boolean behindBar = each == Section.SUMMARY || each == Section.ERRORS;
      boolean found =
          each != Section.NONE
              && (content.equals(each.heading)
                  || behindBar && content.endsWith(each.heading) && BAR.matcher(content).find());
      if (found) {
        close();
        between(content);
        begin(each);
        return true;
      }
    }
    return false;
  }

  private void begin(Section next) {
    boolean starts =
        next == Section.SUMMARY
            || next == Section.ERRORS && (isNext || draft().hasErrors())
            || reports.isEmpty();
    boolean orphan = !starts && !draft().begins(next.heading);
    if (next != Section.SUMMARY && next != Section.ERRORS && (starts || orphan)) {
      if (!orphaned) {
        lines.problem(
            lines.text(), "'" + next.heading + "' without a summary before it", "'Summary:' first");
      }
      orphaned = true;
      return;
    }
    if (starts) {
      finish();
      orphaned = false;
      if (reports.size() == MOST_REPORTS) {
        throw lines.failure("found more than " + MOST_REPORTS + " reports");
      }
      reports.add(new EtcdBenchmarkDraft(part, asked));
      draft().begins(next.heading);
      reportLine = lines.number();
      problemsBefore = lines.problems();
      part = Optional.empty();
      asked = OptionalLong.empty();
      isNext = false;
    }
    section = next;
    unread = false;
  }

  /** Handles a line outside of a report. */
  private void between(String content) {
    Matcher bar = BAR.matcher(content);
    Optional<String> impossible = Optional.empty();
    while (bar.find()) {
      long total = Long.parseLong(bar.group(2));
      boolean possible = Long.parseLong(bar.group(1)) <= total;
      asked = possible ? OptionalLong.of(total) : OptionalLong.empty();
      if (!possible) {
        impossible = Optional.of(bar.group(1) + " / " + bar.group(2));
      }
      isNext = true;
    }
    impossible.ifPresent(
        found ->
            lines.problem(found, "the progress " + found, "at most as many as there are in all"));
    Matcher heading = PART.matcher(content);
    if (heading.find()) {
      part = Optional.of(heading.group(1).equals("Read") ? "read" : "write");
      asked = OptionalLong.of(Long.parseLong(heading.group(2)));
      isNext = true;
    }
  }

  private EtcdBenchmarkDraft draft() {
    return reports.get(reports.size() - 1);
  }

  /** Reports figures of the last report that do not agree, if each of them was right by itself. */
  private void finish() {
    if (!reports.isEmpty() && lines.problems() == problemsBefore) {
      draft().disagreement().ifPresent(found -> lines.problemOfLine(reportLine, found));
    }
  }

  private void close() {
    if (section == Section.SUMMARY) {
      draft()
          .missing()
          .ifPresent(
              names -> lines.problem(lines.text(), "the end of the summary", "also " + names));
    }
    section = Section.NONE;
  }

  private void figure(String content) {
    Matcher figure = FIGURE.matcher(content);
    if (!figure.matches()) {
      lines.unexpected(content, "a line of the summary such as 'Average: 0.0016 secs.'");
      draft().unreadable(content);
      return;
    }
    String value = figure.group(2);
    draft()
        .figure(figure.group(1), lines.number(value))
        .ifPresent(wrong -> lines.problem(value, value, wrong));
  }

  private void bucket(String content) {
    Matcher bucket = BUCKET.matcher(content);
    if (!bucket.matches()) {
      lines.unexpected(content, "a line of the histogram such as '0.0021 [2632] |'");
      return;
    }
    Optional<BigDecimal> seconds = lines.number(bucket.group(1));
    OptionalLong count = lines.count(bucket.group(2));
    if (seconds.isPresent() && count.isPresent()) {
      draft()
          .bucket(seconds.get(), count.getAsLong())
          .ifPresent(wrong -> lines.problem(bucket.group(1), bucket.group(1), wrong));
    }
  }

  private void percentile(String content) {
    Matcher percentile = PERCENTILE.matcher(content);
    if (!percentile.matches()) {
      lines.unexpected(content, "a line of the distribution such as '99% in 0.0063 secs.'");
      return;
    }
    Optional<BigDecimal> percent = lines.number(percentile.group(1));
    Optional<BigDecimal> seconds = lines.number(percentile.group(2));
    if (percent.isEmpty() || seconds.isEmpty()) {
      return;
    }
    Optional<String> wrong = draft().percentage(percent.get());
    if (wrong.isPresent()) {
      lines.problem(percentile.group(1), percentile.group(1) + "%", wrong.get());
      return;
    }
    draft()
        .percentile(percent.get(), seconds.get())
        .ifPresent(expected -> lines.problem(percentile.group(2), percentile.group(2), expected));
  }

  private void error(String content) {
    Matcher error = ERROR.matcher(content);
    if (error.matches()) {
      String message = error.group(2);
      OptionalLong count = lines.count(error.group(1));
      count.ifPresent(known -> draft().error(message, known));
      unread = count.isEmpty();
    } else if (!unread && !draft().continueError(content, LONGEST_MESSAGE)) {
      lines.unexpected(
          content, "a line of the errors such as '[5] etcdserver: request is too large'");
      unread = true;
    }
  }
}
