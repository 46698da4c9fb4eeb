package io.quorate.report.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Breaks text at blanks so that the lines are as even as possible: the sum of the squares of what
 * is left free at their ends is the least, not counting the last line. A word is never broken.
 */
final class WordWrap {
  private static final long TOO_LONG = 100_000;

  private final String[] words;
  private final int limit;

  private WordWrap(String text, int limit) {
    this.words = text.replace('\n', ' ').split(" ", -1);
    int longest = 0;
    for (String word : words) {
      longest = Math.max(longest, AsciiTable.width(word));
    }
    this.limit = Math.max(limit, longest);
  }

  /** Returns the lines of the text, no longer than the limit or than its longest word. */
  static List<String> lines(String text, int limit) {
    return new WordWrap(text, limit).lines();
  }

  private List<String> lines() {
    int[] ends = ends();
    List<String> lines = new ArrayList<>();
    for (int first = 0; first < words.length; first = ends[first]) {
      lines.add(line(first, ends[first]));
    }
    return lines;
  }

  /**
   * Returns, for every word that could begin a line, the word that then best begins the next one.
   */
  private int[] ends() {
    int[] ends = new int[words.length];
    long[] costs = new long[words.length];
    for (int first = words.length - 1; first >= 0; first--) {
      costs[first] = Long.MAX_VALUE;
      if (length(first, words.length) <= limit) {
        costs[first] = 0;
        ends[first] = words.length;
        continue;
      }
      for (int end = first + 1; end < words.length; end++) {
        long free = limit - length(first, end);
        long cost = free * free + costs[end] + (free < 0 ? TOO_LONG : 0);
        if (cost < costs[first]) {
          costs[first] = cost;
          ends[first] = end;
        }
      }
    }
    return ends;
  }

  private int length(int first, int end) {
    return AsciiTable.width(line(first, end));
  }

  private String line(int first, int end) {
    return String.join(" ", List.of(words).subList(first, end));
  }
}
