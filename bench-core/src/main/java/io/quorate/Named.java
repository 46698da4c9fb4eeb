package io.quorate;

import java.util.Locale;

/** A constant whose id, for files and messages, is its name in lower case with hyphens. */
public interface Named {
  String name();

  default String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
