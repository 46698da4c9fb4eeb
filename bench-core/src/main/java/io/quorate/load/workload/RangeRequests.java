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
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a mix: of neighboring keys with a common prefix, or of resources. Safe for several
 * threads.
 */
final class RangeRequests {
  private final RangeShape shape;
  private final ReadConsistency consistency;
  private final KeySequence keys;
  private final long keyCount;
  private final @Nullable ResourceRequests resources;
  private final @Nullable RemovableKeys removable;
  private final KeyCheck check;
  private final Function<byte[], ValueCheck> checkObject;

  /** Number of neighboring keys with the prefix: a power of ten. */
  private final long neighbors;

  /** Number of the last digits of a key that are not in that prefix. */
  private final int suffix;

  /** Checks whether a value was written to a key of a number. */
  interface KeyCheck {
    ValueCheck of(long key, byte[] value);
  }

  RangeRequests(
      Requests asked,
      KeySequence keys,
      @Nullable ResourceRequests resources,
      @Nullable RemovableKeys removable,
      KeyCheck check,
      Function<byte[], ValueCheck> checkObject) {
    this.shape = asked.mix().range();
    this.consistency = asked.consistency();
    this.keys = keys;
    this.keyCount = asked.keys().count();
    this.resources = resources;
    this.removable = removable;
    this.check = check;
    this.checkObject = checkObject;
    this.neighbors =
        shape.isOfAll()
            ? LongStream.iterate(1, power -> power < keyCount * 10, power -> power * 10)
                .filter(power -> power >= keyCount)
                .findFirst()
                .orElseThrow()
            : shape.keys();
    this.suffix = String.valueOf(neighbors).length() - 1;
  }

  /** Reads the neighbors of a key, or the next resource. */
  void send(Connection connection, long key, Completion completion) {
    Request.Range range = resources == null ? range(key) : resources.nextRange(shape, consistency);
    if (shape.page() > 0 && !range.countOnly()) {
      new PagedRange(connection, range, completion).start();
    } else {
      connection.submit(range, completion);
    }
  }

  private Request.Range range(long number) {
    byte[] key = keys.at(number);
    byte[] prefix = Arrays.copyOf(key, key.length - suffix);
    long limit = shape.page() > 0 ? shape.page() : shape.limit();
    return new Request.Range(prefix, limit, shape.returned(), consistency).inChunks(shape.stream());
  }

  ValueCheck check(long key, Answer.Entries entries) {
    if (resources != null) { // which objects a resource has changes all the time
      return entries.entries().stream()
          .map(entry -> checkObject.apply(entry.value()))
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
