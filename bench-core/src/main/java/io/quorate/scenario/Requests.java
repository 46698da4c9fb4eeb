// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.ReadConsistency;
import java.time.Duration;

/**
 * The requests of a scenario, and how clients send them.
 *
 * @param consistency guarantee of reads; not used for writes
 * @param measured most measured requests of a database, over all its steps
 * @param warmUp least number of requests of the warm-up, which are not measured
 * @param coldStart whether the warm-up has no more requests than these, however long it takes
 * @param values sizes of the values
 * @param seed seed of keys and values: the same seed makes the same requests
 * @param timeout deadline of a request
 * @param onFailure what a connection does when its member fails
 * @param verify which of the written keys are read back after the load
 */
public record Requests(
    OperationMix mix,
    ReadConsistency consistency,
    long measured,
    long warmUp,
    boolean coldStart,
    KeySpace keys,
    ValueSizes values,
    long seed,
    Duration timeout,
    Routing routing,
    ConnectionBinding onFailure,
    KeysToVerify verify) {
  /**
   * Returns whether the warm-up lasts until the load generator is warm. Operations of sessions have
   * no warm-up, as their clients would keep what they hold.
   */
  public boolean warmsUpByTime() {
    return !coldStart && !mix.usesSessions();
  }

  /** Returns the expected size of a key with its value. */
  public long bytesPerKey() {
    return keys.sizeBytes() + (long) values.meanBytes();
  }

  /** Returns the expected size of a key with its value before the load. */
  public long bytesPerPreloadedKey() {
    return keys.sizeBytes() + (long) values.preloadedBytes();
  }

  /** Returns another number of the same requests, on other keys. */
  Requests with(long itsMeasured, long itsWarmUp, KeySpace itsKeys) {
    return new Requests(
        mix,
        consistency,
        itsMeasured,
        itsWarmUp,
        coldStart,
        itsKeys,
        values,
        seed,
        timeout,
        routing,
        onFailure,
        verify);
  }
}
