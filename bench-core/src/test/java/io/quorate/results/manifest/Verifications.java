// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.measure.Verification;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Results of reading keys back, for tests. */
public final class Verifications {
  /** One key is missing, one has another value, and some could not be read. */
  public static final Verification LOST =
      new Verification(
          1_000_000,
          100_000,
          99_990,
          1,
          1,
          List.of(
              new Verification.Fault("00000017", "it is missing"),
              new Verification.Fault("00000042", "the value that was read is empty")),
          1_000_000,
          OptionalLong.of(999_999),
          true,
          Optional.of("timeout: no answer"),
          4_100_000_000L);

  /** Everything is as it was written. */
  public static final Verification INTACT =
      new Verification(
          1_000_000,
          100_000,
          100_000,
          0,
          0,
          List.of(),
          1_000_000,
          OptionalLong.of(1_000_000),
          true,
          Optional.empty(),
          4_100_000_000L);

  private Verifications() {}
}
