// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a mix of operations. Operation, key and value of each follow from its number and
 * the seed; only objects are created and removed in the order of the requests, and sessions have
 * their own order. Safe for several threads.
 */
final class MixSource implements RequestSource {
  private static final byte[] NO_VALUE = {};
  private static final int PERCENT = 100;

  private final OperationMix mix;
  private final KeySequence keys;

  /** Whether puts and transactions create keys. */
  private final boolean creates;

  private final ReadConsistency consistency;
  private final ValueSource.Numbered values;
  private final Leases leases;
  private final LastRevisions revisions;

  /** The objects of each resource; one only if all keys are alike. */
  private final List<CreatedObjects> objects;

  /** The resources of requests; null if all keys are alike. */
  private final @Nullable ResourceRequests resources;

  /** Keys that may be missing; null if none may. */
  private final @Nullable UncertainKeys uncertain;

  /** The same keys if a mix also deletes; null without. */
  private final @Nullable RemovableKeys removable;

  private final Shard.RequestNumbers numbers;
  private final long seed;
  private final DrawnOperations operations;
  private final int keysPerRequest;

  /** How many of these keys a transaction writes, and writes or removes. */
  private final int txnPuts;

  private final int txnChanges;

  private final int objectsPerTxn;

  /** The part of the objects that end with their connection. */
  private final int ephemeralPercent;

  private final RangeRequests ranges;
  private final double writeShare;

  /** What carries out operations of sessions; null if the load has none. */
  private @Nullable Recipes recipes;

  MixSource(
      Scenario scenario,
      KeySequence keys,
      ValueSource.Numbered values,
      Leases leases,
      LastRevisions revisions,
      List<CreatedObjects> objects,
      @Nullable ResourceRequests resources,
      @Nullable UncertainKeys uncertain,
      Shard.RequestNumbers numbers,
      List<Step> steps) {
    this.mix = scenario.requests().mix();
    this.keys = keys;
    this.creates = !scenario.requests().keys().prepared();
    this.consistency = scenario.requests().consistency();
    this.values = values;
    this.leases = leases;
    this.revisions = revisions;
    this.objects = objects;
    this.resources = resources;
    this.uncertain = uncertain;
    this.removable = uncertain instanceof RemovableKeys keysOfMix ? keysOfMix : null;
    this.numbers = numbers;
    this.seed = HashMix.of(scenario.requests().seed() + 1);
    this.operations = new DrawnOperations(mix, seed, numbers, steps);
    this.keysPerRequest = mix.keysPerRequest();
    this.txnPuts = mix.putsPerTxn();
    this.txnChanges = txnPuts + mix.deletesPerTxn();
    this.objectsPerTxn = mix.objectsPerTxn();
    this.ephemeralPercent = mix.objects().map(OperationMix.Objects::ephemeral).orElse(0);
    this.ranges =
        RangeRequests.of(
            scenario.requests(),
            keys,
            resources,
            removable,
            (key, value) -> key < 0 ? checkObject(value) : check(key, value));
    this.writeShare =
        mix.shares().stream()
                .filter(share -> share.operation().isWrite())
                .mapToLong(OperationMix.Share::weight)
                .sum()
            / (double) mix.totalWeight();
  }

  /** Sets what carries out operations of sessions; to be called before the first request. */
  void carriedOutBy(Recipes sessions) {
    recipes = sessions;
  }

  @Override
  public int operation(long index) {
    return operations.place(index);
  }

  /** Returns whether an API server starts: in the second part of a load of resources. */
  private boolean isOfStart(long index) {
    return resources != null && operations.isInPart(index, 1);
  }

  private void createObject(Connection connection, long index, Completion completion) {
    byte[] value = values.source().at(valueWritten(index, 0));
    objects.get(resource(index)).create(connection, value, lease(index), completion);
  }

