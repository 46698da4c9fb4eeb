// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1024, 1024",
    "1_024, 1024",
    "7B, 7",
    "1KB, 1000",
    "1kB, 1000",
    "1KiB, 1024",
    "3MB, 3000000",
    "2MiB, 2097152",
    "1GB, 1000000000",
    "8GiB, 8589934592"
  })
  void a_size_is_a_number_with_or_without_a_unit(String text, long bytes) {
    assertThat(ByteSize.parse(text)).contains(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "KiB", "1 KiB", "1.5MB", "-1", "01", "1kib", "1TB", "9999999999GiB", "1__0"})
  void anything_else_is_no_size(String text) {
    assertThat(ByteSize.parse(text)).isEmpty();
  }

  @Test
  void a_size_is_written_in_the_largest_unit_that_divides_it() {
    assertThat(ByteSize.text(1024)).isEqualTo("1KiB");
    assertThat(ByteSize.text(100_000_000)).isEqualTo("100MB");
    assertThat(ByteSize.text(8L << 30)).isEqualTo("8GiB");
    assertThat(ByteSize.text(1001)).isEqualTo("1001");
    assertThat(ByteSize.text(0)).isEqualTo("0");
  }
}
