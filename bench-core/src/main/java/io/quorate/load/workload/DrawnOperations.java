// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.util.Arrays;
import java.util.List;

/**
 * The operations of requests, which follow from their numbers, the seed and the weights of the mix.
 * Parts of a load may have separate weights. Immutable.
 */
final class DrawnOperations {
  private final Operation[] operations;
  private final long seed;
  private final Shard.RequestNumbers numbers;
  private final long[] weightUpTo;

  /** The number of the first request of each part of the load, if they have separate weights. */
  private final long[] partFrom;

  /** For each of these parts, as {@link #weightUpTo}; 0 for operations that it does not have. */
  private final long[][] partWeights;

  DrawnOperations(OperationMix mix, long seed, Shard.RequestNumbers numbers, List<Step> steps) {
    this.operations = mix.operations().toArray(Operation[]::new);
    this.seed = seed;
    this.numbers = numbers;
    List<Step> parts =
        steps.stream()
            .flatMap(step -> step.parts().stream())
            .filter(part -> part.shares().isPresent())
            .toList();
    this.weightUpTo = weights(mix.shares());
    this.partFrom = new long[parts.size()];
    this.partWeights = new long[parts.size()][];
    long from = 0;
    for (int i = 0; i < partFrom.length; i++) {
      partFrom[i] = from;
      partWeights[i] = weights(parts.get(i).shares().orElseThrow());
      from += parts.get(i).requests();
    }
  }

  private long[] weights(List<OperationMix.Share> shares) {
    long[] upTo = new long[operations.length];
    long weight = 0;
    for (int i = 0; i < operations.length; i++) {
      for (OperationMix.Share share : shares) {
        weight += share.operation() == operations[i] ? share.weight() : 0;
      }
      upTo[i] = weight;
    }
    return upTo;
  }

  /** Returns the place of the operation of a request in the mix. */
  int place(long index) {
    if (operations.length == 1) {
      return 0;
    }
    long[] upTo = hasParts() ? partWeights[part(index)] : weightUpTo;
    long drawn =
        Long.remainderUnsigned(
            HashMix.of(seed ^ HashMix.of(numbers.of(index))), upTo[operations.length - 1]);
    int operation = 0;
    while (drawn >= upTo[operation]) {
      operation++;
    }
    return operation;
  }

  Operation of(long index) {
    return operations[place(index)];
  }

  private boolean hasParts() {
    return partFrom.length > 0;
  }

  private int part(long index) {
    int part = Arrays.binarySearch(partFrom, index);
    return part < 0 ? -part - 2 : part;
  }

  /** Returns whether a request is in a part of the load with separate weights. */
  boolean isInPart(long index, int part) {
    return hasParts() && part(index) == part;
  }
}
