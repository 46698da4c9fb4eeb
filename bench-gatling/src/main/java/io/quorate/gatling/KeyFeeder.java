// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.ValueSource;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.ValueSizes;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Feeds keys into {@code #{key}}, and values into {@code #{value}}: the same that requests of a
 * scenario have with the same seed. Endless. It counts what it has fed; every method returns
 * another feeder, which begins anew.
 */
public final class KeyFeeder implements Iterator<Map<String, Object>>, Cloneable {
  /** Number of values that differ with certainty. */
  private static final long VALUES = 1L << 40;

  private final long count;
  private int bytes = 16;
  private String prefix = "";
  private long first;
  private KeySpace.Order order = KeySpace.Order.SEQUENTIAL;
  private KeySpace.HotSet hotSet = KeySpace.USUAL_HOT_SET;
  private long seed = 1;
  private @Nullable ValueSizes sizes;

  /** The feeder of writes whose last keys are read; null if it follows none. */
  private @Nullable KeyFeeder written;

  private AtomicLong fed = new AtomicLong();
  private @Nullable KeySequence keys;
  private @Nullable ValueSource values;

  /** The keys that another feeder feeds; null if it takes no latest ones. */
  private @Nullable KeySequence past;

  KeyFeeder(long count) {
    this.count = count;
  }

  private KeyFeeder with(Consumer<KeyFeeder> change) {
    try {
      KeyFeeder copy = (KeyFeeder) clone();
      copy.fed = new AtomicLong();
      copy.keys = null;
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private KeyFeeder in(KeySpace.Order chosen) {
    return with(copy -> copy.order = chosen);
  }

  /** Sets the length of every key, with its prefix; 16 by default. */
  public KeyFeeder size(int keyBytes) {
    return with(copy -> copy.bytes = keyBytes);
  }

  /** Sets the beginning of every key, which counts in its length. */
  public KeyFeeder prefix(String beginning) {
    return with(copy -> copy.prefix = beginning);
  }

  /** Sets the number of the first key, for load generators that share a key space; 0 by default. */
  public KeyFeeder first(long number) {
    return with(copy -> copy.first = number);
  }

  /** Takes keys 0, 1, 2, ... and from the start again: the default. */
  public KeyFeeder inOrder() {
    return in(KeySpace.Order.SEQUENTIAL);
  }

  /** Takes every key once in an order drawn from the seed, and from the start again. */
  public KeyFeeder shuffled() {
    return in(KeySpace.Order.RANDOM);
  }

  /** Takes all keys with the same probability. */
  public KeyFeeder uniform() {
    return in(KeySpace.Order.UNIFORM);
  }

  /** Takes few keys very often, as YCSB does: with a Zipf distribution of exponent 0.99. */
  public KeyFeeder zipf() {
    return in(KeySpace.Order.ZIPFIAN);
  }

  /** Lets a part of the keys get a part of the requests, both from 1 to 99 percent. */
  public KeyFeeder hotspot(int keysPercent, int requestsPercent) {
    return in(KeySpace.Order.HOTSPOT)
        .with(copy -> copy.hotSet = new KeySpace.HotSet(keysPercent, requestsPercent));
  }

  /** Takes the keys that another feeder has fed last, most often the very last ones. */
  public KeyFeeder latest(KeyFeeder writes) {
    return writes.in(KeySpace.Order.LATEST).with(copy -> copy.written = writes);
  }

  /** Sets the seed of keys and values; 1 by default. */
  public KeyFeeder seed(long other) {
    return with(copy -> copy.seed = other);
  }

  /** Adds different values of one size. */
  public KeyFeeder values(int valueBytes) {
    return with(copy -> copy.sizes = ValueSizes.fixed(valueBytes));
  }

  /** Adds different values of several sizes; each size has a weight. */
  public KeyFeeder values(Map<Integer, Integer> weights) {
    List<ValueSizes.Share> shares =
        weights.entrySet().stream()
            .map(each -> new ValueSizes.Share(each.getKey(), each.getValue()))
            .toList();
    return with(copy -> copy.sizes = new ValueSizes(shares));
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public synchronized Map<String, Object> next() {
    long index = fed.getAndIncrement();
    KeySequence all = keys == null ? sequence() : keys;
    byte[] key =
        written == null || past == null
            ? all.ofRequest(index)
            : latest(past, all, index, Math.max(1, written.fed.get()));
    String text = new String(key, ISO_8859_1);
    return values == null
        ? Map.of("key", text)
        : Map.of("key", text, "value", new String(values.at(index), ISO_8859_1));
  }

  /** Returns a key that was fed, most often one of the last. */
  private byte[] latest(KeySequence fedKeys, KeySequence ranks, long index, long fedBefore) {
    long back = Math.floorMod(fedBefore - 1 - ranks.readBy(index, fedBefore), count);
    return fedKeys.ofRequest(fedBefore - 1 - back % Math.min(fedBefore, count));
  }

  private KeySequence sequence() {
    if (bytes < prefix.length() + Long.toString(first + count - 1).length()) {
      throw new IllegalArgumentException(
          "%,d keys from %s%d on have no room in %d bytes".formatted(count, prefix, first, bytes));
    }
    KeySpace space = new KeySpace(bytes, order, count, true, hotSet, first, prefix);
    keys = KeySequence.measured(space, seed);
    values = sizes == null ? null : new ValueSource(sizes, VALUES, seed);
    past = written == null ? null : written.with(copy -> {}).sequence();
    return keys;
  }
}
