// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The value of one key of a file.
 *
 * @param value value; empty if the key is missing, or its value is wrong
 * @param node node of the value; empty if the key is missing
 * @param wrong whether a problem was reported, so that nothing may be concluded from it
 * @param standard the default that the schema states; empty if it states none
 */
record Field<T>(
    Optional<T> value,
    Optional<Node> node,
    boolean wrong,
    Optional<T> standard,
    ScenarioProblems problems) {

  boolean is(T expected) {
    return value.filter(expected::equals).isPresent();
  }

  /** Returns the value or its default; empty if there is neither, or the value is wrong. */
  Optional<T> orDefault() {
    return wrong ? Optional.empty() : value.or(() -> standard);
  }

  /**
   * Returns the value, or its default if the value is missing or wrong; the default has to exist.
   */
  T effective() {
    return value.or(() -> standard).orElseThrow();
  }

  /** Returns the value; only to be called after all problems were thrown. */
  T get() {
    return value.orElseThrow();
  }

  void report(String found, String expected) {
    problems.add(node.orElseThrow(), found, expected);
  }

  void report(String expected) {
    report(Messages.of(((Number) get()).longValue()), expected);
  }
}
