package io.quorate.scenario;

import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * What stands behind one key of a file.
 *
 * @param value empty if the key is not there, or wrong
 * @param node where the value stands; empty if the key is not there
 * @param wrong whether a problem was reported, so that nothing may be concluded from it
 */
record Field<T>(Optional<T> value, Optional<Node> node, boolean wrong) {

  /** A key that was left out and may be. */
  static <T> Field<T> absent() {
    return new Field<>(Optional.empty(), Optional.empty(), false);
  }

  /** A key that was left out and may not be. */
  static <T> Field<T> missing() {
    return new Field<>(Optional.empty(), Optional.empty(), true);
  }

  static <T> Field<T> of(Node node, Optional<T> value) {
    return new Field<>(value, Optional.of(node), value.isEmpty());
  }

  /** The value or its default; empty if it is wrong, for then nobody knows what was meant. */
  Optional<T> or(T standard) {
    return wrong ? Optional.empty() : Optional.of(value.orElse(standard));
  }

  /** The value; only to be asked for after all problems were thrown. */
  T get() {
    return value.orElseThrow();
  }
}
