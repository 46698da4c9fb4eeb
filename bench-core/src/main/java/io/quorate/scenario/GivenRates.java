package io.quorate.scenario;

import io.quorate.VisibleText;
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
record GivenRates(
    List<Long> ratesPerSecond,
    LoadModel.Arrivals arrivals,
    int connections,
    int maxOutstanding,
    Node node)
    implements GivenLoad {
  private static final int STANDARD_CONNECTIONS = 100;
  private static final int STANDARD_OUTSTANDING = 10_000;
  private static final String RATES =
      "a list of 1 to " + MOST_STEPS + " rates, such as [1000/s, 2000/s]";
  private static final ValueKind<LoadModel.Arrivals> ARRIVALS =
      ValueKind.oneOf(
          List.of(LoadModel.Arrivals.values()), each -> each.name().toLowerCase(Locale.ROOT));
  private static final ValueKind<Integer> OUTSTANDING = ValueKind.count(1, 1_000_000);

  /** Reads its keys; empty if they are wrong, which is reported, or do not exist. */
  static Optional<GivenRates> read(Section section, ScenarioProblems problems) {
    Field<Long> rate = section.optional("rate", RATE);
    Optional<Node> rates = section.optional("rates");
    Field<LoadModel.Arrivals> arrivals = section.optional("arrivals", ARRIVALS);
    Field<Integer> connections = section.optional("connections", GivenLoad.connections(section));
    Field<Integer> outstanding = section.optional("outstanding", OUTSTANDING);
    checkKeys(section, problems);
    Optional<List<Long>> all =
        rates.isPresent()
            ? GivenLoad.list(rates.get(), RATE, RATES, problems)
            : rate.value().map(List::of);
    Optional<Integer> spread = connections.or(STANDARD_CONNECTIONS);
    Optional<Integer> most = outstanding.or(STANDARD_OUTSTANDING);
    Optional<LoadModel.Arrivals> how = arrivals.or(LoadModel.Arrivals.UNIFORM);
    if (all.isEmpty() || spread.isEmpty() || most.isEmpty() || how.isEmpty()) {
      return Optional.empty();
    }
    Node node = rates.or(rate::node).orElseThrow();
    return Optional.of(new GivenRates(all.get(), how.get(), spread.get(), most.get(), node));
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
  public void check(GivenLength length, ScenarioProblems problems) {
    if (length instanceof GivenLength.Requests requests) {
      if (requests.count() < leastRequests()) {
        String expected =
            "at least %s requests, so that the slowest step has one, or other rates"
                .formatted(ShownText.of(leastRequests()));
        problems.add(node, "rates for " + ShownText.of(requests.count()) + " requests", expected);
      }
      return;
    }
    long requests = requests(length);
    if (requests > GivenLength.MOST_REQUESTS) {
      String found = ShownText.of(requests) + " requests at this rate within the duration";
      String most = ShownText.of(GivenLength.MOST_REQUESTS);
      problems.add(node, found, "at most " + most + ": a lower rate or a shorter duration");
    }
  }

  @Override
  public long leastRequests() {
    long slowest = ratesPerSecond.stream().mapToLong(Long::longValue).min().orElseThrow();
    return (totalRate() + slowest - 1) / slowest;
  }

  @Override
  public boolean endsByTime(GivenLength length) {
    return false;
  }

  @Override
  public int stepCount() {
    return ratesPerSecond.size();
  }

  @Override
  public List<Step> steps(GivenLength length) {
    List<Step> steps = new ArrayList<>();
    long rateBefore = 0;
    for (long rate : ratesPerSecond) {
      LoadModel model = new LoadModel.Open(rate, arrivals, maxOutstanding);
      if (length instanceof GivenLength.Time time) {
        long due = time.requestsAt(rate);
        steps.add(new Step(model, connections, due, Optional.of(time.duration())));
      } else {
        long total = ((GivenLength.Requests) length).count();
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
