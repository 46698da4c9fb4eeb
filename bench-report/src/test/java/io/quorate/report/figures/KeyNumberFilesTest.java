// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.results.requests.Golden;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyNumberFilesTest {
  /** Cases of the reference with unit 1000 in which every request succeeded. */
  @ParameterizedTest
  @ValueSource(strings = {"2", "8"})
  void wholeThousandsAreAsInTheReference(String number) {
    List<CSVRecord> expected = golden(number);
    long[] throughputs =
        Arrays.stream(expected.get(0).get(3).split(" ")).mapToLong(Long::parseLong).toArray();

    assertThat(rows(throughputs))
        .isEqualTo(
            expected.stream()
                .map(row -> row.get(4) + " keys: second " + row.get(5))
                .collect(Collectors.toList()));
  }

  private static List<CSVRecord> golden(String number) {
    return Golden.rows("functions/find-ranges-by-key.csv").stream()
        .filter(row -> row.get(0).equals(number))
        .toList();
  }

  @Test
  void theLastRowIsNamedByTheKeysThatWereWritten() {
    assertThat(rows(900, 900, 900, 900, 900))
        .containsExactly(
            "1000 keys: second 1",
            "2000 keys: second 1",
            "3000 keys: second 2",
            "4000 keys: second 3",
            "4500 keys: second 4");
  }

  @Test
  void fewerThanAThousandKeysHaveOneRow() {
    assertThat(rows(400, 400)).containsExactly("800 keys: second 1");
  }

  @Test
  void noKeysHaveNoRows() {
    assertThat(rows(0, 0)).isEmpty();
    assertThat(rows()).isEmpty();
  }

  @Test
  void aStallAddsNoRow() {
    assertThat(rows(1000, 0, 0, 1000))
        .containsExactly("1000 keys: second 0", "2000 keys: second 3");
  }

  private static List<String> rows(long... throughputs) {
    return KeyNumberFiles.seconds(throughputs).entrySet().stream()
        .map(row -> row.getKey() + " keys: second " + row.getValue())
        .toList();
  }
}
