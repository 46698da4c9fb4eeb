// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The last known revisions of numbered keys, as the cache of a Kubernetes API server has them. It
 * holds at most {@value #MOST} of them: keys whose numbers differ by a multiple of that share a
 * place, so that one of them has a wrong revision, which the store detects. Safe for several
 * threads, without locks.
 */
final class LastRevisions {
  /** The revision of a key that is not known. */
  static final long UNKNOWN = 0;

  private static final int MOST = 1 << 22;

  private final AtomicLongArray revisions;

  /** Creates a cache for keys with the numbers 0 to {@code count - 1}. */
  LastRevisions(long count) {
    this.revisions = new AtomicLongArray((int) Math.min(count, MOST));
  }

  long of(long number) {
    return revisions.get(place(number));
  }

  /** Keeps the revision of a write, unless that of a later write is known. */
  void written(long number, long revision) {
    revisions.accumulateAndGet(place(number), revision, Math::max);
  }

  /** Keeps the revision of a new key, in the place of an earlier one. */
  void created(long number, long revision) {
    revisions.set(place(number), revision);
  }

  /** Returns the same writes, whose numbers are those of their keys, and keeps their revisions. */
  RequestSource learnedFrom(RequestSource writes) {
    return (connection, index, completion) ->
        writes.send(
            connection,
            index,
            completion.withAnswer(
                answer -> {
                  if (answer instanceof Answer.Written written) {
                    written(index, written.revision());
                  }
                  completion.answered(answer);
                }));
  }

  private int place(long number) {
    return (int) (number % revisions.length());
  }
}
