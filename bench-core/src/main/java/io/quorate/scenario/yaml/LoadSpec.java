package io.quorate.scenario.yaml;

import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The load of a database as a file gives it, before the requests are shared out. */
sealed interface LoadSpec permits ClosedLoadSpec, OpenLoadSpec, LoadSpec.Watched {
  /** The number of connections if each request has one of its own. */
  int ONE_PER_REQUEST = 0;

  /** Reports steps without requests, and clients without one. */
  void check(RunLength length, ScenarioProblems problems);

  /** Returns how many requests it takes so that every client and every step has one. */
  long leastRequests();

  /** Returns whether the steps end by time, so that their number of requests is not known. */
  boolean endsByTime(RunLength length);

  /** Returns the number of steps. */
  int stepCount();

  /** Returns the steps of this load with their share of the requests. */
  List<Step> steps(RunLength length);

  /** Returns how many requests the steps make at most. */
  default long requests(RunLength length) {
    return steps(length).stream().mapToLong(Step::requests).sum();
  }

  /** Reads the keys of a closed or of an open loop; empty, and reported, if wrong. */
  static Optional<LoadSpec> read(Section section, ScenarioProblems problems) {
    Optional<ClosedLoadSpec> closed = ClosedLoadSpec.read(section, problems);
    Optional<OpenLoadSpec> open = OpenLoadSpec.read(section, problems);
    Optional<String> clients = first(section, "clients", "steps");
    Optional<String> rate = first(section, "rate", "rates");
    if (clients.isPresent() && rate.isPresent()) {
      problems.add(
          section.key(rate.get()),
          "the key '%s' beside '%s'".formatted(rate.get(), clients.get()),
          "clients or steps (a closed loop), or rate or rates (an open loop)");
      return Optional.empty();
    }
    if (clients.isEmpty() && rate.isEmpty()) {
      String found = "none of the keys 'clients', 'steps', 'rate', 'rates'";
      problems.add(section.node(), found, "one of them");
    }
    return closed.<LoadSpec>map(load -> load).or(() -> open);
  }

  /** Returns the type of the key 'connections': clients may also open one for each request. */
  static ValueType<Integer> connections(Section section) {
    String each = "per-request";
    ValueType<Integer> number = ValueType.count(section.schema("connections").alternative(0));
    return section.has("rate") || section.has("rates")
        ? number
        : new ValueType<>(
            section.schema("connections").expected(),
            List.of(each),
            scalar ->
                scalar.getValue().equals(each)
                    ? Optional.of(ONE_PER_REQUEST)
                    : number.parser().apply(scalar));
  }

  private static Optional<String> first(Section section, String one, String other) {
    return section.has(one) ? Optional.of(one) : Optional.of(other).filter(section::has);
  }

  /**
   * Splits the requests of a scenario among the steps of a load as dbtester does, so that figures
   * can be compared with its published ones. All steps get the same, rounded down to tens of
   * thousands if it is more than 10,000 and to thousands if it is more than 1,000; the last step
   * gets what is left over besides.
   */
  final class StepSplit {
    private StepSplit() {}

    /**
     * Returns the requests of each step; they add up to the total.
     *
     * @param total at least {@code steps}
     * @param steps at least 1
     */
    static List<Long> requests(long total, int steps) {
      long each = roundedDown(total / steps);
      List<Long> shares = new ArrayList<>();
      for (int step = 1; step < steps; step++) {
        shares.add(each);
      }
      shares.add(total - each * (steps - 1));
      return List.copyOf(shares);
    }

    /** Returns a total which gives every client of every step at least one request. */
    static long enoughFor(List<Integer> clients) {
      long most = clients.stream().mapToLong(Integer::longValue).max().orElse(0);
      long unit = clients.size() == 1 ? 1 : unit(most);
      return (most + unit - 1) / unit * unit * clients.size();
    }

    private static long roundedDown(long each) {
      return each - each % unit(each);
    }

    private static long unit(long each) {
      return each > 10_000 ? 10_000 : each > 1_000 ? 1_000 : 1;
    }
  }

  /**
   * A load whose puts are watched: once for each number of watchers, which share its requests as
   * steps do.
   */
  record Watched(LoadSpec puts, WatchSpec watch) implements LoadSpec {
    @Override
    public void check(RunLength length, ScenarioProblems problems) {
      puts.check(part(length, 0), problems);
      int steps = puts.steps(length).size();
      int watches = watch.loads().size();
      if (steps > 1 && watches > 1) {
        String found =
            "%s numbers of watchers beside %s steps of the load"
                .formatted(Messages.of(watches), Messages.of(steps));
        problems.add(watch.node(), found, "one number of watchers, or a load of one step");
        return;
      }
      watch.check(this, length, problems);
    }

    @Override
    public long leastRequests() {
      int least = Math.toIntExact(puts.leastRequests());
      return StepSplit.enoughFor(Collections.nCopies(watch.loads().size(), least));
    }

    @Override
    public boolean endsByTime(RunLength length) {
      return puts.endsByTime(length);
    }

    @Override
    public int stepCount() {
      return puts.stepCount() * watch.loads().size();
    }

    @Override
    public List<Step> steps(RunLength length) {
      List<Step> steps = new ArrayList<>();
      for (int i = 0; i < watch.loads().size(); i++) {
        WatchLoad watchers = watch.loads().get(i);
        puts.steps(part(length, i)).forEach(step -> steps.add(step.watchedBy(watchers)));
      }
      return List.copyOf(steps);
    }

    /** Returns the part of the length for a number of watchers, by its position. */
    private RunLength part(RunLength length, int position) {
      return length instanceof RunLength.Requests requests
          ? new RunLength.Requests(
              StepSplit.requests(requests.count(), watch.loads().size()).get(position))
          : length;
    }
  }
}
