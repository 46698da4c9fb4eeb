// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.quorate.ByteSize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The sizes of the values that a scenario writes.
 *
 * @param shares different sizes, at least one, in ascending order
 * @param growing whether values have the sizes one after the other, over all values of a run;
 *     otherwise the size of each is drawn
 */
public record ValueSizes(
    List<Share> shares,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.SET) boolean growing) {
  /** Most sizes of a distribution. */
  public static final int MAX_SHARES = 100;

  /**
   * A size of values.
   *
   * @param bytes length of these values, 0 or more
   * @param weight their frequency relative to the other weights, at least 1
   */
  public record Share(int bytes, int weight) {
    public Share {
      if (bytes < 0 || weight < 1) {
        throw new IllegalArgumentException(
            "found %d bytes with weight %d, expected 0 bytes and weight 1 or more"
                .formatted(bytes, weight));
      }
    }
  }

  public ValueSizes(List<Share> shares) {
    this(shares, false);
  }

  public ValueSizes {
    shares = shares.stream().sorted(Comparator.comparingInt(Share::bytes)).toList();
    if (shares.isEmpty()
        || shares.stream().map(Share::bytes).distinct().count() < shares.size()
        || shares.size() > MAX_SHARES) {
      throw new IllegalArgumentException("expected 1 to " + MAX_SHARES + " different sizes");
    }
  }

  /** Returns the same size for all values. */
  public static ValueSizes fixed(int bytes) {
    return new ValueSizes(List.of(new Share(bytes, 1)));
  }

  /** Returns sizes between two, equally frequent: all of them, or as many as there may be. */
  public static ValueSizes between(int least, int most) {
    int last = Math.min(MAX_SHARES - 1, most - least);
    return new ValueSizes(
        IntStream.rangeClosed(0, last)
            .mapToObj(i -> new Share(least + (int) ((long) i * (most - least) / last), 1))
            .toList());
  }

  /** Returns sizes from the least to the most, one after the other: as {@link #between}. */
  public static ValueSizes growing(int least, int most) {
    return new ValueSizes(between(least, most).shares, true);
  }

  /** Returns whether they are those {@link #between} the least and the largest. */
  private boolean isRange() {
    return !isFixed() && shares.equals(between(leastBytes(), mostBytes()).shares);
  }

  public boolean isFixed() {
    return shares.size() == 1;
  }

  public int leastBytes() {
    return shares.get(0).bytes();
  }

  public int mostBytes() {
    return shares.get(shares.size() - 1).bytes();
  }

  /** Returns the expected size of a value, rounded to whole bytes. */
  public int meanBytes() {
    long bytes = shares.stream().mapToLong(each -> (long) each.bytes() * each.weight()).sum();
    return (int) Math.round(bytes / (double) totalWeight());
  }

  /** Returns the expected size of a value that is written before the load. */
  public int preloadedBytes() {
    return growing ? leastBytes() : meanBytes();
  }

  public long totalWeight() {
    return shares.stream().mapToLong(Share::weight).sum();
  }

  /**
   * Returns {@code 256 bytes}, {@code 100 to 1KiB}, {@code 100 to 1KiB, growing}, or {@code 100
   * (70%), 1KiB (30%)}.
   */
  @Override
  public String toString() {
    if (isRange()) {
      return ByteSize.text(leastBytes())
          + " to "
          + ByteSize.text(mostBytes())
          + (growing ? ", growing" : "");
    }
    return isFixed()
        ? leastBytes() + " bytes"
        : shares.stream()
            .map(each -> ByteSize.text(each.bytes()) + " (" + percent(each.weight()) + "%)")
            .collect(Collectors.joining(", "));
  }

  private String percent(int weight) {
    return BigDecimal.valueOf(100L * weight)
        .divide(BigDecimal.valueOf(totalWeight()), 1, RoundingMode.HALF_EVEN)
        .stripTrailingZeros()
        .toPlainString();
  }
}
