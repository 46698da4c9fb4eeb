package io.quorate.scenario;

import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The value of one key of a file.
 *
 * @param value empty if the key is not there, or wrong
 * @param node where the value stands; empty if the key is not there
 * @param wrong whether a problem was reported, so that nothing may be concluded from it
 */
record Field<T>(Optional<T> value, Optional<Node> node, boolean wrong) {

  /** Returns the field of a missing optional key. */
  static <T> Field<T> absent() {
    return new Field<>(Optional.empty(), Optional.empty(), false);
  }

  /** Returns the field of a missing required key. */
  static <T> Field<T> missing() {
    return new Field<>(Optional.empty(), Optional.empty(), true);
  }

  static <T> Field<T> of(Node node, Optional<T> value) {
    return new Field<>(value, Optional.of(node), value.isEmpty());
  }

  /** Returns the value or its default; empty if it is wrong, as its meaning is then unknown. */
  Optional<T> or(T standard) {
    return wrong ? Optional.empty() : Optional.of(value.orElse(standard));
  }

  /** Returns the value; only to be called after all problems were thrown. */
  T get() {
    return value.orElseThrow();
  }
}
