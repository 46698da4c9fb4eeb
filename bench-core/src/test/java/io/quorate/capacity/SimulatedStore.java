// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A store in simulated time: one server, a queue before it, requests that arrive at random, and
 * service times of any distribution (M/G/1).
 *
 * @param service seconds that a request takes, drawn
 * @param stalls stalls, which come regularly; each keeps the server busy for so long
 * @param noise standard deviation of the logarithm of the speed from trial to trial
 * @param drift factor of the service times with each second that was simulated so far
 */
record SimulatedStore(Service service, Stalls stalls, double noise, double drift) {
  /** Draws service times. */
  interface Service {
    double seconds(SplittableRandom random, double load);
  }

  /**
   * @param secondsBetween from the beginning of one to that of the next; infinite for none
   */
  record Stalls(double secondsBetween, double seconds) {
    static final Stalls NONE = new Stalls(Double.POSITIVE_INFINITY, 0);
  }

  /** Returns a store whose service times are exponentially distributed. */
  static SimulatedStore exponential(double perSecond) {
    return new SimulatedStore(
        (random, load) -> exponential(random, 1 / perSecond), Stalls.NONE, 0, 1);
  }

  SimulatedStore withStalls(double secondsBetween, double seconds) {
    return new SimulatedStore(service, new Stalls(secondsBetween, seconds), noise, drift);
  }

  SimulatedStore withNoise(double deviation) {
    return new SimulatedStore(service, stalls, deviation, drift);
  }

  SimulatedStore withDrift(double eachSecond) {
    return new SimulatedStore(service, stalls, noise, eachSecond);
  }

  static double exponential(SplittableRandom random, double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  /** One simulation, whose time continues from trial to trial. */
  final class Run {
    private final SplittableRandom random;
    private final double lateAfterSeconds;
    private double simulatedSeconds;

    Run(long seed, double lateAfterSeconds) {
      this.random = new SplittableRandom(seed);
      this.lateAfterSeconds = lateAfterSeconds;
    }

    /** Simulates a load, and counts what is late in each second after the first few. */
    List<ViolationCount> seconds(long load, int settleSeconds, int measureSeconds) {
      long[] intended = new long[settleSeconds + measureSeconds];
      long[] late = new long[settleSeconds + measureSeconds];
      double slow = Math.exp(noise * gaussian()) * Math.pow(drift, simulatedSeconds);
      double nextStall = random.nextDouble() * stalls.secondsBetween();
      double freeAt = 0;
      for (double now = exponential(random, 1.0 / load);
          now < intended.length;
          now += exponential(random, 1.0 / load)) {
        while (nextStall <= now) {
          freeAt = Math.max(freeAt, nextStall) + stalls.seconds();
          nextStall += stalls.secondsBetween();
        }
        freeAt = Math.max(freeAt, now) + service.seconds(random, load) * slow;
        intended[(int) now]++;
        late[(int) now] += freeAt - now > lateAfterSeconds ? 1 : 0;
      }
      simulatedSeconds += intended.length;
      List<ViolationCount> counts = new ArrayList<>();
      for (int i = settleSeconds; i < intended.length; i++) {
        counts.add(new ViolationCount(intended[i], late[i]));
      }
      return counts;
    }

    /** Returns a number of the standard normal distribution (Box and Muller). */
    private double gaussian() {
      return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
          * Math.cos(2 * Math.PI * random.nextDouble());
    }

    double simulatedSeconds() {
      return simulatedSeconds;
    }
  }
}
