// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.quorate.load.workload.KeySequence;
import io.quorate.load.workload.ValueSource;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.ValueSizes;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Feeds keys into {@code #{key}}, and values into {@code #{value}}: the same that requests of a
 * scenario have with the same seed. Endless. It counts what it has fed; every method returns
 * another feeder, which begins anew.
 */
public final class KeyFeeder extends Described<KeyFeeder> implements Iterator<Map<String, Object>> {
  /** Number of values that differ with certainty. */
  private static final long VALUES = 1L << 40;

  private static final int USUAL_BYTES = 16;

  private final long count;
  private OptionalInt bytes = OptionalInt.empty();
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

  /** The keys that another feeder feeds; null if it follows none. */
  private @Nullable KeySequence past;

  KeyFeeder(long count) {
    this.count = count;
    space(order);
  }

  private KeyFeeder anew(Consumer<KeyFeeder> change) {
    return with(
        copy -> {
          copy.fed = new AtomicLong();
          copy.keys = null;
          change.accept(copy);
          copy.space(copy.order);
        });
  }

  private KeyFeeder in(KeySpace.Order chosen) {
    return anew(
        copy -> {
          copy.order = chosen;
          copy.written = null;
        });
  }

  /** Sets the length of every key, with its prefix; by default 16, or more if a prefix needs it. */
  public KeyFeeder size(int keyBytes) {
    return anew(copy -> copy.bytes = OptionalInt.of(keyBytes));
  }

  /** Sets the beginning of every key, which counts in its length. */
  public KeyFeeder prefix(String beginning) {
    return anew(copy -> copy.prefix = beginning);
  }

  /** Sets the number of the first key, for load generators that share a key space; 0 by default. */
  public KeyFeeder first(long number) {
    return anew(copy -> copy.first = number);
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
        .anew(copy -> copy.hotSet = new KeySpace.HotSet(keysPercent, requestsPercent));
  }

  /**
   * Takes the keys that another feeder has fed last, most often the very last ones. Their number,
   * length and prefix are those of the other feeder; seed and values are those of this one.
   */
  public KeyFeeder latest(KeyFeeder writes) {
    return in(KeySpace.Order.LATEST).anew(copy -> copy.written = writes);
  }

  /** Sets the seed of keys and values; 1 by default. */
  public KeyFeeder seed(long other) {
    return anew(copy -> copy.seed = other);
  }

  /** Adds different values of one size. */
  public KeyFeeder values(int valueBytes) {
    return values(Map.of(valueBytes, 1));
  }

  /** Adds different values of several sizes; each size has a weight. */
  public KeyFeeder values(Map<Integer, Integer> weights) {
    ValueSizes given =
        new ValueSizes(
            weights.entrySet().stream()
                .map(each -> new ValueSizes.Share(each.getKey(), each.getValue()))
                .toList());
    return anew(copy -> copy.sizes = given);
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public synchronized Map<String, Object> next() {
    long index = fed.getAndIncrement();
    KeySequence all = keys == null ? begin() : keys;
    byte[] key =
        written == null || past == null ? all.ofRequest(index) : latest(written, past, all, index);
    String text = new String(key, ISO_8859_1);
    return values == null
        ? Map.of("key", text)
        : Map.of("key", text, "value", new String(values.at(index), ISO_8859_1));
  }

  /** Returns a key that was fed, most often one of the last. */
  private static byte[] latest(
      KeyFeeder writes, KeySequence fedKeys, KeySequence ranks, long index) {
    long before = Math.max(1, writes.fed.get());
    long back = Math.floorMod(before - 1 - ranks.readBy(index, before), writes.count);
    return fedKeys.ofRequest(before - 1 - back % Math.min(before, writes.count));
  }

  private KeySequence begin() {
    KeySpace space = (written == null ? this : written).space(order);
    KeySequence begun = KeySequence.measured(space, seed);
    keys = begun;
    values = sizes == null ? null : new ValueSource(sizes, VALUES, seed);
    past =
        written == null ? null : KeySequence.measured(written.space(written.order), written.seed);
    return begun;
  }

  /**
   * Returns its keys in some order.
   *
   * @throws IllegalArgumentException if they have no room in their length
   */
  private KeySpace space(KeySpace.Order some) {
    int needed = prefix.length() + Long.toString(first + count - 1).length();
    int length = bytes.orElse(Math.max(USUAL_BYTES, needed));
    if (length < needed) {
      throw new IllegalArgumentException(
          "%,d keys from %s%d on have no room in %d bytes".formatted(count, prefix, first, length));
    }
    return new KeySpace(length, some, count, true, hotSet, first, prefix);
  }
}
