package io.quorate.scenario;

import java.util.Optional;
import java.util.stream.IntStream;
import org.snakeyaml.engine.v2.nodes.Node;

/** The keys that a range reads, as a file gives them. */
record GivenRange(Field<Integer> keys, Field<Long> limit, Field<Boolean> countOnly) {
  static final String EXPECTED = "a map such as {keys: 100}";
  private static final int MOST_KEYS = 1_000_000;
  private static final ValueKind<Integer> KEYS =
      ValueKind.number(
          "a power of ten from 1 to " + ShownText.of(MOST_KEYS),
          IntStream.iterate(1, each -> each <= MOST_KEYS, each -> each * 10).boxed().toList());

  /** Reads it; absent fields if there is none. */
  static GivenRange read(Section top, ScenarioProblems problems) {
    Optional<Section> range =
        top.optional("range").flatMap(node -> Section.of(node, EXPECTED, problems));
    if (range.isEmpty()) {
      return new GivenRange(Field.absent(), Field.absent(), Field.absent());
    }
    Section section = range.get();
    Field<Integer> keys = section.required("keys", KEYS);
    Field<Long> limit = section.optional("limit", ValueKind.wholeNumber(1, MOST_KEYS));
    Field<Boolean> countOnly = section.optional("count-only", ValueKind.truth());
    section.close();
    if (limit.node().isPresent() && countOnly.value().orElse(false)) {
      String found = "the key 'limit' beside count-only: true";
      problems.add(section.key("limit"), found, "one of them: no keys are returned");
    } else if (keys.value().isPresent() && limit.value().filter(n -> n > keys.get()).isPresent()) {
      String expected = "no more than the " + ShownText.of(keys.get()) + " keys of the range";
      problems.add(limit.node().orElseThrow(), ShownText.of(limit.get()), expected);
    }
    return new GivenRange(keys, limit, countOnly);
  }

  /** Returns the range, with one key if their number is wrong or not given. */
  OperationMix.RangeShape shape() {
    return new OperationMix.RangeShape(
        keys.value().orElse(1), limit.value().orElse(0L), countOnly.value().orElse(false));
  }

  /** Reports a range of more keys than there are, or without a prefix. */
  void check(Optional<Integer> keySize, Optional<Long> count, ScenarioProblems problems) {
    if (keys.value().isEmpty()) {
      return;
    }
    int size = keys.get();
    Node node = keys.node().orElseThrow();
    if (count.filter(n -> n < size).isPresent()) {
      String expected = "no more than there are keys, " + ShownText.of(count.get());
      problems.add(node, ShownText.of(size), expected);
    }
    int digits = String.valueOf(size).length() - 1;
    if (keySize.filter(bytes -> bytes <= digits).isPresent()) {
      String expected = "fewer, so that keys of this size (" + keySize.get() + ") have a prefix";
      problems.add(node, ShownText.of(size), expected);
    }
  }
}
