package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.GoText;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Goes through the lines of a text of etcd's benchmark, reads numbers in them, and keeps what is
 * wrong with them.
 */
final class EtcdBenchmarkLines {
  private static final int MOST_PROBLEMS = 50;
  private static final int LONGEST_SHOWN = 200;

  private static final Pattern NUMBER =
      Pattern.compile("\\d{1,15}(\\.\\d{1,25})?([eE][+-]?\\d{1,2})?");
  private static final BigDecimal GREATEST = BigDecimal.TEN.pow(12);
  private static final Pattern COUNT = Pattern.compile("\\d{1,15}");

  private final Path file;
  private final String all;
  private final List<String> problems = new ArrayList<>();
  private int from;
  private String text = "";
  private int number;

  /**
   * @param file that is named when something is wrong
   */
  EtcdBenchmarkLines(Path file, String all) {
    this.file = file;
    this.all = all;
  }

  /** Goes to the next line; returns false, and is at an empty line, if there is none. */
  boolean next() {
    if (from > all.length()) {
      text = "";
      return false;
    }
    int end = all.indexOf('\n', from);
    int to = end < 0 ? all.length() : end;
    number++;
    text = all.substring(from, end > from && all.charAt(to - 1) == '\r' ? to - 1 : to);
    from = to + 1;
    return true;
  }

  /** Returns the line, without its end. */
  String text() {
    return text;
  }

  /** Returns the number of the line, from 1. */
  int number() {
    return number;
  }

  /** Returns a number of the line; if it is none, that is a problem. */
  Optional<BigDecimal> number(String part) {
    boolean number = NUMBER.matcher(part).matches();
    if (number && new BigDecimal(part).compareTo(GREATEST) <= 0) {
      return Optional.of(new BigDecimal(part));
    }
    problem(part, "'" + part + "'", number ? "at most 10^12" : "a number of 0 or more");
    return Optional.empty();
  }

  /** Returns a whole number of the line; if it is none, that is a problem. */
  OptionalLong count(String part) {
    if (COUNT.matcher(part).matches()) {
      return OptionalLong.of(Long.parseLong(part));
    }
    problem(part, "'" + part + "'", "a whole number of 0 or more");
    return OptionalLong.empty();
  }

  /** Adds the problem that a line has this content. */
  void unexpected(String content, String expected) {
    problem(content, "'" + content + "'", expected);
  }

  /**
   * Adds a problem of the line.
   *
   * @param at where in the line
   * @throws QuorateException with all problems, if they are too many
   */
  void problem(String at, String found, String expected) {
    int column = Math.max(0, text.indexOf(at)) + 1;
    boolean isLong = found.length() > LONGEST_SHOWN;
    problems.add(
        file
            + (":" + number + ":" + column + ": found ")
            + GoText.visible(isLong ? found.substring(0, LONGEST_SHOWN) + "..." : found)
            + ", expected "
            + expected);
    if (problems.size() == MOST_PROBLEMS) {
      problemOfAll("and more; is this the text of etcd's benchmark?");
      requireNoProblem();
    }
  }

  /** Adds a problem of an earlier line. */
  void problemOfLine(int line, String found) {
    problems.add(file + ":" + line + ":1: found " + found);
  }

  /** Adds a problem of the whole text. */
  void problemOfAll(String what) {
    problems.add(file + ": " + what);
  }

  /** Returns how many problems there are so far. */
  int problems() {
    return problems.size();
  }

  /** Returns a failure at this line. */
  QuorateException failure(String what) {
    return new QuorateException(file + ":" + number + ": " + what);
  }

  /**
   * Does nothing if there is no problem.
   *
   * @throws QuorateException with every problem as {@code file:line:column}, what was found and
   *     what was expected
   */
  void requireNoProblem() {
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
  }
}
