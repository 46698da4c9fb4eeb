// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.ValueSizes;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueSourceTest {
  private static final long COUNT = 1_000_000;
  private static final ValueSizes MIXED =
      new ValueSizes(
          List.of(
              new ValueSizes.Share(30_000, 5),
              new ValueSizes.Share(100, 60),
              new ValueSizes.Share(1024, 25),
              new ValueSizes.Share(8, 10)));

  private static io.quorate.load.workload.ValueSource values(int sizeBytes, long seed) {
    return new io.quorate.load.workload.ValueSource(ValueSizes.fixed(sizeBytes), COUNT, seed);
  }

  private static String text(byte[] value) {
    return new String(value, US_ASCII);
  }

  @Test
  void values_are_letters_and_digits_of_the_asked_length() {
    assertThat(text(values(1024, 1).at(5))).hasSize(1024).matches("[A-Za-z0-9]+");
    assertThat(text(values(7, 1).at(5))).hasSize(7).matches("[A-Za-z0-9]+");
    assertThat(values(1_000_000, 1).at(5)).hasSize(1_000_000);
    assertThat(values(0, 1).at(5)).isEmpty();
  }

  /** The whole code is compared: what follows it is another piece of the same text. */
  @ParameterizedTest
  @CsvSource({
    "1024, 12_345, 12_345",
    "256, 12_345, 12_345",
    "1024, 1_000_000, 1_000_000",
    "16, 1_000_000, 1_000_000",
    "6, 1_000_000, 1_000_000",
    "4, 1_000_000, 1_000_000",
    "3, 1_000_000, 238_328",
    "3, 12_345, 12_345",
    "2, 12_345, 3_844",
    "1, 12_345, 62",
    "0, 12_345, 1"
  })
  void every_request_has_a_value_of_its_own_as_far_as_its_size_allows(
      int sizeBytes, String requests, String different) {
    io.quorate.load.workload.ValueSource values = values(sizeBytes, 7);
    long[] codes = new long[Integer.parseInt(requests.replace("_", ""))];
    for (int number = 0; number < codes.length; number++) {
      codes[number] = code(values.at(number));
    }
    Arrays.sort(codes);
    int seen = 1;
    for (int i = 1; i < codes.length; i++) {
      seen += codes[i] == codes[i - 1] ? 0 : 1;
    }
    assertThat(seen).isEqualTo(Integer.parseInt(different.replace("_", "")));
  }

  /** Returns a number of the first 10 letters and digits, another one for each text. */
  private static long code(byte[] value) {
    long code = 0;
    for (int i = 0; i < Math.min(value.length, 10); i++) {
      code = code * 75 + value[i] - '0';
    }
    return code;
  }

  @Test
  void the_same_seed_gives_the_same_values() {
    assertThat(values(16, 3).at(11))
        .isEqualTo(values(16, 3).at(11))
        .isNotEqualTo(values(16, 4).at(11));
  }

  /** One of 62 letters uses 5.95 of the 8 bits of its byte: 74%. */
  @Test
  void a_value_cannot_be_compressed_by_more_than_its_alphabet_allows() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream packing =
        new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_COMPRESSION))) {
      for (int number = 0; number < 20; number++) {
        packing.write(values(1024, 1).at(number));
      }
    }
    assertThat(packed.size()).isGreaterThan(20 * 1024 * 74 / 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 6, 10, 11, 64, 1024, 1_000_000})
  void what_was_written_is_intact(int sizeBytes) {
    io.quorate.load.workload.ValueSource values = values(sizeBytes, 7);
    for (long number : new long[] {0, 1, 4_711, COUNT - 1}) {
      assertThat(values.check(number, values.at(number))).isEqualTo(ValueCheck.INTACT);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6, 10, 11, 64, 1024})
  void a_single_flipped_bit_anywhere_is_noticed(int sizeBytes) {
    io.quorate.load.workload.ValueSource values = values(sizeBytes, 7);
    for (int bit = 0; bit < sizeBytes * Byte.SIZE; bit++) {
      byte[] read = values.at(42);
      read[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(values.check(42, read))
          .as("bit " + bit)
          .isIn(ValueCheck.ALTERED, ValueCheck.OF_ANOTHER_KEY);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 10, 11, 64, 1024})
  void what_is_wrong_is_told_apart(int sizeBytes) {
    io.quorate.load.workload.ValueSource values = values(sizeBytes, 7);
    byte[] written = values.at(42);
    byte[] swapped = written.clone();
    swapped[sizeBytes - 1] = written[0];
    swapped[0] = written[sizeBytes - 1];

    assertThat(values.check(42, new byte[0])).isEqualTo(ValueCheck.EMPTY);
    assertThat(values.check(42, Arrays.copyOf(written, sizeBytes / 2)))
        .isEqualTo(ValueCheck.SHORTER);
    assertThat(values.check(42, Arrays.copyOf(written, sizeBytes - 1)))
        .isEqualTo(ValueCheck.SHORTER);
    assertThat(values.check(42, Arrays.copyOf(written, sizeBytes + 1)))
        .isEqualTo(ValueCheck.LONGER);
    assertThat(values.check(42, values.at(43))).isEqualTo(ValueCheck.OF_ANOTHER_KEY);
    assertThat(values.check(42, values.at(COUNT + 1))).isEqualTo(ValueCheck.ALTERED);
    assertThat(values.check(42, swapped)).isEqualTo(ValueCheck.ALTERED);
    assertThat(values.check(42, new byte[sizeBytes])).isEqualTo(ValueCheck.ALTERED);
    assertThat(values.check(42, values(sizeBytes, 8).at(42))).isEqualTo(ValueCheck.ALTERED);
  }

  private static io.quorate.load.workload.ValueSource mixed(long seed) {
    return new io.quorate.load.workload.ValueSource(MIXED, COUNT, seed);
  }

  @Test
  void sizes_are_as_frequent_as_their_weights() {
    io.quorate.load.workload.ValueSource values = mixed(7);
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int number = 0; number < 100_000; number++) {
      counts.merge(values.at(number).length, 1, Integer::sum);
    }
    assertThat(counts).containsOnlyKeys(8, 100, 1024, 30_000);
    assertThat(counts.get(8)).isBetween(9_500, 10_500);
    assertThat(counts.get(100)).isBetween(59_000, 61_000);
    assertThat(counts.get(1024)).isBetween(24_000, 26_000);
    assertThat(counts.get(30_000)).isBetween(4_500, 5_500);
  }

  @Test
  void the_size_of_a_value_depends_on_its_number_and_the_seed_alone() {
    io.quorate.load.workload.ValueSource values = mixed(7);
    io.quorate.load.workload.ValueSource again = mixed(7);
    io.quorate.load.workload.ValueSource others = mixed(8);
    int same = 0;
    for (int number = 0; number < 1000; number++) {
      assertThat(values.sizeOf(number)).isEqualTo(again.at(number).length);
      same += values.sizeOf(number) == others.sizeOf(number) ? 1 : 0;
    }
    assertThat(same).isLessThan(600);
  }

  @Test
  void sizes_that_grow_have_equal_steps_from_the_first_to_the_last_measured_value() {
    io.quorate.load.workload.ValueSource source =
        new io.quorate.load.workload.ValueSource(
            ValueSizes.growing(1_024, 10_924), 1_100, 100, 7, null);
    assertThat(List.of(0L, 100L, 109L, 110L, 599L, 600L, 1_089L, 1_090L, 1_099L))
        .extracting(number -> source.at(number).length)
        .containsExactly(1_024, 1_024, 1_024, 1_124, 5_924, 6_024, 10_824, 10_924, 10_924);
    assertThat(source.check(600, source.at(600))).isEqualTo(ValueCheck.INTACT);
    assertThat(source.check(600, source.at(599))).isEqualTo(ValueCheck.OF_ANOTHER_KEY);
  }

  @Test
  void values_of_several_sizes_are_recognized_by_their_numbers() {
    io.quorate.load.workload.ValueSource values = mixed(7);
    for (int number = 0; number < 1000; number++) {
      byte[] written = values.at(number);
      long expected = number;
      assertThat(values.numberOf(written)).isEqualTo(number);
      assertThat(values.check(number, written)).isEqualTo(ValueCheck.INTACT);
      assertThat(values.check(written, found -> found == expected)).isEqualTo(ValueCheck.INTACT);
      assertThat(values.check(number + 1, written)).isEqualTo(ValueCheck.OF_ANOTHER_KEY);
      written[written.length - 1] ^= 1;
      assertThat(values.numberOf(written)).isNegative();
      assertThat(values.check(number, written)).isEqualTo(ValueCheck.ALTERED);
      assertThat(values.check(written, found -> true)).isEqualTo(ValueCheck.ALTERED);
    }
  }

  @Test
  void a_value_cut_to_another_size_of_the_run_is_too_short() {
    io.quorate.load.workload.ValueSource values = mixed(7);
    int number = 0;
    while (values.sizeOf(number) < 30_000) {
      number++;
    }
    byte[] written = values.at(number);
    for (int size : new int[] {1, 7, 100, 1024, 20_000, 29_999}) {
      byte[] cut = Arrays.copyOf(written, size);
      assertThat(values.check(number, cut)).isEqualTo(ValueCheck.SHORTER);
      assertThat(values.check(cut, found -> true)).isEqualTo(ValueCheck.SHORTER);
    }
    byte[] longer = Arrays.copyOf(written, 30_001);
    assertThat(values.check(number, longer)).isEqualTo(ValueCheck.LONGER);
    assertThat(values.check(longer, found -> true)).isEqualTo(ValueCheck.LONGER);
    assertThat(values.check(new byte[0], found -> true)).isEqualTo(ValueCheck.EMPTY);
  }

  @Test
  void one_size_of_a_distribution_is_the_fixed_size() {
    assertThat(mixed(7).areDifferent()).isTrue();
    ValueSizes one = new ValueSizes(List.of(new ValueSizes.Share(64, 17)));
    assertThat(new io.quorate.load.workload.ValueSource(one, COUNT, 7).at(5))
        .isEqualTo(values(64, 7).at(5));
  }

  /** Recorded before values could have several sizes. */
  @Test
  void values_of_a_fixed_size_stay_the_same() {
    assertThat(text(values(32, 7).at(5))).isEqualTo("R488vMDCZQ4ZexRIXP6kbUdqoMqmDOIT");
    assertThat(text(values(4, 7).at(5))).isEqualTo("yoKf");
  }

  @Test
  void an_empty_value_can_only_be_too_long() {
    assertThat(values(0, 7).check(42, new byte[1])).isEqualTo(ValueCheck.LONGER);
  }
}
