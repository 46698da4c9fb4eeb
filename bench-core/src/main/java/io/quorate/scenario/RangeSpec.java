package io.quorate.scenario;

import io.quorate.store.Returned;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
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
  static final String EXPECTED = "a map such as {keys: 100}";
  private static final long ALL = 0;
  private static final long MAX_KEYS = 1_000_000;
  private static final List<Long> POWERS_OF_TEN =
      LongStream.iterate(1, each -> each <= MAX_KEYS, each -> each * 10).boxed().toList();
  private static final ValueType<Long> NUMBER = ValueType.wholeNumber(1, MAX_KEYS);
  private static final ValueType<Long> KEYS =
      new ValueType<>(
          "a power of ten from 1 to " + Messages.of(MAX_KEYS) + ", or all",
          List.of(),
          scalar ->
              scalar.getValue().equals("all")
                  ? Optional.of(ALL)
                  : NUMBER.parser().apply(scalar).filter(POWERS_OF_TEN::contains));

  /** Reads it; absent fields if there is none. */
  static RangeSpec read(Section top, ScenarioProblems problems) {
    Optional<Section> section =
        top.optional("range").flatMap(node -> Section.of(node, EXPECTED, problems));
    if (section.isEmpty()) {
      return new RangeSpec(
          Field.absent(), Field.absent(), Field.absent(), Field.absent(), Field.absent());
    }
    RangeSpec range = read(section.get());
    section.get().close();
    range.checkParts(section.get(), problems);
    return range;
  }

  private static RangeSpec read(Section section) {
    return new RangeSpec(
        section.required("keys", KEYS),
        section.optional("limit", NUMBER),
        section.optional("count-only", ValueType.truth()),
        section.optional("keys-only", ValueType.truth()),
        section.optional("page", NUMBER));
  }

  private void checkParts(Section section, ScenarioProblems problems) {
    boolean counts = countOnly.value().orElse(false);
    if (counts && keysOnly.value().orElse(false)) {
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
        countOnly.value().orElse(false)
            ? Returned.COUNT
            : keysOnly.value().orElse(false) ? Returned.KEYS : Returned.ENTRIES;
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
