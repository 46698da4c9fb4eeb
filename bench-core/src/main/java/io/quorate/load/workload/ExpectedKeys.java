// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * The values that some keys may hold after all requests have ended: the value of any write that was
 * acknowledged or has an unknown outcome, unless another acknowledged write was due after its end.
 * Likewise a key may be missing after a removal. A write with an unknown outcome can still be
 * carried out late, so nothing replaces it for certain. Safe for several threads.
 */
public final class ExpectedKeys {
  /** The fault of a key that was acknowledged and cannot be found. */
  public static final String MISSING = "it is missing";

  static final String STILL_THERE = "it exists, although its removal was acknowledged";

  private static final long NEVER = Long.MIN_VALUE;
  private static final long AT_ANY_TIME = Long.MAX_VALUE;

  private final Workload workload;
  private final MixSource requests;
  private final AckBitmap known;
  private final int[] numbers;

  /** The scheduled time of the latest acknowledged change of each key. */
  private final long[] changedTick;

  /** The time until which a removal of each key may have been carried out. */
  private final long[] removedTick;

  /** The number of the latest acknowledged value of each key. */
  private final long[] latestValue;

  /** The keys that a request may have written. */
  private final BitSet mayBeWritten = new BitSet();

  ExpectedKeys(Workload workload, int... numbers) {
    this.workload = workload;
    this.requests = workload.measuredRequests();
    this.known = workload.acknowledgements();
    this.numbers = numbers.clone();
    this.changedTick = filled(NEVER);
    this.removedTick = filled(NEVER);
    this.latestValue = filled(-1);
    long end = workload.sentAtMost();
    for (long index = known.skip(0); index < end; index = known.skip(index + 1)) {
      for (int part = 0; part < requests.keysWritten(index); part++) {
        int place = Arrays.binarySearch(this.numbers, (int) requests.keyWritten(index, part));
        if (place >= 0) {
          add(place, index, part);
        }
      }
    }
  }

  private long[] filled(long value) {
    long[] all = new long[numbers.length];
    Arrays.fill(all, value);
    return all;
  }

  private void add(int place, long index, int part) {
    boolean removes = requests.removes(index, part);
    if (!removes && !known.isRefused(index)) {
      mayBeWritten.set(place);
    }
    if (known.isAcknowledged(index)) {
      changedTick[place] = Math.max(changedTick[place], known.dueTick(index));
      if (removes) {
        removedTick[place] = Math.max(removedTick[place], known.endTick(index));
      } else {
        latestValue[place] = requests.valueWritten(index, part);
      }
    } else if (removes && !known.isRefused(index)) {
      removedTick[place] = AT_ANY_TIME;
    }
  }

  public int count() {
    return numbers.length;
  }

  public byte[] key(int place) {
    return workload.key(numbers[place]);
  }

  /** Returns the problem of the answer to a read of a key; empty if there is none. */
  public Optional<String> fault(int place, Answer answer) {
    if (!(answer instanceof Answer.Found found)) {
      boolean removed =
          removedTick[place] > changedTick[place] || workload.mayBeMissing(numbers[place]);
      return removed ? Optional.empty() : Optional.of(MISSING);
    }
    if (!mayBeWritten.get(place)) {
      return Optional.of(STILL_THERE);
    }
    ValueCheck check = check(place, found.value());
    return check == ValueCheck.INTACT ? Optional.empty() : Optional.of(check.message());
  }

  private ValueCheck check(int place, byte[] value) {
    if (workload.createsItsKeys()) {
      return workload.values().check(latestValue[place], value);
    }
    ValueCheck[] found = {ValueCheck.INTACT};
    ValueCheck form =
        workload
            .values()
            .check(
                value,
                number -> {
                  found[0] = ofNumber(place, number);
                  return true;
                });
    return form == ValueCheck.INTACT ? found[0] : form;
  }

  private ValueCheck ofNumber(int place, long number) {
    if (workload.keyOfValue(number) != numbers[place]) {
      return ValueCheck.OF_ANOTHER_KEY;
    }
    if (!workload.isMeasured(number)) {
      return workload.mayComeLate(number) ? ValueCheck.INTACT : ValueCheck.OUTDATED;
    }
    long index = workload.requestOf(number);
    if (known.isRefused(index)) {
      return ValueCheck.NOT_CARRIED_OUT;
    }
    return known.isAcknowledged(index) && known.endTick(index) <= changedTick[place]
        ? ValueCheck.OUTDATED
        : ValueCheck.INTACT;
  }
}
