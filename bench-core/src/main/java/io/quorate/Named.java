// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.Locale;

/** A constant with an id for files and messages: its name in lower case with hyphens. */
public interface Named {
  String name();

  default String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
