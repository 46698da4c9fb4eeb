// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.ByteSize;
import io.quorate.scenario.ValueSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The sizes of values, as written in a file.
 *
 * @param sizes sizes; empty if there are none, or some are wrong
 * @param nodes node of each size
 */
record ValuesSpec(Section section, Optional<ValueSizes> sizes, Map<Integer, Node> nodes) {
  private static final String KEY = "values";
  private static final String SIZE = "size";
  private static final String SIZES = "sizes";
  private static final String MIN = "min";
  private static final String MAX = "max";
  private static final String GROW = "grow";
  private static final long MAX_BYTES = 1_000_000;
  private static final ValueType<Integer> WEIGHT =
      ValueType.count(ScenarioSchema.definition("million"));

  /**
   * Reads the sizes.
   *
   * @param required whether requests have values
   */
  static ValuesSpec read(Section top, boolean required) {
    Section section = required ? top.requiredSection(KEY) : top.section(KEY);
    Map<Integer, Node> nodes = new LinkedHashMap<>();
    boolean given = top.has(KEY) && !section.wrong();
    List<String> ways = Stream.of(SIZE, SIZES, MIN, GROW).filter(section::has).toList();
    if (given && (ways.size() != 1 || section.has(MIN) != section.has(MAX))) {
      section.report(
          ways.size() > 1 ? section.key(ways.get(1)) : section.node(),
          ways.size() > 1
              ? "the key '%s' together with '%s'".formatted(ways.get(1), ways.get(0))
              : section.has(MIN) || section.has(MAX)
                  ? "one of the keys 'min' and 'max'"
                  : "neither the key 'size' nor 'sizes'",
          "one of them, such as size: 1024, sizes: {100: 70, 1KiB: 30} or {min: 100, max: 1KiB}");
      return new ValuesSpec(section, Optional.empty(), nodes);
    }
    if (section.has(MIN)) {
      return new ValuesSpec(section, range(section, nodes), nodes);
    }
    if (section.has(GROW)) {
      Field<ValueSizes> sizes = section.field(GROW, growth(section.schema(GROW)));
      sizes.value().ifPresent(known -> nodes.put(known.mostBytes(), sizes.node().get()));
      return new ValuesSpec(section, sizes.value(), nodes);
    }
    if (section.has(SIZES)) {
      return new ValuesSpec(section, distribution(section, nodes), nodes);
    }
    Field<Integer> size = section.size(SIZE);
    size.node().ifPresent(node -> size.value().ifPresent(bytes -> nodes.put(bytes, node)));
    return new ValuesSpec(section, size.value().map(ValueSizes::fixed), nodes);
  }

  private static Optional<ValueSizes> range(Section section, Map<Integer, Node> nodes) {
    Field<Integer> min = section.size(MIN);
    Field<Integer> max = section.size(MAX);
    if (min.value().isEmpty() || max.value().isEmpty()) {
      return Optional.empty();
    }
    nodes.put(min.get(), min.node().get());
    if (max.get() <= min.get()) {
      max.report("more than 'min', " + Messages.of((long) min.get()));
      return Optional.empty();
    }
    return Optional.of(ValueSizes.between(min.get(), max.get()));
  }

  private static ValueType<ValueSizes> growth(ScenarioSchema schema) {
    return ValueType.text(
        schema.expected(),
        text ->
            Optional.of(text)
                .filter(schema::allows)
                .map(each -> each.split("\\.\\.", 2))
                .flatMap(
                    ends ->
                        ByteSize.parse(ends[0])
                            .flatMap(
                                least ->
                                    ByteSize.parse(ends[1])
                                        .filter(most -> least < most && most <= MAX_BYTES)
                                        .map(
                                            most ->
                                                ValueSizes.growing(
                                                    least.intValue(), most.intValue())))));
  }

  private static Optional<ValueSizes> distribution(Section section, Map<Integer, Node> nodes) {
    ScenarioSchema schema = section.schema(SIZES);
    Section map = section.section(SIZES);
    if (map.wrong()) {
      return Optional.empty();
    }
    int count = map.keys().size();
    if (count < 1 || count > ValueSizes.MAX_SHARES) {
      section.report(map.node(), Messages.of(count) + " sizes", schema.expected());
      return Optional.empty();
    }
    ValueType<Integer> size = ValueType.size(section.schema(SIZE));
    List<ValueSizes.Share> shares = new ArrayList<>();
    for (String name : map.keys()) {
      Optional<Integer> bytes = map.read(map.key(name), size);
      Optional<Integer> weight = map.field(name, WEIGHT).value();
      if (bytes.isPresent() && nodes.putIfAbsent(bytes.get(), map.key(name)) != null) {
        map.report(name, "the size of " + Messages.of(bytes.get()) + " bytes again", "it once");
      } else if (bytes.isPresent() && weight.isPresent()) {
        shares.add(new ValueSizes.Share(bytes.get(), weight.get()));
      }
    }
    return shares.size() < count ? Optional.empty() : Optional.of(new ValueSizes(shares));
  }

  /** Reports sizes below a number of bytes, which they need for a reason. */
  void checkAtLeast(int least, String reason) {
    nodes.forEach(
        (bytes, node) -> {
          if (bytes < least) {
            section.report(node, Messages.of((long) bytes), "at least " + least + reason);
          }
        });
  }

  /** Reports sizes that grow, if the number of requests is unknown. */
  void refuseGrowth() {
    if (sizes.filter(ValueSizes::growing).isPresent()) {
      section.report(GROW, "sizes that grow until a time", "a number of requests, or a rate");
    }
  }

  /** Returns the sizes; if requests have no values, the size 0. */
  ValueSizes orNone() {
    return sizes.orElseGet(() -> ValueSizes.fixed(0));
  }
}
