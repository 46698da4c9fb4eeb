// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.List;
import java.util.stream.IntStream;

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

  /** Returns all numbers of members at night, and otherwise the first one. */
  public static IntStream sizes(int... all) {
    return IntStream.of(all).limit(isOn() ? all.length : 1);
  }
}