  @Override
  public void send(Connection connection, long index, Completion completion) {
    Operation operation = operationOf(index);
    switch (operation) {
      case RANGE -> ranges.send(connection, keyRead(index), isOfStart(index), completion);
      case COMPARE_AND_SET -> readModifyWrite(connection, index, completion, false).start();
      case TXN -> transact(connection, index, completion);
      case STM -> readModifyWrite(connection, index, completion, true).start();
      case LEASE_GRANT -> leases.grant(connection, completion);
      case LEASE_KEEPALIVE -> connection.submit(leases.keepAlive(index), completion);
      case OPTIMISTIC_CREATE -> createObject(connection, index, completion);
      case CREATE ->
          objects
              .get(0)
              .create(
                  connection,
                  values.source().at(valueWritten(index, 0)),
                  drawn(index, 1, PERCENT) < ephemeralPercent,
                  completion);
      case REMOVE -> objects.get(0).remove(connection, completion);
      case OPTIMISTIC_UPDATE -> optimisticUpdate(connection, index, completion);
      case OPTIMISTIC_DELETE ->
          objects
              .get(resource(index))
              .remove(
                  connection,
                  this::checkObject,
                  () -> createObject(connection, index, completion),
                  completion);
      case REVISION ->
          connection.submit(new Request.Revision(keys.absent(), consistency), completion);
      case LOCK, ELECT, REGISTER, EXPIRE ->
          Objects.requireNonNull(recipes).begin(operation, index, connection, completion);
      case COMPACT ->
          connection.submit(
              put(index, 0),
              completion.withAnswer(answer -> compact(connection, answer, completion)));
      default -> {
        long key = operation.isWrite() ? keyWritten(index, 0) : keyRead(index);
        Request request = ofOneKey(operation, index, key);
        if (uncertain == null) {
          connection.submit(request, completion);
        } else {
          uncertain.send(connection, key, request, completion);
        }
      }
    }
  }

  private Request ofOneKey(Operation operation, long index, long key) {
    byte[] value = operation.writesValues() ? values.source().at(valueWritten(index, 0)) : NO_VALUE;
    return operation.ofKey(keys.at(key), value, creates, consistency);
  }

  Request.Put put(long index, int part) {
    return new Request.Put(
        keys.at(keyWritten(index, part)), values.source().at(valueWritten(index, part)), creates);
  }

  private Request.Txn txn(long index) {
    List<Request.Put> puts = new ArrayList<>(txnPuts);
    for (int part = 0; part < txnPuts; part++) {
      puts.add(put(index, part));
    }
    return new Request.Txn(
        puts, keysOf(index, txnPuts, txnChanges), keysOf(index, txnChanges, keysPerRequest));
  }

  private void transact(Connection connection, long index, Completion completion) {
    if (objectsPerTxn > 0) {
      int all = objectsOfTxn(index);
      int creations = (all + (int) drawn(index, all + 1, 2)) / 2;
      objects
          .get(0)
          .transact(
              connection,
              txnPuts == 0 ? List.of() : txn(index).puts(),
              creations,
              all - creations,
              values.source().at(valueWritten(index, 0)),
              completion);
    } else if (removable == null) {
      connection.submit(txn(index), completion);
    } else {
      long[] written = numbersOf(index, 0, txnPuts).toArray();
      long[] removed = numbersOf(index, txnPuts, txnChanges).toArray();
      removable.transact(connection, written, removed, txn(index), completion);
    }
  }

  /**
   * Returns how many objects a transaction creates or removes: from the fewest on, each number is
   * two thirds as frequent as the one before.
   */
  int objectsOfTxn(long index) {
    int all = OperationMix.TxnParts.LEAST_OBJECTS;
    while (all < objectsPerTxn && drawn(index, all, 3) > 0) {
      all++;
    }
    return all;
  }

  /** Returns a pseudorandom number below a bound, of several that a request draws. */
  private long drawn(long index, int which, int bound) {
    return Long.remainderUnsigned(HashMix.of(seed + which ^ HashMix.of(numbers.of(index))), bound);
  }

  private LongStream numbersOf(long index, int from, int to) {
    return IntStream.range(from, to).mapToLong(part -> keyWritten(index, part));
  }

  private List<byte[]> keysOf(long index, int from, int to) {
    return numbersOf(index, from, to).mapToObj(keys::at).toList();
  }

  /** Compacts the history except for the latest revisions before a write. */
  private void compact(Connection connection, Answer answer, Completion completion) {
    if (answer instanceof Answer.Written written && written.revision() > mix.revisionsKept()) {
      connection.submit(new Request.Compact(written.revision() - mix.revisionsKept()), completion);
    } else {
      completion.answered(answer); // the history is shorter, or the key is missing
    }
  }

  private void optimisticUpdate(Connection connection, long index, Completion completion) {
    long number = keyWritten(index, 0);
    byte[] key = keys.at(number);
    byte[] value = values.source().at(valueWritten(index, 0));
    new OptimisticChange(
            connection,
            key,
            revision -> new Request.OptimisticPut(key, value, revision, Optional.empty()),
            current -> check(number, current),
            revision -> revisions.written(number, revision),
            completion)
        .start(revisions.of(number));
  }

