package io.quorate.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cell of a matrix: a scenario of one database, and where it stands.
 *
 * @param id names the directory of its runs; begins with its number
 * @param coordinates its value on each axis, in the order of the axes; without those that mean
 *     nothing to it
 * @param scenario whose source is the text of a file of its own
 */
public record MatrixCell(String id, Map<String, String> coordinates, Scenario scenario) {
  public MatrixCell {
    coordinates = Collections.unmodifiableMap(new LinkedHashMap<>(coordinates));
  }

  /** Returns its values in words, such as {@code etcd, put, leader, 256}. */
  public String label() {
    return String.join(", ", coordinates.values());
  }
}
