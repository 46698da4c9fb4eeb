// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Ramp;
import io.quorate.scenario.Shard;
import java.util.List;
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

  /** The segments of a ramp; none at a constant rate. */
  private final List<Ramp.Segment> segments;

  private long index;

  /** The sum of random intervals whose mean is 1. */
  private double arrived;

  private int segment;
  private double secondsBefore;
  private double requestsBefore;

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
    this.segments = model.ramp().map(Ramp::segments).orElse(List.of());
    skip(shard.number() - 1);
  }

  /**
   * Returns when the next request is due: request i when the rate up to then adds up to i. For
   * random arrivals it adds up to i exponentially distributed numbers with a mean of 1.
   */
  long next() {
    double number =
        switch (model.arrivals()) {
          case CONSTANT -> index;
          case POISSON -> arrived;
        };
    long due =
        segments.isEmpty()
            ? Math.round(number * (NANOS_PER_SECOND / model.ratePerSecond()))
            : Math.round(secondsOf(number) * NANOS_PER_SECOND);
    skip(shard.count());
    return due;
  }

  private double secondsOf(double number) {
    Ramp.Segment present = segments.get(segment);
    while (number - requestsBefore >= present.requests() && segment < segments.size() - 1) {
      requestsBefore += present.requests();
      secondsBefore += present.seconds();
      segment++;
      present = segments.get(segment);
    }
    double more = number - requestsBefore - present.requests();
    return secondsBefore
        + (more > 0
            ? present.seconds() + more / present.to()
            : present.secondsOf(number - requestsBefore));
  }

  private void skip(int requests) {
    index += requests;
    if (model.arrivals() == LoadModel.Arrivals.POISSON) {
      for (int i = 0; i < requests; i++) {
        arrived -= Math.log(1 - random.nextDouble());
      }
    }
  }
}
