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
 * Reads the reports in a text that etcd's {@code tools/benchmark} printed, as people paste it:
 * between prose, log lines and progress bars, indented, quoted, fenced, with LF or CRLF, and with
 * the other lines of a report left out. A line within a report that cannot be one of it is a
 * problem, and all problems are reported at once.
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
  private static final Pattern COUNT = Pattern.compile("\\d{1,15}");

  /** What a line may be part of. */
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

  /** Whether something came after the last report that belongs to none, or to the next one. */
  private boolean isNext = true;

  private String line = "";
  private int number;

  private EtcdBenchmarkText(Path file) {
    this.file = file;
  }

  /**
   * The reports in their order, at least one.
   *
   * @param file that is named when something is wrong
   * @throws QuorateException with every problem as {@code file:line:column}, what was found and
   *     what was expected
   */
  static List<EtcdBenchmarkReport> reports(Path file, String text) {
    EtcdBenchmarkText reader = new EtcdBenchmarkText(file);
    for (String line : text.split("\\r?\\n", -1)) {
      reader.number++;
      reader.line = line;
      reader.read();
    }
    reader.line = "";
    reader.close();
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

  /** The first one may stand behind the progress bar, on the same line. */
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
    if (starts && next != Section.SUMMARY && next != Section.ERRORS) {
      problem(line, "'" + next.heading + "' without a summary before it", "'Summary:' first");
      return;
    }
    if (starts) {
      if (reports.size() == MOST_REPORTS) {
        throw new QuorateException(
            file + ":" + number + ": found more than " + MOST_REPORTS + " reports");
      }
      reports.add(new EtcdBenchmarkDraft(part, asked));
      part = Optional.empty();
      asked = OptionalLong.empty();
      isNext = false;
    }
    section = next;
  }

  /** What is known before a report begins. */
  private void between(String content) {
    Matcher bar = BAR.matcher(content);
    while (bar.find()) {
      asked = OptionalLong.of(Long.parseLong(bar.group(2)));
      isNext = true;
    }
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
      return;
    }
    number(figure.group(2))
        .flatMap(value -> draft().figure(figure.group(1), value))
        .ifPresent(wrong -> problem(figure.group(2), figure.group(2), wrong));
  }

  private void bucket(String content) {
    Matcher bucket = BUCKET.matcher(content);
    if (!bucket.matches()) {
      unexpected(content, "a line of the histogram such as '0.0021 [2632] |'");
      return;
    }
    number(bucket.group(1));
    count(bucket.group(2)).ifPresent(draft()::bucket);
  }

  private void percentile(String content) {
    Matcher percentile = PERCENTILE.matcher(content);
    if (!percentile.matches()) {
      unexpected(content, "a line of the distribution such as '99% in 0.0063 secs.'");
      return;
    }
    number(percentile.group(1));
    number(percentile.group(2))
        .flatMap(value -> draft().percentile(percentile.group(1), value))
        .ifPresent(wrong -> problem(percentile.group(2), percentile.group(2), wrong));
  }

  private void error(String content) {
    Matcher error = ERROR.matcher(content);
    if (error.matches()) {
      String message = error.group(2);
      count(error.group(1)).ifPresent(count -> draft().error(message, count));
    } else if (!draft().continueError(content, LONGEST_MESSAGE)) {
      unexpected(content, "a line of the errors such as '[5] etcdserver: request is too large'");
    }
  }

  private Optional<BigDecimal> number(String text) {
    if (NUMBER.matcher(text).matches()) {
      return Optional.of(new BigDecimal(text));
    }
    problem(text, "'" + text + "'", "a number of 0 or more");
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
