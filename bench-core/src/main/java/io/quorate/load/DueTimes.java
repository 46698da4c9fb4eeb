package io.quorate.load;

import io.quorate.scenario.LoadModel;
import java.util.SplittableRandom;

/**
 * The times at which the requests of an open loop are due, in nanoseconds after its beginning. For
 * one thread.
 */
final class DueTimes {
  private static final double NANOS_PER_SECOND = 1e9;

  private final LoadModel.Open model;
  private final SplittableRandom random;
  private long taken;
  private double arrivedNanos;

  /**
   * @param seed the same seed gives the same times
   */
  DueTimes(LoadModel.Open model, long seed) {
    this.model = model;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Returns when the next request is due: request i at i divided by the rate or, for random
   * arrivals, after the sum of i intervals that are exponentially distributed with that mean.
   */
  long next() {
    double meanNanos = NANOS_PER_SECOND / model.ratePerSecond();
    return switch (model.arrivals()) {
      case UNIFORM -> Math.round(taken++ * meanNanos);
      case POISSON -> {
        long due = Math.round(arrivedNanos);
        arrivedNanos -= Math.log(1 - random.nextDouble()) * meanNanos;
        yield due;
      }
    };
  }
}
