package io.quorate.scenario.yaml;

import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A load whose puts are watched: once for each number of watchers, which share its requests as
 * steps do.
 */
record WatchedLoadSpec(LoadSpec puts, WatchSpec watch) implements LoadSpec {
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
