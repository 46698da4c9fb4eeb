// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

/** Rules for computing a cell of a second with several rows, or none. */
enum GapFill {
  /** Cell of the later row: for names, states, and other values that are not amounts. */
  LATEST,
  /**
   * Whole number that goes up and down: the mean, or a linear interpolation between the neighbors.
   */
  LEVEL,
  /** Number that goes up and down, as {@link #LEVEL}, with two decimals. */
  DECIMAL,
  /**
   * Whole number that only grows: the last one, or a linear interpolation between the neighbors.
   */
  COUNTER,
  /** Computed from other cells of this row and of the one before. */
  DERIVED
}
