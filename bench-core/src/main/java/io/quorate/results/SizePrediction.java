// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.StrictJson;
import java.time.Instant;
import java.util.List;

/**
 * A value of the cell with the most data, predicted before it was measured: a line of {@code
 * predictions.jsonl} in the directory of a matrix.
 *
 * @param at when it was predicted
 * @param cell id of the cell
 * @param series database, and the values of all axes that do not change the size of the data
 * @param value name of the value, with its unit
 * @param gigabytes size of the data of the cell, in GB of 10^9 bytes
 * @param sizes sizes of the cells from which it was predicted
 */
public record SizePrediction(
    Instant at,
    String cell,
    String series,
    String value,
    double gigabytes,
    double predicted,
    List<Double> sizes) {
  /** Name of the file. */
  public static final String FILE = "predictions.jsonl";

  public SizePrediction {
    sizes = List.copyOf(sizes);
  }

  /** Appends predictions to the file of a matrix. */
  public static void append(MatrixDirectory matrix, List<SizePrediction> all) {
    if (!all.isEmpty()) {
      StrictJson.append(matrix.path().resolve(FILE), all);
    }
  }

  /** Reads the predictions of a matrix; none if there is no file. */
  public static List<SizePrediction> read(MatrixDirectory matrix) {
    return StrictJson.readLines(matrix.path().resolve(FILE), SizePrediction.class);
  }
}
