// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Shard;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * The objects that requests create and remove, such as Pods and events: keys next to the key space,
 * each created once. The oldest one is removed first. Safe for several threads, without locks.
 */
final class CreatedObjects {
  /** Most objects whose revisions are known. */
  private static final long MOST_KNOWN = 1 << 20;

  private static final int PERCENT = 100;

  private static final long NONE = -1;

  /** In the place of the revision of an object whose creation failed. */
  private static final long FAILED = -1;

  private final KeySequence keys;
  private final int resource;
  private final Shard shard;
  private final int staleDeletes;
  private final LastRevisions revisions = new LastRevisions(MOST_KNOWN);
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  /**
   * Creates none yet.
   *
   * @param resource number of the resource that they belong to; 0 if keys are alike
   * @param staleDeletes percentage of removals that begin with another revision than the last known
   *     one, which is a conflict
   */
  private CreatedObjects(KeySequence keys, int resource, Shard shard, int staleDeletes) {
    this.keys = keys;
    this.resource = resource;
    this.shard = shard;
    this.staleDeletes = staleDeletes;
  }

  /** Returns the objects of each resource; one only if keys are alike. */
  static List<CreatedObjects> of(KeySpace space, long seed, Shard shard, int staleDeletes) {
    KeySequence keys = KeySequence.objects(space, seed);
    return IntStream.range(0, Math.max(1, space.resources().size()))
        .mapToObj(each -> new CreatedObjects(keys, each, shard, staleDeletes))
        .toList();
  }

  /**
   * Returns the requests that create the objects which exist before the load.
   *
   * @param values returns the value of each
   */
  RequestSource creations(LongFunction<byte[]> values) {
    return (connection, index, completion) ->
        create(connection, values.apply(index), Optional.empty(), completion);
  }

  /**
   * Creates the next object.
   *
   * @param lease lease with which it ends; empty for none
   */
  void create(Connection connection, byte[] value, Optional<String> lease, Completion completion) {
    long number = created.getAndIncrement();
    connection.submit(
        new Request.OptimisticPut(key(number), value, 0, lease),
        new Completion() {
          @Override
          public void sent(long sentNanos, long heldNanos) {
            completion.sent(sentNanos, heldNanos);
          }

          @Override
          public void answered(Answer answer) {
            revisions.created(
                number, answer instanceof Answer.Written written ? written.revision() : FAILED);
            completion.answered(answer);
          }

          @Override
          public void failed(ErrorKind kind, String message) {
            revisions.created(number, FAILED);
            completion.failed(kind, message);
          }
        });
  }

  /**
   * Removes the oldest object; the answer is {@link Answer.Missing} if there is none.
   *
   * @param check checks the current value of an object whose revision is another
   */
  void remove(Connection connection, Function<byte[], ValueCheck> check, Completion completion) {
    long number = oldest();
    if (number == NONE) {
      completion.answered(Answer.MISSING);
      return;
    }
    byte[] key = key(number);
    new OptimisticChange(
            connection,
            key,
            revision -> new Request.OptimisticDelete(key, revision),
            check,
            revision -> {},
            completion)
        .start(revisions.of(number) + (isStale(number) ? 1 : 0));
  }

  /** Returns whether the removal of an object begins with a conflict; these are spread evenly. */
  private boolean isStale(long number) {
    return number * staleDeletes % PERCENT < staleDeletes;
  }

  /**
   * Takes the number of the oldest object, and passes over failed creations; {@link #NONE} if the
   * oldest one is being created.
   */
  private long oldest() {
    for (long number = removed.get(); number < created.get(); number = removed.get()) {
      long revision = revisions.of(number);
      if (revision == LastRevisions.UNKNOWN) {
        break;
      }
      if (removed.compareAndSet(number, number + 1) && revision != FAILED) {
        return number;
      }
    }
    return NONE;
  }

  private byte[] key(long number) {
    return keys.at(resource, number * shard.count() + shard.number() - 1);
  }
}
