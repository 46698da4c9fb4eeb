package io.quorate.load.workload;

import io.quorate.store.Watch;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The keys whose puts are watched: the only one, if there is one, otherwise all of them, of which
 * each put creates one. Immutable.
 */
public final class WatchedKeys {
  private final KeySequence keys;
  private final long count;
  private final ToLongFunction<byte[]> putOfValue;
  private final LongSupplier fromRevision;

  /**
   * @param count how many keys there are
   * @param putOfValue gives the number of the put that wrote a value; negative if it is none
   */
  WatchedKeys(KeySequence keys, long count, ToLongFunction<byte[]> putOfValue) {
    this(keys, count, putOfValue, () -> 0);
  }

  /** The revision is that of the first put, if it comes before the watch; otherwise 0. */
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

  /** Returns the only key, or the first. */
  public byte[] first() {
    return keys.at(0);
  }

  /** Returns the watch: of the only key, or of the prefix that all keys have. */
  public Watch watch() {
    byte[] first = keys.at(0);
    if (isOneKey()) {
      return Watch.ofKey(first).since(fromRevision.getAsLong());
    }
    return Watch.ofPrefix(Arrays.copyOf(first, first.length - String.valueOf(count - 1).length()));
  }

  /**
   * Returns the number of the put that an event is about: the value contains it if there is one
   * key, otherwise the key; negative if it is none of the measured ones.
   */
  public long put(byte[] key, byte[] value) {
    return isOneKey() ? putOfValue.applyAsLong(value) : keys.requestOf(key);
  }
}
