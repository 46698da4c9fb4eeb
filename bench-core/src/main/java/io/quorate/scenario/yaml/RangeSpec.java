package io.quorate.scenario.yaml;

import io.quorate.scenario.OperationMix;
import io.quorate.store.Returned;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The keys that a range reads, as a file gives them.
 *
 * @param keys how many have the prefix; {@value #ALL} for all
 * @param page how many are asked for at a time
 */
record RangeSpec(
    Field<Long> keys,
    Field<Long> limit,
    Field<Boolean> countOnly,
    Field<Boolean> keysOnly,
    Field<Long> page) {
  private static final long ALL = 0;

  /** Reads it; its fields are absent if there is none. */
  static RangeSpec read(Section top, ScenarioProblems problems) {
    Section section = top.section("range");
    RangeSpec range =
        new RangeSpec(
            section.field("keys", keys(section.schema("keys"))),
            section.number("limit"),
            section.truth("count-only"),
            section.truth("keys-only"),
            section.number("page"));
    range.checkParts(section, problems);
    return range;
  }

  private static ValueType<Long> keys(ScenarioSchema schema) {
    ValueType<Long> number = ValueType.wholeNumber(schema);
    return new ValueType<>(
        number.expected(),
        number.names(),
        scalar ->
            scalar.getValue().equals("all") ? Optional.of(ALL) : number.parser().apply(scalar));
  }

  private void checkParts(Section section, ScenarioProblems problems) {
    boolean counts = countOnly.effective();
    if (counts && keysOnly.effective()) {
      String found = "the key 'keys-only' beside count-only: true";
      problems.add(section.key("keys-only"), found, "one of them: no keys are returned");
    }
    if (page.node().isPresent() && (counts || limit.node().isPresent())) {
      String found = "the key 'page' beside '%s'".formatted(counts ? "count-only" : "limit");
      String expected = "one of them: pages are read until all keys have been returned";
      problems.add(section.key("page"), found, expected);
    }
    if (limit.node().isPresent() && counts) {
      String found = "the key 'limit' beside count-only: true";
      problems.add(section.key("limit"), found, "one of them: no keys are returned");
    } else if (keys.value().filter(n -> n != ALL && limit.value().orElse(n) > n).isPresent()) {
      String expected = "no more than the " + Messages.of(keys.get()) + " keys of the range";
      problems.add(limit.node().orElseThrow(), Messages.of(limit.get()), expected);
    }
  }

  /** Returns the range, with one key if their number is wrong or not given. */
  OperationMix.RangeShape shape() {
    Returned returned =
        countOnly.effective()
            ? Returned.COUNT
            : keysOnly.effective() ? Returned.KEYS : Returned.ENTRIES;
    return new OperationMix.RangeShape(
        keys.value().orElse(1L), limit.value().orElse(0L), returned, page.value().orElse(0L));
  }

  /**
   * Reports a range of more keys than there are, of all of an unknown number, or without a prefix.
   *
   * @param count how many keys there are; empty if that is wrong, or not known
   */
  void check(
      Field<Integer> keySize, Field<Long> given, Optional<Long> count, ScenarioProblems problems) {
    if (keys.value().isEmpty()) {
      return;
    }
    long size = keys.get();
    Node node = keys.node().orElseThrow();
    if (size == ALL) {
      if (given.node().isEmpty()) {
        String expected = "how many keys there are, such as count: 10_000";
        problems.add(node, "'all' without the key 'count' of keys", expected);
      } else if (limit.value().filter(n -> n > given.value().orElse(n)).isPresent()) {
        String expected = "no more than there are keys, " + Messages.of(given.get());
        problems.add(limit.node().orElseThrow(), Messages.of(limit.get()), expected);
      }
      return;
    }
    if (count.filter(n -> n < size).isPresent()) {
      String expected = "no more than there are keys, " + Messages.of(count.get());
      problems.add(node, Messages.of(size), expected);
    }
    int digits = String.valueOf(size).length() - 1;
    if (keySize.value().filter(bytes -> bytes <= digits).isPresent()) {
      String expected = "fewer, so that keys of this size (" + keySize.get() + ") have a prefix";
      problems.add(node, Messages.of(size), expected);
    }
  }
}
