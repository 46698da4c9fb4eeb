// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.OperationMix.RangeShape;
import io.quorate.scenario.Requests;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a mix: of neighboring keys with a common prefix, or of resources. Safe for several
 * threads.
 *
 * @param neighbors number of neighboring keys with the prefix: a power of ten
 * @param suffix number of the last digits of a key that are not in that prefix
 * @param resources resources, if keys consist of them
 * @param removable keys that may be missing; null if none may
 * @param check checks a value that was read
 */
record RangeRequests(
    RangeShape shape,
    ReadConsistency consistency,
    KeySequence keys,
    long keyCount,
    long neighbors,
    int suffix,
    @Nullable ResourceRequests resources,
    @Nullable RemovableKeys removable,
    KeyCheck check) {
  /** Checks whether a value was written to a key, or to any if its number is negative. */
  interface KeyCheck {
    ValueCheck of(long key, byte[] value);
  }

  static RangeRequests of(
      Requests asked,
      KeySequence keys,
      @Nullable ResourceRequests resources,
      @Nullable RemovableKeys removable,
      KeyCheck check) {
    RangeShape shape = asked.mix().range();
    long count = asked.keys().count();
    long neighbors = shape.keys();
    if (shape.isOfAll()) {
      neighbors = 1;
      while (neighbors < count) {
        neighbors *= 10;
      }
    }
    int suffix = String.valueOf(neighbors).length() - 1;
    return new RangeRequests(
        shape, asked.consistency(), keys, count, neighbors, suffix, resources, removable, check);
  }

  /**
   * Reads the neighbors of a key, or the next resource.
   *
   * @param starts whether it is the request of an API server that starts
   */
  void send(Connection connection, long key, boolean starts, Completion completion) {
    Request.Range range =
        resources == null ? range(key) : resources.nextRange(shape, consistency, starts);
    if (shape.page() > 0 && !range.countOnly()) {
      new PagedRange(connection, range, completion).start();
    } else {
      connection.submit(range, completion);
    }
  }

  private Request.Range range(long number) {
    byte[] key = keys.at(number);
    return range(shape, Arrays.copyOf(key, key.length - suffix), consistency);
  }

  /** Returns the range of all keys with a prefix, or the first page of it. */
  static Request.Range range(RangeShape shape, byte[] prefix, ReadConsistency consistency) {
    long limit = shape.page() > 0 ? shape.page() : shape.limit();
    return new Request.Range(prefix, limit, shape.returned(), consistency).inChunks(shape.stream());
  }

  ValueCheck check(long key, Answer.Entries entries) {
    if (resources != null) { // which objects a resource has changes all the time
      return entries.entries().stream()
          .map(entry -> check.of(-1, entry.value()))
          .filter(value -> value != ValueCheck.INTACT)
          .findFirst()
          .orElse(ValueCheck.INTACT);
    }
    long first = key - key % neighbors;
    long expected = Math.min(neighbors, keyCount - first);
    long returned = shape.limit() == 0 ? expected : Math.min(shape.limit(), expected);
    long absent = expected - entries.count();
    if (removable == null
        ? absent != 0 || entries.entries().size() != (shape.countOnly() ? 0 : returned)
        : absent < 0 || absent > removedOf(first, expected)) {
      return ValueCheck.OTHER_KEYS;
    }
    long number = first;
    for (Answer.Entry entry : entries.entries()) {
      while (removable != null
          && number < first + expected - 1
          && !Arrays.equals(entry.key(), keys.at(number))
          && removable.wasRemoved(number)) {
        number++;
      }
      if (!Arrays.equals(entry.key(), keys.at(number))) {
        return ValueCheck.OTHER_KEYS;
      }
      ValueCheck value =
          shape.returned() == ReturnedValue.KEYS
              ? ValueCheck.INTACT
              : check.of(number, entry.value());
      if (value != ValueCheck.INTACT) {
        return value;
      }
      number++;
    }
    return ValueCheck.INTACT;
  }

  /** Returns how many of some neighboring keys were removed at some time. */
  private long removedOf(long first, long count) {
    RemovableKeys removed = Objects.requireNonNull(removable);
    return LongStream.range(first, first + count).filter(removed::wasRemoved).count();
  }
}
