package io.quorate.results.requests;

import io.quorate.format.Capacity;
import io.quorate.format.CsvTable.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that the rows of the client's files follow each other as those of one run do, and converts
 * them to results.
 */
final class RowOrder {
  /** Rounding tolerance: half of the last digit, for each of two figures. */
  static final double ROUNDING_MS = 1e-4;

  private static final long BUCKET_MS = 10;

  /** Longest pause between steps. */
  private static final long LONGEST_PAUSE_SECONDS = 24 * 60 * 60;

  /** Last second since 1970 of which nanoseconds fit a long. */
  private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000;

  private static final long MOST_SECONDS = 31 * 24 * 60 * 60;

  /** Bytes that the plots and files of one second take. */
  private static final long BYTES_PER_SECOND = 1024;

  /** Requests per row by number of keys. */
  private static final long UNIT = 1000;

  private static final long BYTES_PER_KEY_ROW = 500;
  private static final long MOST_REQUESTS = 1_000_000_000_000_000L;

  private RowOrder() {}

  /** Reads buckets of 10 ms that ascend. */
  static List<ClientResults.Bucket> distribution(List<Row> rows) {
    List<ClientResults.Bucket> buckets = new ArrayList<>();
    long next = 0;
    long sum = 0;
    for (Row row : rows) {
      long from = row.integer(0);
      if (from < next || from % BUCKET_MS != 0) {
        throw row.wrong("a bucket from " + from + " ms", "a multiple of 10, " + next + " or more");
      }
      next = from + BUCKET_MS;
      sum = sum(row, sum, count(row, 1));
      buckets.add(new ClientResults.Bucket(from, count(row, 1)));
    }
    return buckets;
  }

  /** Reads seconds; one may occur twice, where a step ends and the next one begins. */
  static List<ClientResults.Second> seconds(List<Row> rows, Optional<AskedLoad> steps) {
    List<ClientResults.Second> seconds = new ArrayList<>();
    Map<Long, Integer> timesByClients = new HashMap<>();
    long first = rows.isEmpty() ? 0 : second(rows.get(0));
    long before = first;
    long sum = 0;
    for (Row row : rows) {
      long second = second(row);
      checkSecond(row, before, second);
      if (second > before) {
        timesByClients.clear();
      }
      Capacity.check(
          row.where(),
          second - first,
          "seconds from the first one",
          MOST_SECONDS,
          BYTES_PER_SECOND);
      steps.ifPresent(known -> known.checkClients(row, 1));
      long clients = row.integer(1);
      int times = timesByClients.merge(clients, 1, Integer::sum);
      if (steps.filter(known -> times > known.times(clients)).isPresent()) {
        throw row.wrong("second " + second + " again", "it once for each step");
      }
      seconds.add(second(row, steps.isPresent()));
      sum = sum(row, sum, count(row, 5));
      Capacity.check(
          row.where(), sum / UNIT, "rows by number of keys", MOST_REQUESTS, BYTES_PER_KEY_ROW);
      before = second;
    }
    return seconds;
  }

  private static ClientResults.Second second(Row row, boolean ours) {
    if (ours) {
      check(row, row.number(2), row.number(3), row.number(4));
    }
    return new ClientResults.Second(
        second(row), row.integer(1), row.number(2), row.number(3), row.number(4), count(row, 5));
  }

  private static void checkSecond(Row row, long before, long second) {
    if (second < before) {
      throw row.wrong("second " + second, before + " or later (the clock went back)");
    }
    if (second - before > LONGEST_PAUSE_SECONDS) {
      throw row.wrong("second " + second, "one soon after " + before + " (was the clock set?)");
    }
  }

  private static long second(Row row) {
    return second(row, 0);
  }

  /** Reads a second since 1970. */
  static long second(Row row, int column) {
    long second = row.integer(column);
    if (second > LAST_SECOND) {
      throw row.wrong("second " + second, "one since 1970, at most " + LAST_SECOND);
    }
    return second;
  }

  /** Returns the sum with one more count, which never overflows a long. */
  static long sum(Row row, long before, long count) {
    if (before + count > MOST_REQUESTS) {
      throw row.wrong("more than 10^15 requests up to here", "fewer");
    }
    return before + count;
  }

  /**
   * Reads numbers of keys that ascend.
   *
   * @param ours whether the figures of a row must agree; in directories of dbtester they may not
   */
  static List<ClientResults.KeyNumber> keyNumbers(List<Row> rows, boolean ours) {
    List<ClientResults.KeyNumber> numbers = new ArrayList<>();
    long before = -1;
    for (Row row : rows) {
      long keys = row.integer(0);
      if (keys <= before) {
        throw row.wrong(keys + " keys", "more than " + before + " as in the row before");
      }
      before = keys;
      if (ours) {
        check(row, row.number(1), row.number(2), row.number(3));
      }
      numbers.add(new ClientResults.KeyNumber(keys, row.number(1), row.number(2), row.number(3)));
    }
    return numbers;
  }

  /** Reads a number of requests, small enough that no sum of ours overflows a long. */
  static long count(Row row, int column) {
    long count = row.integer(column);
    if (count > MOST_REQUESTS) {
      throw row.wrong(row.text(column) + " requests", "at most 10^15");
    }
    return count;
  }

  /** Fails unless these latencies ascend. */
  static void check(Row row, double least, double average, double most) {
    if (least > average + ROUNDING_MS || average > most + ROUNDING_MS) {
      throw row.wrong(
          "%s, %s and %s ms".formatted(least, average, most),
          "the least, the average and the greatest latency, none above the next");
    }
  }
}
