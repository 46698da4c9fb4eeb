// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The keys that measured requests have written or removed, as acknowledged by the store. To be
 * created after the end of all requests; it needs a bit for each key. Immutable.
 */
public final class WrittenKeys {
  private final Workload workload;
  private final BitSet acknowledged = new BitSet();
  private final long removed;

  public WrittenKeys(Workload workload) {
    this.workload = workload;
    MixSource requests = workload.measuredRequests();
    AckBitmap known = workload.acknowledgements();
    long sent = 0;
    long end = workload.sentAtMost();
    for (long index = known.skip(0); index < end; index = known.skip(index + 1)) {
      for (int part = 0; part < requests.keysWritten(index); part++) {
        if (known.isAcknowledged(index)) {
          acknowledged.set((int) requests.keyWritten(index, part));
        }
        sent += requests.removes(index, part) && !known.isRefused(index) ? 1 : 0;
      }
    }
    this.removed = workload.removesItsKeys() ? sent : 0;
  }

  public long count() {
    return acknowledged.cardinality();
  }

  /** Returns how many connections the load has at most. */
  public int mostConnections() {
    return workload.mostConnections();
  }

  /** Returns the least number of keys of the key space that exist if nothing is lost. */
  public long leastThatAreThere() {
    return (workload.createsItsKeys() ? count() : workload.keyCount())
        - Math.max(removed, workload.mayBeMissing());
  }

  /** Returns the numbers of the keys that are to be read back according to the scenario. */
  public BitSet sample() {
    return sample(acknowledged, workload.mostToVerify(), workload.seed());
  }

  public byte[] commonPrefix() {
    return workload.commonPrefix();
  }

  /** Returns whether values are long enough to be unique. */
  public boolean areComparable() {
    return workload.createsItsKeys() || workload.values().areDifferent();
  }

  /** Draws numbers without repetition, each with the same probability, from a seed. */
  static BitSet sample(BitSet numbers, long most, long seed) {
    BitSet sample = new BitSet();
    SplittableRandom random = new SplittableRandom(seed);
    long left = numbers.cardinality();
    long wanted = Math.min(most, left);
    for (int number = numbers.nextSetBit(0); wanted > 0; left--) {
      if (random.nextLong(left) < wanted) {
        sample.set(number);
        wanted--;
      }
      number = numbers.nextSetBit(number + 1);
    }
    return sample;
  }

  /** Returns the possible values of some of the keys. */
  public ExpectedKeys expected(int... numbers) {
    return new ExpectedKeys(workload, numbers);
  }
}
