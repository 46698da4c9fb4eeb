package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Returned;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The load in {@code manifest.json}, with its fields in their order. */
record LoadEntry(
    List<OperationMix.Share> operations,
    Optional<RangeEntry> range,
    OptionalLong revisionsKept,
    OptionalInt leases,
    OptionalInt leaseTtlSeconds,
    OptionalInt putsPerTxn,
    ReadConsistency consistency,
    Routing routing,
    long requestTimeoutMillis,
    long seed,
    int keyBytes,
    Optional<KeysEntry> keys,
    int valueBytes,
    Optional<LoadFacts.ClientName> client,
    Optional<Boolean> realTime,
    List<StepEntry> steps) {

  /** A range; what is as usual is left out. */
  record RangeEntry(
      Optional<Boolean> all,
      OptionalLong keys,
      long limit,
      boolean countOnly,
      Optional<Boolean> keysOnly,
      OptionalLong page) {
    static RangeEntry of(OperationMix.RangeShape range) {
      return new RangeEntry(
          present(range.isOfAll()),
          range.isOfAll() ? OptionalLong.empty() : OptionalLong.of(range.keys()),
          range.limit(),
          range.countOnly(),
          present(range.returned() == Returned.KEYS),
          range.page() > 0 ? OptionalLong.of(range.page()) : OptionalLong.empty());
    }

    private static Optional<Boolean> present(boolean flag) {
      return flag ? Optional.of(true) : Optional.empty();
    }
  }

  /** The key space, with a hot set if its order has one. */
  record KeysEntry(
      OptionalLong first,
      long count,
      KeySpace.Order order,
      boolean prepared,
      Optional<KeySpace.HotSet> hotSet) {
    static KeysEntry of(KeySpace keys) {
      return new KeysEntry(
          keys.first() == 0 ? OptionalLong.empty() : OptionalLong.of(keys.first()),
          keys.count(),
          keys.order(),
          keys.prepared(),
          Optional.of(keys.hotSet()).filter(any -> keys.order() == KeySpace.Order.HOT_SET));
    }
  }

  /** A step. */
  record StepEntry(
      @JsonUnwrapped LoadModel model,
      int connections,
      long requests,
      OptionalLong durationMillis,
      OptionalInt watchers,
      OptionalInt watchStreams,
      OptionalInt watchHistory) {
    static StepEntry of(Step step) {
      return new StepEntry(
          step.model(),
          step.connections(),
          step.requests(),
          step.duration()
              .map(Duration::toMillis)
              .map(OptionalLong::of)
              .orElse(OptionalLong.empty()),
          number(step.watch().map(WatchLoad::watchers)),
          number(step.watch().map(WatchLoad::streams)),
          number(step.watch().filter(WatchLoad::isOfHistory).map(WatchLoad::history)));
    }

    private static OptionalInt number(Optional<Integer> number) {
      return number.map(OptionalInt::of).orElse(OptionalInt.empty());
    }
  }

  static LoadEntry of(LoadFacts load) {
    OperationMix mix = load.mix();
    return new LoadEntry(
        mix.shares(),
        mix.has(Operation.RANGE) ? Optional.of(RangeEntry.of(mix.range())) : Optional.empty(),
        mix.has(Operation.COMPACT) ? OptionalLong.of(mix.revisionsKept()) : OptionalLong.empty(),
        mix.usesLeases() ? OptionalInt.of(mix.leases().count()) : OptionalInt.empty(),
        mix.usesLeases() ? OptionalInt.of(mix.leases().ttlSeconds()) : OptionalInt.empty(),
        mix.has(Operation.TXN) ? OptionalInt.of(mix.putsPerTxn()) : OptionalInt.empty(),
        load.consistency(),
        load.routing(),
        load.requestTimeout().toMillis(),
        load.seed(),
        load.keyBytes(),
        load.keys().map(KeysEntry::of),
        load.valueBytes(),
        load.client(),
        load.realTime(),
        load.steps().stream().map(StepEntry::of).toList());
  }
}
