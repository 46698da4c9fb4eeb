// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import io.quorate.format.NumberFormats;
import java.util.OptionalInt;

/**
 * A database's recovery from an overload.
 *
 * @param overload offered requests per second during the overload
 * @param load offered requests per second after the overload
 * @param watchedSeconds duration of the observation afterwards
 * @param seconds time until all requests were within the limits again; empty if that was not
 *     observed
 */
public record OverloadRecovery(
    long overload, int overloadSeconds, long load, int watchedSeconds, OptionalInt seconds) {

  /** Returns the recovery in words, for the console and the page. */
  public String text() {
    String found =
        seconds.isPresent()
            ? "within the thresholds again %d s".formatted(seconds.getAsInt())
            : "not within the thresholds for %d s".formatted(watchedSeconds);
    return "after %d s at %s/s, at %s/s: %s after the overload"
        .formatted(
            overloadSeconds, NumberFormats.commas(overload), NumberFormats.commas(load), found);
  }
}
