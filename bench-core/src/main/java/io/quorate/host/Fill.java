package io.quorate.host;

/** How a cell is found for a second of which there are several rows, or none. */
enum Fill {
  /** That of the later row: names, states, and what is no amount. */
  LATEST,
  /** A whole number that goes up and down: the mean, or on the line between the neighbours. */
  LEVEL,
  /** The same with two decimals. */
  DECIMAL,
  /** A whole number that only grows: the last one, or on the line between the neighbours. */
  COUNTER,
  /** Computed from other cells of this row and of the one before. */
  DERIVED
}
