package io.quorate.load.workload;

import io.quorate.store.Watch;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The keys whose puts are watched: a single key, or all keys, each created by one put. Immutable.
 */
public final class WatchedKeys {
  private final KeySequence keys;
  private final long count;
  private final ToLongFunction<byte[]> putOfValue;
  private final LongSupplier fromRevision;

  /**
   * Creates watched keys without a revision.
   *
   * @param count number of keys
   * @param putOfValue returns the number of the put that wrote a value; negative for other values
   */
  WatchedKeys(KeySequence keys, long count, ToLongFunction<byte[]> putOfValue) {
    this(keys, count, putOfValue, () -> 0);
  }

  /**
   * Creates watched keys with the revision of the first put if it comes before the watch, otherwise
   * 0.
   */
  WatchedKeys(
      KeySequence keys, long count, ToLongFunction<byte[]> putOfValue, LongSupplier fromRevision) {
    this.keys = keys;
    this.count = count;
    this.putOfValue = putOfValue;
    this.fromRevision = fromRevision;
  }

  public boolean isOneKey() {
    return count == 1;
  }

  /** Returns the only key, or the first one. */
  public byte[] first() {
    return keys.at(0);
  }

  /** Returns the watch of the only key, or of the common prefix of all keys. */
  public Watch watch() {
    byte[] first = keys.at(0);
    if (isOneKey()) {
      return Watch.ofKey(first).since(fromRevision.getAsLong());
    }
    return Watch.ofPrefix(Arrays.copyOf(first, first.length - String.valueOf(count - 1).length()));
  }

  /**
   * Returns the number of the put that an event reports: from the value if there is one key,
   * otherwise from the key. Negative if the put was not measured.
   */
  public long put(byte[] key, byte[] value) {
    return isOneKey() ? putOfValue.applyAsLong(value) : keys.requestOf(key);
  }
}
