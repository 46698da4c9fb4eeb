// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

/**
 * Two zones in either order, or one zone twice for two machines of it.
 *
 * @param first the name that is first in the alphabet, or the same name
 */
public record ZonePair(String first, String second) {
  public ZonePair {
    if (first.compareTo(second) > 0) {
      String lesser = second;
      second = first;
      first = lesser;
    }
  }

  /** Returns the pair in words: {@code a to b}, or {@code within a}. */
  @Override
  public String toString() {
    return first.equals(second) ? "within " + first : first + " to " + second;
  }
}
