package io.quorate.scenario.yaml;

import io.quorate.scenario.Step;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The watchers of puts as a file gives them.
 *
 * @param watchers of each step, at least one
 * @param streams over which they are spread, as far as there are so many watchers
 * @param history of how many puts before the load they are told; empty for those of the load
 * @param key where the name of the map stands
 * @param node where the numbers of watchers stand
 */
record WatchSpec(
    List<Integer> watchers, int streams, Optional<Integer> history, Node key, Node node) {
  /** Most events of a step: each takes a bit. */
  static final long MAX_EVENTS = 1_000_000_000;

  /** Most puts of a step: each takes a few bytes. */
  private static final long MAX_PUTS = 10_000_000;

  /** Values of fewer bytes do not contain their numbers. */
  private static final int MIN_VALUE = 6;

  /** Reads it; empty if there is none, or it is wrong, which is reported. */
  static Optional<WatchSpec> read(Section top, ScenarioProblems problems) {
    Section section = top.section("watch");
    Optional<Node> node = section.node("watchers");
    ScenarioSchema schema = section.schema("watchers");
    Optional<List<Integer>> watchers = node.flatMap(at -> watchers(at, schema, problems));
    Field<Integer> streams = section.count("streams");
    Field<Integer> history = section.count("history");
    if (watchers.isEmpty() || streams.wrong() || history.wrong()) {
      return Optional.empty();
    }
    return Optional.of(
        new WatchSpec(
            watchers.get(),
            streams.effective(),
            history.value(),
            top.key("watch"),
            node.orElseThrow()));
  }

  private static Optional<List<Integer>> watchers(
      Node node, ScenarioSchema schema, ScenarioProblems problems) {
    ValueType<Integer> number = ValueType.count(schema.alternative(0));
    return node instanceof SequenceNode
        ? Section.list(node, schema.alternative(1), schema.expected(), number, problems)
        : number.read(node, problems).map(List::of);
  }

  /** Returns the watchers of each step. */
  List<WatchLoad> loads() {
    return watchers.stream()
        .map(count -> new WatchLoad(count, Math.min(count, streams), history.orElse(0)))
        .toList();
  }

  /** Reports watchers of anything but puts or the past, and puts whose events cannot be matched. */
  void check(
      MixSpec mix,
      Optional<RunLength> length,
      Field<Integer> valueSize,
      Section top,
      ScenarioProblems problems) {
    if (history.isPresent()) {
      checkReads(mix, problems);
    } else if (!mix.mix().isOnly(Operation.PUT)) {
      String expected = "it with operation: put, or with 'history' and requests that only read";
      problems.add(key, "the key 'watch' with " + mix.shown(), expected);
    }
    if (valueSize.value().filter(size -> size < MIN_VALUE).isPresent()) {
      String expected = "at least " + MIN_VALUE + ", so that each event can be matched to its put";
      problems.add(valueSize.node().orElseThrow(), Messages.of(valueSize.get()), expected);
    }
    if (history.isEmpty() && length.filter(WatchSpec::isOneRequest).isPresent()) {
      problems.add(top.key("requests"), "1 request with watchers", "2 or more");
    }
  }

  private void checkReads(MixSpec mix, ScenarioProblems problems) {
    if (mix.mix().writes() || !mix.mix().usesKeys()) {
      String found = "watchers of the past with " + mix.shown();
      problems.add(key, found, "them with requests that only read: get or range");
    }
  }

  private static boolean isOneRequest(RunLength length) {
    return length instanceof RunLength.Requests requests && requests.count() == 1;
  }

  /** Reports a load whose puts are unknown or too many for the watchers. */
  void check(LoadSpec load, RunLength length, ScenarioProblems problems) {
    if (history.isEmpty() && length instanceof RunLength.Time time && load.endsByTime(length)) {
      String found = "the key 'duration' with watchers of puts by clients";
      String expected =
          "'requests', or a rate in place of clients, as the number of puts has to be known"
              + " beforehand";
      problems.add(time.key(), found, expected);
      return;
    }
    if (load.steps(length).stream().anyMatch(Step::isOneShot)) {
      String found = "the key 'watch' with connections: per-request";
      problems.add(key, found, "it with connections that stay open");
      return;
    }
    for (Step step : load.steps(length)) {
      int count = step.watch().map(WatchLoad::watchers).orElse(0);
      long puts = history.map(Integer::longValue).orElse(step.requests());
      if (puts > MAX_PUTS || puts * count > MAX_EVENTS) {
        String found =
            "%s puts with %s watchers in a step".formatted(Messages.of(puts), Messages.of(count));
        String expected =
            "at most %s puts and %s events"
                .formatted(Messages.of(MAX_PUTS), Messages.of(MAX_EVENTS));
        problems.add(node, found, expected);
        return;
      }
    }
  }

  /** Reports watches that a database does not support. */
  void check(Store store, boolean oneKey, ScenarioProblems problems) {
    UnsupportedFeature.ofWatchers(store, oneKey, history.isPresent())
        .ifPresent(each -> problems.add(key, each.found(), each.expected()));
  }
}
