package io.quorate.run;

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
  private static final int MOST_PROBLEMS = 50;
  private static final int LONGEST_MESSAGE = 4000;

  private static final Pattern BAR = Pattern.compile("(\\d{1,18}) / (\\d{1,18}) \\[");
  private static final Pattern PART = Pattern.compile("Total (Read|Write) Ops: *(\\d{1,18})");
  private static final Pattern FIGURE =
      Pattern.compile(
          "(Total|Slowest|Fastest|Average|Stddev|Requests/sec):\\s*(\\S+)(\\s+secs\\.?)?");
  private static final Pattern BUCKET = Pattern.compile("(\\S+) \\[(\\S+)]\\s*\\|[^\\p{Alnum}]*");
  private static final Pattern PERCENTILE = Pattern.compile("(\\S+)% in (\\S+)( secs\\.?)?");
  private static final Pattern ERROR = Pattern.compile("\\[(\\S+)]\\s+(\\S.*)");
  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,15}(\\.\\d{1,25})?([eE][+-]?\\d{1,2})?");
  private static final BigDecimal GREATEST = BigDecimal.TEN.pow(12);
  private static final Pattern COUNT = Pattern.compile("\\d{1,15}");

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

  private final Path file;
  private final List<String> problems = new ArrayList<>();
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
  private String line = "";
  private int number;

  private EtcdBenchmarkText(Path file) {
    this.file = file;
  }

  /**
   * Reads the reports in their order, at least one.
   *
   * @param file that is named when something is wrong
   * @throws QuorateException with every problem as {@code file:line:column}, what was found and
   *     what was expected
   */
  static List<EtcdBenchmarkReport> reports(Path file, String text) {
    EtcdBenchmarkText reader = new EtcdBenchmarkText(file);
    for (int from = 0; from <= text.length(); ) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end;
      reader.number++;
      reader.line = text.substring(from, end > from && text.charAt(to - 1) == '\r' ? to - 1 : to);
      reader.read();
      from = to + 1;
    }
    reader.line = "";
    reader.close();
    reader.finish();
    if (reader.reports.isEmpty() && reader.problems.isEmpty()) {
      reader.problems.add(
          file
              + ": found no report of etcd's benchmark, expected lines such as 'Summary:' and"
              + " 'Requests/sec:'");
    }
    if (!reader.problems.isEmpty()) {
      throw new QuorateException(String.join("\n", reader.problems));
    }
    return reader.reports.stream().map(EtcdBenchmarkDraft::report).toList();
  }

  private void read() {
    String content = line.replaceFirst("^[\\s>\\uFEFF]+", "").stripTrailing();
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
        problem(line, "'" + next.heading + "' without a summary before it", "'Summary:' first");
      }
      orphaned = true;
      return;
    }
    if (starts) {
      finish();
      orphaned = false;
      if (reports.size() == MOST_REPORTS) {
        throw new QuorateException(
            file + ":" + number + ": found more than " + MOST_REPORTS + " reports");
      }
      reports.add(new EtcdBenchmarkDraft(part, asked));
      draft().begins(next.heading);
      reportLine = number;
      problemsBefore = problems.size();
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
        found -> problem(found, "the progress " + found, "at most as many as there are in all"));
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
    if (!reports.isEmpty() && problems.size() == problemsBefore) {
      draft()
          .disagreement()
          .ifPresent(found -> problems.add(file + ":" + reportLine + ":1: found " + found));
    }
  }

  private void close() {
    if (section == Section.SUMMARY) {
      draft()
          .missing()
          .ifPresent(names -> problem(line, "the end of the summary", "also " + names));
    }
    section = Section.NONE;
  }

  private void figure(String content) {
    Matcher figure = FIGURE.matcher(content);
    if (!figure.matches()) {
      unexpected(content, "a line of the summary such as 'Average: 0.0016 secs.'");
      draft().unreadable(content);
      return;
    }
    String value = figure.group(2);
    draft().figure(figure.group(1), number(value)).ifPresent(wrong -> problem(value, value, wrong));
  }

  private void bucket(String content) {
    Matcher bucket = BUCKET.matcher(content);
    if (!bucket.matches()) {
      unexpected(content, "a line of the histogram such as '0.0021 [2632] |'");
      return;
    }
    Optional<BigDecimal> seconds = number(bucket.group(1));
    OptionalLong count = count(bucket.group(2));
    if (seconds.isPresent() && count.isPresent()) {
      draft()
          .bucket(seconds.get(), count.getAsLong())
          .ifPresent(wrong -> problem(bucket.group(1), bucket.group(1), wrong));
    }
  }

  private void percentile(String content) {
    Matcher percentile = PERCENTILE.matcher(content);
    if (!percentile.matches()) {
      unexpected(content, "a line of the distribution such as '99% in 0.0063 secs.'");
      return;
    }
    Optional<BigDecimal> percent = number(percentile.group(1));
    Optional<BigDecimal> seconds = number(percentile.group(2));
    if (percent.isEmpty() || seconds.isEmpty()) {
      return;
    }
    Optional<String> wrong = draft().percentage(percent.get());
    if (wrong.isPresent()) {
      problem(percentile.group(1), percentile.group(1) + "%", wrong.get());
      return;
    }
    draft()
        .percentile(percent.get(), seconds.get())
        .ifPresent(expected -> problem(percentile.group(2), percentile.group(2), expected));
  }

  private void error(String content) {
    Matcher error = ERROR.matcher(content);
    if (error.matches()) {
      String message = error.group(2);
      OptionalLong count = count(error.group(1));
      count.ifPresent(known -> draft().error(message, known));
      unread = count.isEmpty();
    } else if (!unread && !draft().continueError(content, LONGEST_MESSAGE)) {
      unexpected(content, "a line of the errors such as '[5] etcdserver: request is too large'");
      unread = true;
    }
  }

  private Optional<BigDecimal> number(String text) {
    boolean number = NUMBER.matcher(text).matches();
    if (number && new BigDecimal(text).compareTo(GREATEST) <= 0) {
      return Optional.of(new BigDecimal(text));
    }
    problem(text, "'" + text + "'", number ? "at most 10^12" : "a number of 0 or more");
    return Optional.empty();
  }

  private OptionalLong count(String text) {
    if (COUNT.matcher(text).matches()) {
      return OptionalLong.of(Long.parseLong(text));
    }
    problem(text, "'" + text + "'", "a whole number of 0 or more");
    return OptionalLong.empty();
  }

  private void unexpected(String content, String expected) {
    problem(content, "'" + content + "'", expected);
  }

  /**
   * @param at where in the line
   */
  private void problem(String at, String found, String expected) {
    int column = Math.max(0, line.indexOf(at)) + 1;
    problems.add(
        file
            + (":" + number + ":" + column + ": found ")
            + GoText.visible(found.length() > 200 ? found.substring(0, 200) + "..." : found)
            + ", expected "
            + expected);
    if (problems.size() == MOST_PROBLEMS) {
      problems.add(file + ": and more; is this the text of etcd's benchmark?");
      throw new QuorateException(String.join("\n", problems));
    }
  }
}
