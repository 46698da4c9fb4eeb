package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * An open loop as a file gives it.
 *
 * @param ratesPerSecond of each step, at least one
 * @param node where they stand
 */
record OpenLoadSpec(
    List<Long> ratesPerSecond,
    LoadModel.Arrivals arrivals,
    int connections,
    int maxOutstanding,
    Node node)
    implements LoadSpec {
  private static final int DEFAULT_CONNECTIONS = 100;

  /** Reads its keys; empty if they are wrong, which is reported, or do not exist. */
  static Optional<OpenLoadSpec> read(Section section, ScenarioProblems problems) {
    Field<Long> rate = section.rate("rate");
    Field<List<Long>> rates =
        section.list("rates", ValueType.rate(section.schema("rates").items()));
    Field<LoadModel.Arrivals> arrivals =
        section.oneOf(
            "arrivals", LoadModel.Arrivals.values(), each -> each.name().toLowerCase(Locale.ROOT));
    Field<Integer> connections = section.field("connections", LoadSpec.connections(section));
    Field<Integer> outstanding = section.count("outstanding");
    checkKeys(section, problems);
    Optional<List<Long>> all = section.has("rates") ? rates.value() : rate.value().map(List::of);
    if (all.isEmpty() || connections.wrong() || outstanding.wrong() || arrivals.wrong()) {
      return Optional.empty();
    }
    return Optional.of(
        new OpenLoadSpec(
            all.get(),
            arrivals.effective(),
            connections.value().orElse(DEFAULT_CONNECTIONS),
            outstanding.effective(),
            rates.node().or(rate::node).orElseThrow()));
  }

  private static void checkKeys(Section section, ScenarioProblems problems) {
    if (section.has("rate") && section.has("rates")) {
      problems.add(section.key("rates"), "the key 'rates' beside 'rate'", "one of them");
    }
    boolean open = section.has("rate") || section.has("rates");
    if (open && section.has("limit")) {
      String found = "the key 'limit' beside '" + (section.has("rate") ? "rate'" : "rates'");
      problems.add(section.key("limit"), found, "it beside clients or steps only");
    }
    for (String key : List.of("arrivals", "outstanding")) {
      if (!open && section.has(key)) {
        String found = "the key " + VisibleText.quoted(key) + " without 'rate' or 'rates'";
        problems.add(section.key(key), found, "it in an open loop only");
      }
    }
  }

  @Override
  public void check(RunLength length, ScenarioProblems problems) {
    if (length instanceof RunLength.Requests requests) {
      if (requests.count() < leastRequests()) {
        String expected =
            "at least %s requests, so that the slowest step has one, or other rates"
                .formatted(Messages.of(leastRequests()));
        problems.add(node, "rates for " + Messages.of(requests.count()) + " requests", expected);
      }
      return;
    }
    long requests = requests(length);
    if (requests > Scenario.MAX_REQUESTS) {
      String found = Messages.of(requests) + " requests at this rate within the duration";
      String most = Messages.of(Scenario.MAX_REQUESTS);
      problems.add(node, found, "at most " + most + ": a lower rate or a shorter duration");
    }
  }

  @Override
  public long leastRequests() {
    long slowest = ratesPerSecond.stream().mapToLong(Long::longValue).min().orElseThrow();
    return (totalRate() + slowest - 1) / slowest;
  }

  @Override
  public boolean endsByTime(RunLength length) {
    return false;
  }

  @Override
  public int stepCount() {
    return ratesPerSecond.size();
  }

  @Override
  public List<Step> steps(RunLength length) {
    List<Step> steps = new ArrayList<>();
    long rateBefore = 0;
    for (long rate : ratesPerSecond) {
      LoadModel model = new LoadModel.Open(rate, arrivals, maxOutstanding);
      if (length instanceof RunLength.Time time) {
        long due = time.requestsAt(rate);
        steps.add(new Step(model, connections, due, Optional.of(time.duration())));
      } else {
        long total = ((RunLength.Requests) length).count();
        long share = upTo(rateBefore + rate, total) - upTo(rateBefore, total);
        steps.add(new Step(model, connections, share, Optional.empty()));
      }
      rateBefore += rate;
    }
    return List.copyOf(steps);
  }

  /** Returns the requests of the first steps, whose rates add up to this one. */
  private long upTo(long rate, long requests) {
    return requests * rate / totalRate();
  }

  private long totalRate() {
    return ratesPerSecond.stream().mapToLong(Long::longValue).sum();
  }
}
