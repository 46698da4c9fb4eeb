// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Shard;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

  /** In the place of the revision of an object whose creation failed, or which is ephemeral. */
  private static final long FAILED = -1;

  /** In the place of the revision of an object that exists, if the store says none. */
  private static final long CREATED = 1;

  private final KeySequence keys;
  private final int resource;
  private final Shard shard;
  private final int staleDeletes;
  private final LastRevisions revisions = new LastRevisions(MOST_KNOWN);
  private final AtomicLong created = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  /** The keys of ephemeral objects that each connection has created, and has not removed. */
  private final Map<Connection, Queue<byte[]>> ephemeral = new ConcurrentHashMap<>();

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
   * @param optimistic whether optimistic requests remove them
   */
  RequestSource creations(LongFunction<byte[]> values, boolean optimistic) {
    return (connection, index, completion) -> {
      if (optimistic) {
        create(connection, values.apply(index), Optional.empty(), completion);
      } else {
        create(connection, values.apply(index), false, completion);
      }
    };
  }

  /** Creates the next object, which ends with the connection if it is ephemeral. */
  void create(Connection connection, byte[] value, boolean ends, Completion completion) {
    long number = created.getAndIncrement();
    byte[] key = key(number);
    if (!ends) {
      connection.submit(Request.create(key, value), noting(number, 1, completion));
      return;
    }
    revisions.created(number, FAILED);
    connection.submit(
        new Request.CreateEphemeral(key, value),
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Written) {
                ephemeral
                    .computeIfAbsent(connection, any -> new ConcurrentLinkedQueue<>())
                    .add(key);
              }
              completion.answered(answer);
            }));
  }

  /**
   * Removes the oldest ephemeral object of the connection, or the oldest of the others if it has
   * none; the answer is {@link Answer.Missing} if there is none, either.
   */
  void remove(Connection connection, Completion completion) {
    Queue<byte[]> own = ephemeral.get(connection);
    byte[] key = own == null ? null : own.poll();
    long number = key == null ? oldest() : NONE;
    if (number != NONE) {
      key = key(number);
    }
    if (key == null) {
      completion.answered(Answer.MISSING);
    } else if (own == null || number != NONE) {
      connection.submit(new Request.Delete(key), completion);
    } else {
      connection.submit(
          new Request.Delete(key),
          completion.withAnswer(
              answer -> {
                if (answer == Answer.MISSING) {
                  // a new session, and the objects of the last one have ended with it
                  own.clear();
                }
                completion.answered(answer);
              }));
    }
  }

  /**
   * Sends a transaction that also creates objects, and removes the oldest ones; fewer only if there
   * are not as many.
   *
   * @param puts other keys that it writes
   */
  void transact(
      Connection connection,
      List<Request.Put> puts,
      int creations,
      int removals,
      byte[] value,
      Completion completion) {
    long first = created.getAndAdd(creations);
    List<Request.Put> all = new ArrayList<>(puts);
    for (long number = first; number < first + creations; number++) {
      all.add(Request.create(key(number), value));
    }
    List<byte[]> old = new ArrayList<>(removals);
    for (long number = NONE; old.size() < removals && (number = oldest()) != NONE; ) {
      old.add(key(number));
    }
    connection.submit(new Request.Txn(all, old, List.of()), noting(first, creations, completion));
  }

  /**
   * Creates the next object.
   *
   * @param lease lease with which it ends; empty for none
   */
  void create(Connection connection, byte[] value, Optional<String> lease, Completion completion) {
    long number = created.getAndIncrement();
    connection.submit(
        new Request.OptimisticPut(key(number), value, 0, lease), noting(number, 1, completion));
  }

  /** Notes whether objects exist when the request that creates them has ended. */
  private Completion noting(long first, int count, Completion completion) {
    return new Completion() {
      @Override
      public void sent(long sentNanos, long heldNanos) {
        completion.sent(sentNanos, heldNanos);
      }

      @Override
      public void answered(Answer answer) {
        note(
            answer instanceof Answer.Written written
                ? Math.max(CREATED, written.revision())
                : FAILED);
        completion.answered(answer);
      }

      @Override
      public void failed(ErrorKind kind, String message) {
        note(FAILED);
        completion.failed(kind, message);
      }

      private void note(long revision) {
        for (long number = first; number < first + count; number++) {
          revisions.created(number, revision);
        }
      }
    };
  }

  /**
   * Removes the oldest object.
   *
   * @param check checks the current value of an object whose revision is another
   * @param otherwise what is done if there is none, as more were removed than created by chance
   */
  void remove(
      Connection connection,
      Function<byte[], ValueCheck> check,
      Runnable otherwise,
      Completion completion) {
    long number = oldest();
    if (number == NONE) {
      otherwise.run();
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
