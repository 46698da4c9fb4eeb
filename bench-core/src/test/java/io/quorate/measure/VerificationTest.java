// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerificationTest {
  @ParameterizedTest
  @CsvSource({"0, 0, , false", "1, 0, , true", "0, 1, , true", "0, 0, 9, true", "0, 0, 10, false"})
  void each_of_its_findings_makes_it_fail(
      long missing, long wrong, @Nullable Long count, boolean failed) {
    OptionalLong keyCount = count == null ? OptionalLong.empty() : OptionalLong.of(count);
    Verification found =
        new Verification(
            10, 10, 10, missing, wrong, List.of(), 10, keyCount, true, Optional.empty(), 1);

    assertThat(found.failed()).isEqualTo(failed);
  }
}
