// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Resource;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which resource each request is about, and which of its keys. Both follow from the number of the
 * request and the seed; only ranges read the prefixes in turn, so that each is read as often as its
 * weight says even in a short load. Safe for several threads.
 */
final class ResourceRequests {
  private final List<Resource> all;
  private final String prefix;
  private final long seed;
  private final long[] firstKey;
  private final Map<Operation, long[]> weightUpTo = new EnumMap<>(Operation.class);

  /** The prefixes that ranges read, each as often as its weight says. */
  private final List<Prefix> ranges = new ArrayList<>();

  private final AtomicLong ranged = new AtomicLong();

  /** All prefixes, those with most data first, which an API server reads when it starts. */
  private final List<Prefix> atStart;

  private final AtomicLong rangedAtStart = new AtomicLong();

  /** One of the prefixes of a resource. */
  private record Prefix(Resource of, int number) {
    /** Returns the bytes of its values. */
    long bytes() {
      return of.keys() / of.prefixes() * of.valueBytes();
    }
  }

  /** Returns the resources of a key space; null if it has none. */
  static @Nullable ResourceRequests of(KeySpace keys, long seed) {
    return keys.resources().isEmpty() ? null : new ResourceRequests(keys, seed);
  }

  private ResourceRequests(KeySpace keys, long seed) {
    this.all = keys.resources();
    this.prefix = keys.prefix();
    this.seed = HashMix.of(seed + 3);
    this.firstKey = all.stream().mapToLong(Resource::keys).toArray();
    Arrays.parallelPrefix(firstKey, Long::sum);
    for (int i = 0; i < firstKey.length; i++) {
      firstKey[i] -= all.get(i).keys();
    }
    for (Operation operation : Operation.values()) {
      long[] weights = all.stream().mapToLong(each -> each.weight(operation)).toArray();
      Arrays.parallelPrefix(weights, Long::sum);
      weightUpTo.put(operation, weights);
    }
    for (Resource each : all) {
      IntStream.range(0, each.weight(Operation.RANGE))
          .forEach(turn -> ranges.add(new Prefix(each, turn % each.prefixes())));
    }
    atStart =
        ranges.stream()
            .distinct()
            .sorted(Comparator.comparingLong(Prefix::bytes).reversed())
            .toList();
    Collections.shuffle(ranges, new Random(seed));
  }

  /** Returns the number of the resource that a request is about; 0 if it is about none. */
  int resource(Operation operation, long index) {
    long[] upTo = Objects.requireNonNull(weightUpTo.get(operation));
    long weight = upTo[upTo.length - 1];
    if (weight == 0) {
      return 0;
    }
    long drawn = Long.remainderUnsigned(HashMix.of(seed ^ HashMix.of(index)), weight);
    int resource = 0;
    while (drawn >= upTo[resource]) {
      resource++;
    }
    return resource;
  }

  /** Returns the number of the key that a request reads or writes. */
  long key(Operation operation, long index) {
    int resource = resource(operation, index);
    long keys = Math.max(1, all.get(resource).keys());
    return firstKey[resource]
        + Long.remainderUnsigned(HashMix.of(seed + 1 ^ HashMix.of(index)), keys);
  }

  Resource get(int resource) {
    return all.get(resource);
  }

  /** Returns the requests that create the objects which are removed, with values of their size. */
  RequestSource creations(List<CreatedObjects> objects, LongFunction<byte[]> values) {
    int removed = resource(Operation.OPTIMISTIC_DELETE, 0);
    long like = Math.max(1, all.get(removed).keys());
    return objects
        .get(removed)
        .creations(index -> values.apply(firstKey[removed] + index % like), true);
  }

  /**
   * Returns the next range: of all keys with a prefix, or their number if they have leases.
   *
   * @param starts whether an API server that starts reads each of them once
   */
  Request.Range nextRange(
      OperationMix.RangeShape shape, ReadConsistency consistency, boolean starts) {
    Prefix next =
        starts
            ? atStart.get((int) Math.min(rangedAtStart.getAndIncrement(), atStart.size() - 1L))
            : ranges.get((int) (ranged.getAndIncrement() % ranges.size()));
    byte[] start = (prefix + next.of().prefix(next.number())).getBytes(StandardCharsets.ISO_8859_1);
    return next.of().leased()
        ? new Request.Range(start, 0, ReturnedValue.COUNT, consistency)
        : RangeRequests.range(shape, start, consistency);
  }
}
