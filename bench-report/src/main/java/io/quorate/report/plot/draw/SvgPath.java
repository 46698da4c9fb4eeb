package io.quorate.report.plot.draw;

import java.util.regex.Pattern;

/**
 * Shortens the data of a path of straight lines: every point relative to the one before it, in
 * tenths, with no more blanks than are needed. The points stay the same.
 */
final class SvgPath {
  /** Matches points as Batik writes them: {@code M1 2.5 L3 4 Z}. */
  private static final Pattern COMMAND = Pattern.compile("[ML]-?\\d{1,9}(\\.\\d)?");

  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}(\\.\\d)?");

  private final StringBuilder text = new StringBuilder();
  private long x;
  private long y;
  private long startX;
  private long startY;
  private char last;

  private SvgPath() {}

  /** Returns the same path, shortened; unchanged if it has anything but straight lines. */
  static String shortened(String data) {
    SvgPath path = new SvgPath();
    String[] words = data.strip().split(" ");
    for (int i = 0; i < words.length; ) {
      if (words[i].equals("Z")) {
        path.close();
        i++;
      } else if (i + 1 < words.length
          && COMMAND.matcher(words[i]).matches()
          && NUMBER.matcher(words[i + 1]).matches()) {
        path.point(words[i].charAt(0), tenths(words[i].substring(1)), tenths(words[i + 1]));
        i += 2;
      } else {
        return data;
      }
    }
    return path.text.toString();
  }

  private static long tenths(String number) {
    return Math.round(Double.parseDouble(number) * 10);
  }

  private void close() {
    text.append('z');
    x = startX;
    y = startY;
    last = 'z';
  }

  private void point(char command, long toX, long toY) {
    if (command == 'M') {
      text.append(text.isEmpty() ? 'M' : 'm');
      startX = toX;
      startY = toY;
    } else if (last != 'L') {
      text.append('l');
    }
    boolean first = command == 'M' || last != 'L';
    number(toX - x, first);
    number(toY - y, false);
    x = toX;
    y = toY;
    last = command;
  }

  private void number(long tenths, boolean first) {
    if (!first && tenths >= 0) {
      text.append(' ');
    }
    if (tenths < 0) {
      text.append('-');
    }
    long size = Math.abs(tenths);
    if (size >= 10 || size == 0) {
      text.append(size / 10);
    }
    if (size % 10 != 0) {
      text.append('.').append(size % 10);
    }
  }
}
