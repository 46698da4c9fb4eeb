// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number of bytes as people write it: a whole number, optionally followed by a unit. {@code KB},
 * {@code MB} and {@code GB} are powers of 1000, {@code KiB}, {@code MiB} and {@code GiB} powers of
 * 1024.
 */
public final class ByteSize {
  private static final Pattern NUMBER =
      Pattern.compile("0|[1-9][0-9]{0,17}|[1-9][0-9]{0,2}(_[0-9]{3}){1,5}");

  /** The units, the largest first. */
  private enum Unit {
    GiB(1L << 30),
    GB(1_000_000_000),
    MiB(1L << 20),
    MB(1_000_000),
    KiB(1L << 10),
    KB(1_000),
    kB(1_000),
    B(1);

    private final long bytes;

    Unit(long bytes) {
      this.bytes = bytes;
    }
  }

  private ByteSize() {}

  /** Returns a whole number in decimal digits, which underscores may group in threes. */
  public static Optional<Long> wholeNumber(String text) {
    return Optional.of(text)
        .filter(digits -> NUMBER.matcher(digits).matches())
        .map(digits -> Long.parseLong(digits.replace("_", "")));
  }

  /** Returns the bytes of a text such as {@code 1024}, {@code 64KiB} or {@code 1MB}. */
  public static Optional<Long> parse(String text) {
    Optional<Unit> unit =
        Arrays.stream(Unit.values())
            .filter(each -> text.endsWith(each.name()))
            .max(Comparator.comparingInt(each -> each.name().length()));
    String number =
        text.substring(0, text.length() - unit.map(each -> each.name().length()).orElse(0));
    long bytes = unit.map(each -> each.bytes).orElse(1L);
    return wholeNumber(number)
        .filter(count -> count <= Long.MAX_VALUE / bytes)
        .map(count -> count * bytes);
  }

  /** Returns the size in the largest unit that divides it, without a unit if only bytes do. */
  public static String text(long bytes) {
    return Arrays.stream(Unit.values())
        .filter(unit -> unit.bytes > 1 && bytes > 0 && bytes % unit.bytes == 0)
        .findFirst()
        .map(unit -> bytes / unit.bytes + unit.name())
        .orElseGet(() -> Long.toString(bytes));
  }
}
