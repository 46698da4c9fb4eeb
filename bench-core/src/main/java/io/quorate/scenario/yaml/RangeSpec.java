// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.OperationMix;
import io.quorate.store.ReturnedValue;
import java.util.Optional;

/**
 * The keys that a range reads, as written in a file.
 *
 * @param keys number of keys with the prefix; {@value #ALL} for all
 */
record RangeSpec(
    Field<Long> keys,
    Field<Long> limit,
    Field<Boolean> countOnly,
    Field<Boolean> keysOnly,
    Field<Long> page,
    Field<Boolean> stream) {
  private static final long ALL = 0;

  static RangeSpec read(Section top) {
    Section section = top.section("range");
    ValueType<Long> number = ValueType.wholeNumber(section.schema("keys"));
    RangeSpec range =
        new RangeSpec(
            section.field("keys", number.or("all", ALL, number.expected())),
            section.number("limit"),
            section.truth("count-only"),
            section.truth("keys-only"),
            section.number("page"),
            section.truth("stream"));
    range.checkParts(section);
    return range;
  }

  private void checkParts(Section section) {
    boolean counts = countOnly.effective();
    if (counts && keysOnly.effective()) {
      String found = "the key 'keys-only' together with count-only: true";
      section.report("keys-only", found, "one of them: no keys are returned");
    }
    if (page.node().isPresent() && (counts || limit.node().isPresent())) {
      String found = "the key 'page' together with '%s'".formatted(counts ? "count-only" : "limit");
      section.report(
          "page", found, "one of them: pages are read until all keys have been returned");
    }
    if (limit.node().isPresent() && counts) {
      String found = "the key 'limit' together with count-only: true";
      section.report("limit", found, "one of them: no keys are returned");
    } else if (keys.value().filter(n -> n != ALL && limit.value().orElse(n) > n).isPresent()) {
      limit.report("no more than the " + Messages.of(keys.get()) + " keys of the range");
    }
  }

  OperationMix.RangeShape shape() {
    ReturnedValue returned =
        countOnly.effective()
            ? ReturnedValue.COUNT
            : keysOnly.effective() ? ReturnedValue.KEYS : ReturnedValue.ENTRIES;
    return new OperationMix.RangeShape(
        keys.value().orElse(1L),
        limit.value().orElse(0L),
        returned,
        page.value().orElse(0L),
        stream.effective());
  }

  /**
   * Reports a range with more keys than exist, with an unknown number of keys, or without a prefix.
   */
  void check(Field<Integer> keySize, Field<Long> given, Optional<Long> count) {
    if (keys.is(ALL)) {
      if (given.node().isEmpty()) {
        String expected = "how many keys there are, such as count: 10_000";
        keys.report("'all' without the key 'count' of keys", expected);
      } else if (limit.value().filter(n -> n > given.value().orElse(n)).isPresent()) {
        limit.report("no more than there are keys, " + Messages.of(given.get()));
      }
    } else if (keys.value().isPresent()) {
      if (count.filter(n -> n < keys.get()).isPresent()) {
        keys.report("no more than there are keys, " + Messages.of(count.get()));
      }
      int digits = String.valueOf(keys.get()).length() - 1;
      if (keySize.value().filter(bytes -> bytes <= digits).isPresent()) {
        keys.report("fewer, so that keys of this size (" + keySize.get() + ") have a prefix");
      }
    }
  }
}
