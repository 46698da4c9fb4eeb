// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.network.Link;
import io.quorate.network.Topology;
import io.quorate.report.figures.StepFigures;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import io.quorate.store.RequestPath;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Predicts writes of a cluster whose members are apart, from steps that the same cluster answered
 * without delay between its members.
 *
 * <p>Each request takes as long as one that was measured, plus the time that it waits for the
 * network: the round trips to the asked member and from there to the leader, and the additional
 * time until a majority has the write. The leader syncs its log while it waits for the others, so
 * the majority is complete at {@code max(S, k-th least of (R + S))} for k = members / 2 followers
 * with round trips R and independent, exponential times of syncs S. The order statistics of round
 * trips follow Ailijiang, Charapko and Demirbas, "Dissecting the Performance of Strongly-Consistent
 * Replication Protocols" (SIGMOD 2019); the sums are drawn, with a fixed seed.
 *
 * <p>In a closed loop, requests that wait for the network keep no member busy: with n clients, m =
 * n - (rate x wait) requests are in the members, whose rate X(m) is interpolated between the
 * measured steps. This is the flow-equivalent server of Chandy, Herzog and Woo, "Parametric
 * Analysis of Queuing Networks" (IBM Journal of Research and Development, 1975), with Little's law.
 *
 * @param steps measured steps of a closed loop; none if all loads are rates
 * @param path round trips that a request waits for
 * @param syncMs mean time of a sync of a log; 0 if requests wait for none
 */
record ZoneModel(List<Measured> steps, RequestPath path, double syncMs) {
  private static final int DRAWS = 40_000;
  private static final int QUANTILES = 2_000;
  private static final int BISECTIONS = 60;
  private static final long SEED = 1;
  private static final double MS_IN_SECOND = 1e3;
  private static final double NANOS_IN_MS = 1e6;
  private static final double P50 = 0.50;
  private static final double P99 = 0.99;

  /**
   * A step without delay.
   *
   * @param load its load in words
   * @param clients clients of a closed loop; 0 for an open loop
   * @param connections connections, which are opened to the asked members in turn
   * @param perSecond successes in a second
   * @param quantilesMs {@value ZoneModel#QUANTILES} quantiles of its response times
   */
  record Measured(
      String load, int clients, int connections, double perSecond, List<Double> quantilesMs) {
    static Measured of(StepFigures step) {
      Step asked = step.asked();
      return of(
          step.loadText(),
          asked.model() instanceof LoadModel.Closed closed ? closed.clients() : 0,
          asked.connections(),
          step.requestsPerSecond().orElse(0),
          step.requests().response());
    }

    static Measured of(
        String load, int clients, int connections, double perSecond, Histogram nanos) {
      List<Double> quantiles =
          IntStream.range(0, QUANTILES)
              .mapToObj(each -> nanos.getValueAtPercentile(100 * (each + 0.5) / QUANTILES))
              .map(each -> each / NANOS_IN_MS)
              .toList();
      return new Measured(load, clients, connections, perSecond, quantiles);
    }
  }

  /** Predicted response times in milliseconds, and successes in a second. */
  record Prediction(String load, double p50Ms, double p99Ms, double requestsPerSecond) {}

  ZoneModel {
    steps = steps.stream().sorted(Comparator.comparingInt(Measured::clients)).toList();
  }

