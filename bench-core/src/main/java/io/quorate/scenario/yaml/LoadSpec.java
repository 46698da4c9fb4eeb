// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.Named;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Ramp;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The load of a database, as written in a file, before the requests are divided among steps. Each
 * step is a closed loop with a number of clients, or an open loop with a rate.
 *
 * @param amounts number of clients, or requests per second, of each step; at least one
 * @param nodes node of each number of clients; empty for rates
 * @param model load model of a step, by its amount
 * @param node common node of the amounts
 * @param watch watchers of the puts; empty for none. All steps run once for each number of
 *     watchers, and all these steps share the requests
 * @param phases loads with separate operations, of which this one consists; empty if it has none
 */
record LoadSpec(
    boolean isOpen,
    List<Long> amounts,
    List<Node> nodes,
    List<Integer> connections,
    LongFunction<LoadModel> model,
    Section section,
    Node node,
    Optional<WatchSpec> watch,
    Optional<PhasesSpec> phases) {
  /** The number of connections if each request has a separate one. */
  private static final int ONE_PER_REQUEST = 0;

  private static final int CONNECTIONS_OF_OPEN = 100;
  private static final double MILLIS_PER_SECOND = 1000;
  private static final String THINK = "think-time";
  private static final String RAMP = "ramp";

  static Optional<LoadSpec> read(Section section) {
    Optional<String> clients = first(section, "clients", "steps");
    Optional<String> rate = first(section, "rate", "rates");
    Field<Integer> connections = section.field("connections", connections(section, rate));
    Optional<LoadSpec> closed = closed(section, connections, rate.isPresent());
    Optional<LoadSpec> open = open(section, connections, rate);
    if (clients.isPresent() && rate.isPresent()) {
      section.report(
          rate.get(),
          "the key '%s' together with '%s'".formatted(rate.get(), clients.get()),
          "clients or steps (a closed loop), or rate or rates (an open loop)");
      return Optional.empty();
    }
    if (clients.isEmpty() && rate.isEmpty()) {
      String found = "none of the keys 'clients', 'steps', 'rate', 'rates'";
      section.report(section.node(), found, "one of them");
    }
    return closed.or(() -> open);
  }

  /** Returns whether each request has a separate connection. */
  boolean isOneShot() {
    return phases.isPresent()
        ? phases.get().isOneShot()
        : model.apply(1) instanceof LoadModel.Closed closed && closed.oneShot();
  }

  private static Optional<String> first(Section section, String one, String other) {
    return section.has(one) ? Optional.of(one) : Optional.of(other).filter(section::has);
  }

  /** Returns the type of the key 'connections': clients may also open one for each request. */
  private static ValueType<Integer> connections(Section section, Optional<String> rate) {
    ScenarioSchema schema = section.schema("connections");
    ValueType<Integer> number = ValueType.count(schema.alternative(0));
    return rate.isPresent() ? number : number.or("per-request", ONE_PER_REQUEST, schema.expected());
  }

  private static Optional<LoadSpec> closed(
      Section section, Field<Integer> connections, boolean isOpen) {
    Field<Integer> clients = section.count("clients");
    Field<List<Integer>> steps =
        section.list("steps", ValueType.count(section.schema("steps").items()));
    Field<Long> limit = section.rate("max-rate");
    Field<Duration> think = section.duration(THINK);
    boolean oneShot = connections.is(ONE_PER_REQUEST);
    boolean spread = connections.node().isPresent() && !oneShot;
    if (section.has("steps") && (section.has("clients") || spread && !isOpen)) {
      String found = "the key 'steps' together with 'clients' or 'connections'";
      section.report("steps", found, "either steps, or clients and connections");
    }
    Optional<List<Integer>> all =
        section.has("steps") ? steps.value() : clients.value().map(List::of);
    if (section.has(THINK) && oneShot) {
      section.report(THINK, "'think-time' with connections: per-request", "one of them");
    }
    if (all.isEmpty()
        || limit.wrong()
        || think.wrong()
        || !section.has("steps") && connections.wrong()) {
      return Optional.empty();
    }
    List<Integer> each = all.get();
    if (!section.has("steps") && spread) {
      if (connections.get() > each.get(0)) {
        Node at = connections.node().get();
        String expected = "no more connections than the " + Messages.of(each.get(0)) + " clients";
        section.report(at, Messages.of(at), expected);
      }
      each = List.of(connections.get());
    }
    OptionalLong most = limit.value().map(OptionalLong::of).orElse(OptionalLong.empty());
    return Optional.of(
        new LoadSpec(
            false,
            all.get().stream().map(Integer::longValue).toList(),
            section.has("steps")
                ? ((SequenceNode) steps.node().get()).getValue()
                : List.of(clients.node().get()),
            each,
            amount -> new LoadModel.Closed((int) amount, most, oneShot, think.value()),
            section,
            steps.node().orElse(section.node()),
            Optional.empty(),
            Optional.empty()));
  }

  private static Optional<LoadSpec> open(
      Section section, Field<Integer> connections, Optional<String> key) {
    Field<Long> rate = section.rate("rate");
    Field<List<Long>> rates =
        section.list("rates", ValueType.rate(section.schema("rates").items()));
    Field<LoadModel.Arrivals> arrivals =
        section.oneOf("arrivals", LoadModel.Arrivals.values(), Named::id);
    Field<Integer> outstanding = section.count("max-in-flight");
    if (section.has("rate") && section.has("rates")) {
      section.report("rates", "the key 'rates' together with 'rate'", "one of them");
    }
    if (key.isPresent()) {
      section.refuse(
          List.of("max-rate", THINK),
          "together with '" + key.get() + "'",
          "it together with clients or steps only");
    } else {
      section.refuse(
          List.of("arrivals", "max-in-flight", RAMP),
          "without 'rate' or 'rates'",
          "it in an open loop only");
    }
    Optional<List<Long>> all = section.has("rates") ? rates.value() : rate.value().map(List::of);
    if (section.has("rates") && section.has(RAMP)) {
      section.report(RAMP, "the key 'ramp' together with 'rates'", "it with 'rate'");
    }
    int before = section.problemCount();
    Optional<Ramp> ramp =
        Optional.of(section.section(RAMP))
            .filter(each -> section.has(RAMP))
            .flatMap(RampSpec::read);
    if (all.isEmpty()
        || connections.wrong()
        || outstanding.wrong()
        || arrivals.wrong()
        || section.problemCount() > before) {
      return Optional.empty();
    }
    int spread = connections.value().orElse(CONNECTIONS_OF_OPEN);
    return Optional.of(
        new LoadSpec(
            true,
            all.get(),
            List.of(),
            Collections.nCopies(all.get().size(), spread),
            each ->
                new LoadModel.Open(
                    each,
                    arrivals.effective(),
                    outstanding.effective(),
                    ramp.map(given -> given.startingAt(each))),
            section,
            rates.node().or(rate::node).orElseThrow(),
            Optional.empty(),
            Optional.empty()));
  }

  /** Reports a ramp that is not possible. */
  void refuseRamp(String with) {
    if (section.has(RAMP)) {
      section.report(RAMP, "a ramp with " + with, "a rate that does not change");
    }
  }

  LoadSpec watchedBy(WatchSpec watchers) {
    return new LoadSpec(
        isOpen, amounts, nodes, connections, model, section, node, Optional.of(watchers), phases);
  }

  void check(RunLength length) {
    int before = section.problemCount();
    if (phases.isPresent()) {
      phases.get().check(length);
      watch
          .filter(any -> section.problemCount() == before)
          .ifPresent(watchers -> watchers.check(this, length));
      return;
    }
    RunLength part = part(length, 0);
    if (part.duration().isEmpty() && section.has(RAMP)) {
      section.report(RAMP, "a ramp with 'requests'", "'duration', the time of the ramp");
    } else if (part.duration().isEmpty() && isOpen) {
      checkRates(part.requests());
    } else if (part.duration().isEmpty()) {
      checkClients(part.requests());
    } else if (isOpen) {
      long requests = shares(length).stream().mapToLong(Long::longValue).sum();
      if (requests > Scenario.MAX_REQUESTS) {
        String found = Messages.of(requests) + " requests at this rate within the duration";
        String most = Messages.of(Scenario.MAX_REQUESTS);
        section.report(node, found, "at most " + most + ": a lower rate or a shorter duration");
      }
    }
    if (watch.isPresent() && amounts.size() > 1 && watches() > 1) {
      String found =
          "%s numbers of watchers together with %s steps of the load"
              .formatted(Messages.of(watches()), Messages.of(amounts.size()));
      section.report(watch.get().node(), found, "one number of watchers, or a load of one step");
    } else if (section.problemCount() == before) {
      watch.ifPresent(watchers -> watchers.check(this, length));
    }
  }

  private void checkRates(long requests) {
    if (requests < leastOfSteps()) {
      String expected =
          "at least %s requests, so that the slowest step has one, or other rates"
              .formatted(Messages.of(leastOfSteps()));
      section.report(node, "rates for " + Messages.of(requests) + " requests", expected);
    }
  }

  private void checkClients(long requests) {
    int count = amounts.size();
    if (requests < count) {
      String expected = "no more steps than the " + Messages.of(requests) + " requests";
      section.report(node, Messages.of(count) + " steps", expected);
      return;
    }
    List<Long> shares = split(requests, count);
    for (int i = 0; i < count; i++) {
      if (amounts.get(i) > shares.get(i)) {
        String whose = count == 1 ? "the " : "the step's ";
        String expected = "no more clients than " + whose + Messages.of(shares.get(i));
        section.report(nodes.get(i), Messages.of(nodes.get(i)), expected + " requests");
      }
    }
  }

  /** Returns the least number of requests that gives one to every client of every step. */
  long leastRequests() {
    return enoughFor(Collections.nCopies(watches(), leastOfSteps()));
  }

  private long leastOfSteps() {
    if (!isOpen) {
      return enoughFor(amounts);
    }
    long slowest = Collections.min(amounts);
    return (totalRate() + slowest - 1) / slowest;
  }

  /** Returns whether the steps end by time, so that their number of requests is not known. */
  boolean endsByTime(RunLength length) {
    return phases.isPresent()
        ? phases.get().endsByTime(length)
        : !isOpen && length.duration().isPresent();
  }

  int stepCount() {
    return phases.isPresent() ? phases.get().stepCount() : amounts.size() * watches();
  }

  private int watches() {
    return watch.map(given -> given.loads().size()).orElse(1);
  }

  long requests(RunLength length) {
    return steps(length).stream().mapToLong(Step::requests).sum();
  }

  List<Step> steps(RunLength length) {
    if (phases.isPresent()) {
      List<Step> all = phases.get().steps(length);
      return watch
          .map(given -> all.stream().map(each -> each.watchedBy(given.loads().get(0))).toList())
          .orElse(all);
    }
    List<Step> steps = new ArrayList<>();
    for (int watched = 0; watched < watches(); watched++) {
      RunLength part = part(length, watched);
      int number = watched;
      for (int i = 0; i < amounts.size(); i++) {
        steps.add(
            new Step(
                over(model.apply(amounts.get(i)), part),
                connections.get(i),
                shares(part).get(i),
                part.duration(),
                watch.map(given -> given.loads().get(number))));
      }
    }
    return List.copyOf(steps);
  }

  private RunLength part(RunLength length, int position) {
    return length.duration().isPresent()
        ? length
        : new RunLength(
            split(length.requests(), watches()).get(position),
            Optional.empty(),
            length.key(),
            length.scale());
  }

  /** Returns the number of requests of each step; the largest number if it ends by time. */
  private List<Long> shares(RunLength length) {
    if (length.duration().isPresent()) {
      return amounts.stream().map(amount -> most(model.apply(amount), length)).toList();
    }
    long total = length.requests();
    if (!isOpen) {
      return split(total, amounts.size());
    }
    List<Long> shares = new ArrayList<>();
    long before = 0;
    for (long rate : amounts) {
      shares.add(total * (before + rate) / totalRate() - total * before / totalRate());
      before += rate;
    }
    return shares;
  }

  private static long most(LoadModel model, RunLength time) {
    if (model instanceof LoadModel.Open open) {
      return open.ramp().isPresent()
          ? over(open, time).ramp().orElseThrow().requests()
          : time.requestsAt(open.ratePerSecond());
    }
    OptionalLong limit = ((LoadModel.Closed) model).limitPerSecond();
    return limit.isPresent()
        ? Math.min(Scenario.MAX_REQUESTS, Math.max(1, time.requestsAt(limit.getAsLong())))
        : Scenario.MAX_REQUESTS;
  }

  /** Returns a model whose ramp, if it has one, takes the time of the step. */
  private static LoadModel over(LoadModel model, RunLength time) {
    return model instanceof LoadModel.Open open ? over(open, time) : model;
  }

  private static LoadModel.Open over(LoadModel.Open open, RunLength time) {
    if (open.ramp().isEmpty()) {
      return open;
    }
    Duration length = time.duration().orElseThrow();
    Ramp ramp = open.ramp().get().over(length);
    long mean = Math.max(1, Math.round(ramp.requests() * MILLIS_PER_SECOND / length.toMillis()));
    return new LoadModel.Open(mean, open.arrivals(), open.maxOutstanding(), Optional.of(ramp));
  }

  private long totalRate() {
    return amounts.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Splits the requests of a scenario among the steps of a load as dbtester does, so that results
   * can be compared with its published ones. All steps get the same number. It is rounded down to
   * tens of thousands if it is above 10,000, and to thousands if it is above 1,000. The last step
   * also gets the rest, so that the numbers add up to the total.
   *
   * @param total number of all requests, at least {@code steps}
   * @param steps number of steps, at least 1
   */
  static List<Long> split(long total, int steps) {
    long each = total / steps;
    each -= each % unit(each);
    List<Long> shares = new ArrayList<>(Collections.nCopies(steps - 1, each));
    shares.add(total - each * (steps - 1));
    return shares;
  }

  static long enoughFor(List<Long> clients) {
    long most = Collections.max(clients);
    long unit = clients.size() == 1 ? 1 : unit(most);
    return (most + unit - 1) / unit * unit * clients.size();
  }

  private static long unit(long each) {
    return each > 10_000 ? 10_000 : each > 1_000 ? 1_000 : 1;
  }
}
