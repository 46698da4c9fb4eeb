// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.measure.WatchRecorder;
import io.quorate.scenario.KeysToVerify;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Capabilities;
import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Defines the requests of a scenario: the measured ones, and those that prepare them. Immutable
 * except for the history, which is set before the first request.
 */
public final class Workload {
  private final Scenario scenario;
  private final Requests asked;
  private final @Nullable ResourceRequests resources;
  private final Shard shard;
  private final Capabilities can;
  private final long seed;
  private final OperationMix mix;
  private final KeySequence keys;
  private final KeySequence warmUpKeys;
  private final ValueSource values;
  private final Leases leases;
  private final LastRevisions revisions;
  private final List<CreatedObjects> objects;
  private final @Nullable UncertainKeys uncertain;
  private final WatchHistory pastPuts;
  private final int keysPerRequest;
  private final StoreLoad load;
  private final WarmUp warmUp;

  /**
   * Number of the first value of the warm-up. Values are numbered in the order of their writing:
   * prepared keys, warm-up, measured requests.
   */
  private final long firstOfWarmUp;

  private final long firstMeasured;
  private final MixSource warmUpSource;
  private final MixSource measured;
  private final long requests;
  private final AckBitmap warmUpAcknowledgements;
  private final AckBitmap acknowledgements;
  private RequestSource rememberedWarmUp;
  private RequestSource rememberedMeasured;
  private HistoryRequests.@Nullable History history;
  private @Nullable Recipes recipes;

  public Workload(LoadShare share) {
    this.scenario = share.scenario();
    this.asked = scenario.requests();
    this.shard = share.shard();
    this.can = share.load().database().capabilities();
    this.requests = share.load().requests();
    this.load = share.load();
    this.warmUp = new WarmUp(asked, load);
    this.seed = seedOfKeysAndValues(scenario, shard);
    this.mix = asked.mix();
    this.keys = KeySequence.measured(asked.keys(), seed);
    this.warmUpKeys = KeySequence.warmUp(asked.keys(), seed);
    this.leases = new Leases(mix.leases());
    this.revisions =
        new LastRevisions(mix.has(Operation.OPTIMISTIC_UPDATE) ? asked.keys().count() : 1);
    int stale = mix.objects().map(OperationMix.Objects::staleDeletes).orElse(0);
    this.resources = ResourceRequests.of(asked.keys(), seed);
    this.objects = CreatedObjects.of(asked.keys(), seed, shard, stale);
    this.uncertain = UncertainKeys.of(asked, can);
    this.keysPerRequest = mix.keysPerRequest();
    this.firstOfWarmUp = createsItsKeys() ? 0 : asked.keys().count();
    this.firstMeasured = firstOfWarmUp + warmUp.firstKey(warmUp.mostRequests());
    this.values =
        new ValueSource(
            asked.values(),
            Math.max(firstMeasured + requests * keysPerRequest, WatchHistory.count(scenario)),
            firstMeasured,
            seed,
            resources == null
                ? null
                : number -> resources.get(resourceOfValue(number)).valueBytes());
    this.pastPuts = new WatchHistory(warmUpKeys, values);
    this.warmUpAcknowledgements = new AckBitmap(Math.max(1, warmUp.mostRequests()));
    this.acknowledgements = new AckBitmap(requests);
    this.warmUpSource =
        requests(
            warmUp.hasOwnKeys() ? warmUpKeys : keys,
            firstOfWarmUp,
            Shard.RequestNumbers.of(shard),
            List.of());
    this.measured =
        requests(
            keys,
            firstMeasured,
            Shard.RequestNumbers.of(shard, share.whole().steps()),
            load.steps());
    this.rememberedWarmUp = remembered(warmUpSource, warmUpAcknowledgements);
    this.rememberedMeasured = remembered(measured, acknowledgements);
  }

  /**
   * Records all following requests in a history; to be called before the first one.
   *
   * @param originNanos nano time at which the times of the history begin
   * @param members addresses of the members, by their numbers from 1
   */
  public void recordIn(HistoryFile file, long originNanos, List<Endpoint> members) {
    history = new HistoryRequests.History(file.recorder(), originNanos, members);
    Action reads =
        asked.consistency() == ReadConsistency.LINEARIZABLE ? Action.GET : Action.STALE_GET;
    if (asked.keys().prepared()) {
      history.preloaded(asked.keys().count());
    }
    rememberedWarmUp = new HistoryRequests(rememberedWarmUp, warmUpSource, reads, history);
    rememberedMeasured = new HistoryRequests(rememberedMeasured, measured, reads, history);
  }

  /** Sets what carries out operations of sessions; to be called before the first request. */
  public void carriedOutBy(Recipes sessions) {
    recipes = sessions;
    measured.carriedOutBy(sessions);
    warmUpSource.carriedOutBy(sessions);
  }

  /** Returns the number of the key of a measured request, for operations of one key. */
  public long keyNumber(long index) {
    return measured.keyWritten(index, 0);
  }

