// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.Problems;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads options by their names, and collects errors in their values. */
final class OptionReader {
  /** Value that Maven and others give to {@code -Dname}. */
  private static final String WITHOUT_VALUE = "true";

  private final Map<String, String> options;
  private final Problems problems = new Problems();

  OptionReader(Map<String, String> options) {
    this.options = options;
  }

  /** Reads an option; empty if it is not set, or its value is wrong. */
  <T> Optional<T> read(String name, Function<String, T> reader) {
    String text = options.get(name);
    if (text == null) {
      return Optional.empty();
    }
    if (text.isBlank() || text.equals(WITHOUT_VALUE)) {
      problems.add(name + ": found nothing, expected a value; leave the option out");
      return Optional.empty();
    }
    if (text.contains("\uFFFD") || text.contains("\\ufffd")) {
      problems.add(
          "%s: Maven could not read all characters of its value: set LC_ALL=C.UTF-8 (or another locale of UTF-8)"
              .formatted(name));
      return Optional.empty();
    }
    return problems.attempt(() -> reader.apply(text));
  }

  /** Reads an option whose reader returns nothing for a wrong value. */
  <T> Optional<T> read(String name, String expected, Function<String, Optional<T>> reader) {
    return read(name, text -> reader.apply(text).orElseThrow(() -> wrong(name, text, expected)));
  }

  static QuorateException wrong(String name, String found, String expected) {
    return new QuorateException(
        "%s: found %s, expected %s".formatted(name, VisibleText.quoted(found), expected));
  }

  /** Reads a switch; false if it is not set, or its value is wrong. */
  boolean isOn(String name) {
    String text = options.getOrDefault(name, "false");
    if (!text.isEmpty() && !text.equals("true") && !text.equals("false")) {
      problems.add(wrong(name, text, "true or false").getMessage());
    }
    return text.isEmpty() || text.equals("true");
  }

  void throwIfWrong() {
    problems.throwIfAny();
  }
}
