// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.List;

/** Tells whether these are the tests of the night, which run some tests on more stores. */
public final class NightlyRun {
  private NightlyRun() {}

  public static boolean isOn() {
    return Boolean.getBoolean("quorate.nightly");
  }

  /** Returns all stores at night, and otherwise one or a few, as the others take the same road. */
  public static List<String> stores(List<String> all, String... otherwise) {
    return isOn() ? all : List.of(otherwise);
  }
}
