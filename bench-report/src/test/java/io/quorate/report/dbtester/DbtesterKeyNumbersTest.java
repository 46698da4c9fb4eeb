// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.requests.Golden;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DbtesterKeyNumbersTest {
  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "3", "4", "5", "6", "7", "8"})
  void secondsAreFoundAsTheReferenceFindsThem(String number) {
    List<CSVRecord> expected =
        Golden.rows("functions/find-ranges-by-key.csv").stream()
            .filter(row -> row.get(0).equals(number))
            .toList();
    CSVRecord input = expected.get(0);
    long[] throughputs =
        Arrays.stream(input.get(3).split(" ")).mapToLong(Long::parseLong).toArray();

    var rows =
        DbtesterDatabase.keyNumbers(
            Long.parseLong(input.get(1)), Long.parseLong(input.get(2)), throughputs);

    assertThat(
            rows.entrySet().stream()
                .map(
                    row ->
                        row.getKey()
                            + ": "
                            + row.getValue().map(Object::toString).orElse("zero row")))
        .isEqualTo(expected.stream().map(row -> row.get(4) + ": " + row.get(5)).toList());
  }
}
