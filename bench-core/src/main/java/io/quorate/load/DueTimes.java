// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Shard;
import java.util.SplittableRandom;

/**
 * The times at which the requests of an open loop are due, in nanoseconds after its beginning. For
 * one thread.
 */
final class DueTimes {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LoadModel.Open model;
  private final SplittableRandom random;
  private final Shard shard;
  private long index;
  private double arrivedNanos;

  /**
   * Creates the times of a shard. It takes every n-th of the times of all shards together, so that
   * these do not depend on the number of shards.
   *
   * @param model load model of all shards together
   * @param seed common seed of all shards
   */
  DueTimes(LoadModel.Open model, long seed, Shard shard) {
    this.model = model;
    this.random = new SplittableRandom(seed);
    this.shard = shard;
    skip(shard.number() - 1);
  }

  /**
   * Returns when the next request is due: request i at i divided by the rate. For random arrivals
   * it is due after i exponentially distributed intervals with that rate.
   */
  long next() {
    double meanNanos = NANOS_PER_SECOND / model.ratePerSecond();
    long due =
        switch (model.arrivals()) {
          case CONSTANT -> Math.round(index * meanNanos);
          case POISSON -> Math.round(arrivedNanos);
        };
    skip(shard.count());
    return due;
  }

  private void skip(int requests) {
    index += requests;
    if (model.arrivals() == LoadModel.Arrivals.POISSON) {
      double meanNanos = NANOS_PER_SECOND / model.ratePerSecond();
      for (int i = 0; i < requests; i++) {
        arrivedNanos -= Math.log(1 - random.nextDouble()) * meanNanos;
      }
    }
  }
}