  private Optional<String> lease(long index) {
    return mix.objects()
        .filter(OperationMix.Objects::leased)
        .filter(any -> resources == null || resources.get(resource(index)).leased())
        .map(any -> leases.of(index));
  }

  /** Returns the number of the resource that a request is about; 0 if all keys are alike. */
  int resource(long index) {
    return resources == null ? 0 : resources.resource(operationOf(index), index);
  }

  /** Checks the value of an object, which may be that of another one. */
  private ValueCheck checkObject(byte[] value) {
    return values.source().check(value, any -> true);
  }

  private ReadModifyWrite readModifyWrite(
      Connection connection, long index, Completion completion, boolean untilItSucceeds) {
    long key = keyWritten(index, 0);
    return new ReadModifyWrite(
        connection,
        new Request.Get(keys.at(key), consistency),
        values.source().at(valueWritten(index, 0)),
        value -> check(key, value),
        completion,
        untilItSucceeds);
  }

  /** Returns how many keys a request changes; 0 if it reads. */
  int keysWritten(long index) {
    Operation operation = operations.of(index);
    if (operation == Operation.TXN) {
      return txnChanges;
    }
    return operation.isWrite() ? 1 : 0;
  }

  /** Returns whether a request writes a value that watchers receive. */
  boolean changesValue(long index) {
    Operation operation = operationOf(index);
    return operation.storesValues()
        && (resources == null || resources.get(resource(index)).watched());
  }

  boolean removes(long index, int part) {
    Operation operation = operations.of(index);
    return operation.removes() || operation == Operation.TXN && part >= txnPuts;
  }

  long keyWritten(long index, int part) {
    if (resources != null) {
      return resources.key(operationOf(index), index);
    }
    return keys.numberOf(
        keys.readsTheLatest() ? writesBefore(index) : index * keysPerRequest + part);
  }

  long keyRead(long index) {
    return resources != null
        ? resources.key(operationOf(index), index)
        : keys.readBy(index * keysPerRequest, writesBefore(index));
  }

  Operation operationOf(long index) {
    return operations.of(index);
  }

  /** Returns the number of a value of this run; negative for other values. */
  long numberOf(byte[] value) {
    return values.source().numberOf(value);
  }

  /** Returns how many of the earlier requests write, as expected from the weights. */
  private long writesBefore(long index) {
    return (long) (index * writeShare);
  }

  long valueWritten(long index, int part) {
    return values.first() + index * keysPerRequest + part;
  }

  /**
   * Returns the number of the key to which a value of these requests is written; negative if there
   * is none.
   *
   * @param offset number of the value, counted from the first one
   */
  long keyOfValue(long offset) {
    long index = offset / keysPerRequest;
    int part = (int) (offset % keysPerRequest);
    Operation operation = operations.of(index);
    int written = operation == Operation.TXN ? txnPuts : operation.writesValues() ? 1 : 0;
    return part < written ? keyWritten(index, part) : -1;
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    if (answer instanceof Answer.Found found) {
      return check(keyRead(index), found.value());
    }
    if (answer instanceof Answer.Results results) {
      return check(index, results);
    }
    return answer instanceof Answer.Entries entries ? check(index, entries) : ValueCheck.INTACT;
  }

  private ValueCheck check(long index, Answer.Results results) {
    ValueCheck outcome = ValueCheck.INTACT;
    for (int i = 0; i < results.reads().size() && outcome == ValueCheck.INTACT; i++) {
      long key = keyWritten(index, txnChanges + i);
      outcome =
          results.reads().get(i) instanceof Answer.Found found
              ? check(key, found.value())
              : removable != null && removable.wasRemoved(key)
                  ? ValueCheck.INTACT
                  : ValueCheck.OTHER_KEYS;
    }
    return outcome;
  }

  private ValueCheck check(long key, byte[] value) {
    return mix.writes()
        ? values.source().check(value, number -> values.keyOf().applyAsLong(number) == key)
        : values.source().check(key, value);
  }

  private ValueCheck check(long index, Answer.Entries entries) {
    if (operationOf(index) == Operation.REVISION) {
      return entries.count() == 0 ? ValueCheck.INTACT : ValueCheck.OTHER_KEYS;
    }
    return ranges.check(keyRead(index), entries);
  }
}