  /** Returns the key of a measured request, for operations of one key. */
  public byte[] keyOfRequest(long index) {
    return keys.at(keyNumber(index));
  }

  /** Returns a put to the key of a measured request, with the value of that request. */
  public Request.Put put(long index) {
    return measured.put(index, 0);
  }

  /** Returns the prefix of all keys; empty if they have none. */
  public String prefix() {
    return asked.keys().prefix();
  }

  /** Returns the number that identifies a value in a history. */
  public long valueId(byte[] value) {
    return HistoryRequests.id(measured.numberOf(value));
  }

  /** Writes what the history has buffered. */
  public void flushHistory() {
    if (history != null) {
      history.flush();
    }
  }

  /** Returns this load generator's share of a total of all shards. */
  public int share(int total) {
    return shard.share(total);
  }

  /** Returns a separate seed for each shard, so that shards write different values. */
  private static long seedOfKeysAndValues(Scenario scenario, Shard shard) {
    return shard.isWhole()
        ? scenario.requests().seed()
        : HashMix.of(scenario.requests().seed() + HashMix.of(shard.number()));
  }

  private MixSource requests(
      KeySequence sequence, long firstValue, Shard.RequestNumbers numbers, List<Step> steps) {
    return new MixSource(
        scenario,
        sequence,
        new ValueSource.Numbered(values, firstValue, this::keyOfValue),
        leases,
        revisions,
        objects,
        resources,
        uncertain,
        numbers,
        steps);
  }

  /** Returns the number of the key to which a value is written; negative if there is none. */
  long keyOfValue(long number) {
    if (number < firstOfWarmUp) {
      return number;
    }
    return number < firstMeasured
        ? warmUpSource.keyOfValue(number - firstOfWarmUp)
        : measured.keyOfValue(number - firstMeasured);
  }

  /** Returns the number of the resource of a value, if keys consist of resources. */
  private int resourceOfValue(long number) {
    if (number < firstOfWarmUp) {
      return keys.resourceOf(number);
    }
    return number < firstMeasured
        ? warmUpSource.resource(number - firstOfWarmUp)
        : measured.resource(number - firstMeasured);
  }

  /** Returns the names of the operations, in the order of the scenario. */
  public List<String> operations() {
    return mix.operations().stream().map(Operation::id).toList();
  }

  /** Returns whether each measured request creates a key, so that none exists beforehand. */
  public boolean createsItsKeys() {
    return !asked.keys().prepared();
  }

  /** Returns whether each measured request removes a key, which cannot be removed twice. */
  public boolean removesItsKeys() {
    return mix.removesEachKey();
  }

  /** Returns whether a removal, or its end, explains that a key is missing after the load. */
  boolean mayBeMissing(long number) {
    return uncertain != null && uncertain.mayBeMissing(number);
  }

  /** Returns how many keys a removal of a mix, or their end, may have left missing by now. */
  long mayBeMissing() {
    return uncertain == null ? 0 : uncertain.count();
  }

  /** Returns the leases that are granted before the requests; empty if they need none. */
  public Optional<Leases> leases() {
    return mix.needsLeases() ? Optional.of(leases) : Optional.empty();
  }

  /** Returns the names of all leases that keys may have, or had. */
  public List<String> leasesOfKeys() {
    return mix.usesLeases() ? leases.granted() : uncertain == null ? List.of() : uncertain.leases();
  }

  /** Returns how many objects exist before the requests; 0 if these create none. */
  public int objects() {
    return mix.objects().map(given -> share(given.count())).orElse(0);
  }

  public RequestSource createObjects() {
    return resources == null
        ? objects.get(0).creations(values::at, mix.has(Operation.OPTIMISTIC_CREATE))
        : resources.creations(objects, values::at);
  }

  public boolean usesKeys() {
    return mix.usesKeys();
  }

  /** Returns how many requests come before the measured ones, and which keys they have. */
  public WarmUp warmUp() {
    return warmUp;
  }

  public RequestSource measured() {
    return rememberedMeasured;
  }

  /** Returns the measured requests; the watchers are notified of their puts. */
  public RequestSource measured(WatchRecorder watchers) {
    if (recipes != null) {
      recipes.watchedBy(watchers);
      return measured;
    }
    return new RecordedRequests(measured, isVerified() ? acknowledgements : null, watchers);
  }

  /** Returns requests of the same kind that leave the measured keys as they are. */
  public RequestSource warmUpRequests() {
    return rememberedWarmUp;
  }

  private RequestSource remembered(MixSource which, AckBitmap where) {
    return isVerified() ? new RecordedRequests(which, where, null) : which;
  }

  /** Returns whether keys are read back after the load. */
  public boolean isVerified() {
    return mix.writes() && asked.verify() != KeysToVerify.NONE;
  }

  long mostToVerify() {
    return asked.verify() == KeysToVerify.ALL ? Long.MAX_VALUE : KeysToVerify.MAX_OF_SAMPLE;
  }

  long seed() {
    return seed;
  }