  /**
   * Predicts one of the steps.
   *
   * @param leader number of the leading member, from 1
   * @param asked numbers of the members that connections go to, in turn
   */
  Prediction predict(Measured step, Topology topology, int leader, List<Integer> asked) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[][] waits = new double[asked.size()][];
    Arrays.setAll(waits, each -> waitsMs(topology, leader, asked.get(each), random));
    double[] clients = new double[asked.size()];
    IntStream.range(0, step.clients == 0 ? step.connections : step.clients)
        .forEach(client -> clients[client % step.connections % clients.length]++);
    double[] rates = clients;
    DoubleSupplier times = () -> step.quantilesMs.get(random.nextInt(QUANTILES));
    double perSecond = step.perSecond;
    if (step.clients > 0) {
      double[] means = Arrays.stream(waits).mapToDouble(ZoneModel::mean).toArray();
      double inside = inside(step.clients, clients, means);
      rates = rates(inside, clients, means);
      perSecond = Arrays.stream(rates).sum();
      times = () -> timeMs(inside, random.nextInt(QUANTILES));
    }
    double[] sorted = mixed(waits, rates, times);
    return new Prediction(
        step.load,
        sorted[(int) (P50 * sorted.length)],
        sorted[(int) (P99 * sorted.length)],
        perSecond);
  }

  /** Returns draws of the time that requests to a member wait for the network. */
  private double[] waitsMs(Topology topology, int leader, int member, SplittableRandom random) {
    Link client = topology.fromLoadGenerator(member);
    Link forward = topology.between(member, leader);
    double[] waits = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      waits[draw] = tripMs(client, random);
      for (int trip = 0; trip < path.toLeader(); trip++) {
        waits[draw] += tripMs(forward, random);
      }
      for (int trip = 0; trip < path.toMajority(); trip++) {
        waits[draw] += majorityMs(topology, leader, random);
      }
    }
    return waits;
  }

  /** Draws the additional time until a majority has a write. */
  private double majorityMs(Topology topology, int leader, SplittableRandom random) {
    int members = topology.members();
    double[] near = new double[members - 1];
    double[] apart = new double[members - 1];
    int follower = 0;
    for (int member = 1; member <= members; member++) {
      if (member != leader) {
        near[follower] = syncMs(random);
        apart[follower] = near[follower] + tripMs(topology.between(leader, member), random);
        follower++;
      }
    }
    double own = syncMs(random);
    return Math.max(own, least(apart, members / 2)) - Math.max(own, least(near, members / 2));
  }

  private double syncMs(SplittableRandom random) {
    return syncMs == 0 ? 0 : -syncMs * Math.log(1 - random.nextDouble());
  }

  /** Returns the k-th least value, 0 if k is 0. */
  private static double least(double[] values, int k) {
    Arrays.sort(values);
    return k == 0 ? 0 : values[k - 1];
  }

  private static double tripMs(Link link, SplittableRandom random) {
    double jitter = link.jitterNanos() * (random.nextDouble() + random.nextDouble()) / 2;
    return (link.roundTripNanos() + jitter) / NANOS_IN_MS;
  }

  /** Returns how many requests are in the members, if the others wait for the network. */
  private double inside(int all, double[] clients, double[] waits) {
    double low = 0;
    double high = all;
    for (int step = 0; step < BISECTIONS; step++) {
      double inside = (low + high) / 2;
      double serviceMs = inside / rateOf(inside) * MS_IN_SECOND;
      double found = Arrays.stream(rates(inside, clients, waits)).sum() * serviceMs / MS_IN_SECOND;
      low = found > inside ? inside : low;
      high = found > inside ? high : inside;
    }
    return high;
  }

  /** Returns the requests per second of the clients of each asked member. */
  private double[] rates(double inside, double[] clients, double[] waits) {
    double serviceMs = inside / rateOf(inside) * MS_IN_SECOND;
    return IntStream.range(0, clients.length)
        .mapToDouble(each -> clients[each] * MS_IN_SECOND / (serviceMs + waits[each]))
        .toArray();
  }

  /** Returns the rate of the members with this number of requests in them, per second. */
  private double rateOf(double inside) {
    Neighbors near = neighbors(inside);
    return inside < near.low.clients
        ? near.low.perSecond * inside / near.low.clients
        : near.low.perSecond + near.part(inside) * (near.high.perSecond - near.low.perSecond);
  }

  private double timeMs(double inside, int quantile) {
    Neighbors near = neighbors(inside);
    double low = near.low.quantilesMs.get(quantile);
    return low + near.part(inside) * (near.high.quantilesMs.get(quantile) - low);
  }

  /** The measured steps with the next fewer and the next more clients; one twice at the ends. */
  private record Neighbors(Measured low, Measured high) {
    double part(double inside) {
      int distance = high.clients - low.clients;
      return distance == 0 ? 0 : (inside - low.clients) / distance;
    }
  }

  private Neighbors neighbors(double inside) {
    Measured low = steps.get(0);
    for (Measured each : steps) {
      if (each.clients >= inside) {
        return new Neighbors(each.clients == inside || inside < low.clients ? each : low, each);
      }
      low = each;
    }
    return new Neighbors(low, low);
  }

  /** Returns sorted response times of all members, each with its part of the requests. */
  private static double[] mixed(double[][] waits, double[] rates, DoubleSupplier times) {
    double all = Arrays.stream(rates).sum();
    return IntStream.range(0, waits.length)
        .mapToObj(each -> Arrays.stream(waits[each]).limit(Math.round(DRAWS * rates[each] / all)))
        .flatMapToDouble(each -> each.map(wait -> wait + times.getAsDouble()))
        .sorted()
        .toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }
}
