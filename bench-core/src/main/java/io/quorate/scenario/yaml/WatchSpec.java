// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.format.NumberFormats;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The watchers of puts, as written in a file.
 *
 * @param loads watchers of each step, at least one
 * @param history number of puts before the load that they receive; empty for puts of the load
 * @param node node of the numbers of watchers
 */
record WatchSpec(List<WatchLoad> loads, Optional<Integer> history, Section top, Node node) {
  /** Most events of a step: each needs a bit. */
  static final long MAX_EVENTS = 1_000_000_000;

  /** Most puts of a step: each needs a few bytes. */
  private static final long MAX_PUTS = 10_000_000;

  /** Least size of values that contain their numbers. */
  private static final int MIN_VALUE = 6;

  private static final String KEY = "watch";
  private static final List<Operation> WATCHED =
      List.of(Operation.PUT, Operation.ELECT, Operation.REGISTER);

  static Optional<WatchSpec> read(Section top) {
    Section section = top.section(KEY);
    Optional<Node> node = section.node("watchers");
    ScenarioSchema schema = section.schema("watchers");
    ValueType<Integer> number = ValueType.count(schema.alternative(0));
    Optional<List<Integer>> watchers =
        node.flatMap(
            at ->
                at instanceof SequenceNode
                    ? section.list(at, schema.alternative(1), schema.expected(), number)
                    : section.read(at, number).map(List::of));
    Field<Integer> streams = section.count("streams");
    Field<Integer> history = section.count("history");
    Field<Boolean> previous = section.truth("prev-kv");
    Field<Boolean> progress = section.truth("progress-notify");
    Field<Duration> requested = section.duration("progress");
    Field<Duration> restart = section.duration("restart");
    Field<Duration> slow = section.duration("slow");
    if (watchers.isEmpty()
        || Stream.of(streams, history, previous, progress, requested, restart, slow)
            .anyMatch(Field::wrong)) {
      return Optional.empty();
    }
    List<WatchLoad> loads =
        watchers.get().stream()
            .map(
                count ->
                    new WatchLoad(
                        count,
                        Math.min(count, streams.effective()),
                        history.value().orElse(0),
                        previous.effective(),
                        progress.effective(),
                        millis(requested),
                        millis(restart),
                        millis(slow)))
            .toList();
    return Optional.of(new WatchSpec(loads, history.value(), top, node.get()));
  }

  private static long millis(Field<Duration> time) {
    return time.value().map(Duration::toMillis).orElse(0L);
  }

  void check(MixSpec given, Optional<RunLength> length, ValuesSpec values) {
    OperationMix mix = given.mix();
    if (history.isPresent() && (mix.writes() || mix.isIdentifiedByValue() || !mix.usesKeys())) {
      String found = "watchers of the past with " + given.shown();
      top.report(KEY, found, "them with requests that only read: get or range");
    } else if (history.isEmpty()
        && WATCHED.stream().noneMatch(mix::isOnly)
        && !mix.isIdentifiedByValue()) {
      String expected =
          "it with operation: put, elect or register, with no other writes than puts or optimistic"
              + " ones, or with 'history'"
              + " and requests that only read";
      top.report(KEY, "the key 'watch' with " + given.shown(), expected);
    }
    loads.stream()
        .filter(load -> load.slowMillis() > 0 && load.streams() < WatchLoad.SLOW_OF)
        .findFirst()
        .ifPresent(
            load ->
                top.report(
                    KEY,
                    "slow streams with " + NumberFormats.count(load.streams(), "stream"),
                    "10 or more streams, of which every tenth is slow"));
    values.checkAtLeast(MIN_VALUE, ", so that each event can be matched to its put");
    if (history.isEmpty() && length.filter(known -> known.requests() == 1).isPresent()) {
      top.report("requests", "1 request with watchers", "2 or more");
    }
  }

  void check(LoadSpec load, RunLength length) {
    List<Step> steps = load.steps(length);
    List<Step> watched = steps.stream().flatMap(step -> step.watchedParts().stream()).toList();
    if (load.phases().isPresent()
        && (steps.size() * loads.size() * watched.size() > 1 || history.isPresent())) {
      String expected = "one step, one number of watchers, one group that writes, and no 'history'";
      top.report(KEY, "the key 'watch' with phases or groups", expected);
      return;
    }
    if (history.isEmpty() && watched.stream().anyMatch(Step::endsByTime)) {
      String found = "the key 'duration' with watchers of puts by clients";
      String expected =
          "'requests', or a rate instead of clients, because the number of puts must be "
              + "known in advance";
      top.report(length.key(), found, expected);
      return;
    }
    if (steps.stream().anyMatch(Step::isOneShot)) {
      String found = "the key 'watch' with connections: per-request";
      top.report(KEY, found, "it with connections that stay open");
      return;
    }
    for (int i = 0; i < watched.size(); i++) {
      int count = steps.get(i).watch().map(WatchLoad::watchers).orElse(0);
      long puts = history.map(Integer::longValue).orElse(watched.get(i).requests());
      if (puts > MAX_PUTS || puts * count > MAX_EVENTS) {
        String found =
            "%s puts with %s watchers in a step".formatted(Messages.of(puts), Messages.of(count));
        String expected =
            "at most %s puts and %s events"
                .formatted(Messages.of(MAX_PUTS), Messages.of(MAX_EVENTS));
        top.report(node, found, expected);
        return;
      }
    }
  }

  void check(Store store, boolean oneKey, OperationMix mix) {
    boolean detailed = loads.stream().anyMatch(WatchLoad::isDetailed);
    UnsupportedFeature.ofEvents(mix, detailed, store)
        .ifPresent(each -> top.report(KEY, each.found(), each.expected()));
    UnsupportedFeature.ofWatchers(store, oneKey, history.isPresent())
        .ifPresent(each -> top.report(KEY, each.found(), each.expected()));
  }
}