  /** Returns the measured requests, without keeping their outcomes. */
  MixSource measuredRequests() {
    return measured;
  }

  AckBitmap acknowledgements() {
    return acknowledgements;
  }

  /** Returns a number above the numbers of all measured requests that were sent. */
  long sentAtMost() {
    return Math.min(requests, acknowledgements.end());
  }

  boolean isMeasured(long value) {
    return value >= firstMeasured;
  }

  long requestOf(long value) {
    return (value - firstMeasured) / keysPerRequest;
  }

  /** Returns whether a value of the warm-up may still be written during the measured requests. */
  boolean mayComeLate(long value) {
    if (value < firstOfWarmUp) {
      return false;
    }
    long index = (value - firstOfWarmUp) / keysPerRequest;
    return !warmUpAcknowledgements.isAcknowledged(index)
        && !warmUpAcknowledgements.isRefused(index);
  }

  /** Returns one key of the key space, 0 to {@link #keyCount()} - 1. */
  public byte[] key(long number) {
    return keys.at(number);
  }

  public long keyCount() {
    return asked.keys().count();
  }

  /** Returns the common prefix of the keys of the key space; empty if other keys also have it. */
  byte[] commonPrefix() {
    byte[] last = keys.at(keyCount() - 1);
    int length = last.length - String.valueOf(keyCount() - 1).length();
    return resources == null && shard.isWhole() && length > asked.keys().prefix().length()
        ? Arrays.copyOf(last, length)
        : new byte[0];
  }

  /** Returns how many connections the measured requests have at most. */
  int mostConnections() {
    return load.mostConnections();
  }

  /** Returns how many keys there are at most at a time, without the preloaded ones. */
  public long mostKeys() {
    if (!usesKeys()) {
      return 0;
    }
    long ofWarmUp = warmUp.hasOwnKeys() ? warmUp.mostKeys() : 0;
    return keyCount()
        + objects()
        + ofWarmUp
        + (WatchHistory.count(scenario) > 0 ? 1 : 0)
        + mix.sessions().map(plan -> load.keysOfSessions(mix, plan)).orElse(0L);
  }

  /**
   * Returns the removal of the written keys, and perhaps of others that were not written.
   *
   * @param prepared number of keys written before the first request
   * @param warmedUp number of requests of the warm-up whose keys may exist
   * @param begun whether measured requests were sent
   */
  public KeyRemoval removal(long prepared, long warmedUp, long preloaded, boolean begun) {
    List<KeyRemoval.Keys> all = new ArrayList<>();
    if (!createsItsKeys()) {
      all.add(new KeyRemoval.Keys(prepared, keys::at));
    } else if (begun && isVerified()) {
      all.add(
          new KeyRemoval.Keys(
              sentAtMost() * keysPerRequest,
              put ->
                  keys.at(
                      measured.keyWritten(put / keysPerRequest, (int) (put % keysPerRequest)))));
    } else if (begun) {
      all.add(new KeyRemoval.Keys(keyCount(), keys::at));
    }
    if (warmUp.hasOwnKeys()) {
      long used = Math.min(warmUp.firstKey(warmedUp), keyCount());
      all.add(
          new KeyRemoval.Keys(used, used == keyCount() ? warmUpKeys::at : warmUpKeys::ofRequest));
    }
    if (WatchHistory.count(scenario) > 0) {
      all.add(new KeyRemoval.Keys(1, warmUpKeys::at));
    }
    all.add(new KeyRemoval.Keys(preloaded, KeySequence.preloaded(asked.keys(), asked.seed())::at));
    return new KeyRemoval(asked.keys().prefix(), all, load.mostConnections());
  }

  public ValueSource values() {
    return values;
  }

  /** Returns the keys that are watched during the warm-up; its puts have no numbers. */
  public WatchedKeys watchedInWarmUp() {
    KeySequence sequence = warmUp.hasOwnKeys() ? warmUpKeys : keys;
    return new WatchedKeys(sequence, asked.keys().count(), watchedPrefixes(), value -> -1);
  }

  public WatchedKeys watched() {
    return new WatchedKeys(
        keys,
        asked.keys().count(),
        watchedPrefixes(),
        value -> values.numberOf(value) - firstMeasured);
  }

  /** Returns the prefixes of keys and objects; none unless all writes are optimistic. */
  private List<String> watchedPrefixes() {
    return mix.isIdentifiedByValue() ? asked.keys().watchedPrefixes() : List.of();
  }

  public WatchHistory pastPuts() {
    return pastPuts;
  }

  /** Returns requests that write key {@code index} anew, and keep the revisions for updates. */
  public RequestSource writeKeys() {
    if (uncertain instanceof ExpiringKeys ending) {
      return ending.writes(keys::at, values::at);
    }
    return revisions.learnedFrom(preparing().writeKeys());
  }

  /** Returns the requests that come before and after the measured ones. */
  public PreparingRequests preparing() {
    return new PreparingRequests(scenario, keys, warmUpKeys, values, can);
  }
}
