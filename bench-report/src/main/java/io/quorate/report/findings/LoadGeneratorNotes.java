// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.count;
import static io.quorate.format.NumberFormats.fixed;

import io.quorate.VisibleText;
import io.quorate.measure.GeneratorDelay;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StepUsage;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToDoubleFunction;

/**
 * Footnotes about values of a database that the load generator itself may have distorted. Its
 * machine was busy, garbage collection stopped it, or its clients were not always waiting for the
 * store; each note names the worst step. Another note reports a client other than the default.
 */
record LoadGeneratorNotes(
    String id, List<Step> steps, List<StepUsage> costs, OptionalDouble p99Ms) {
  /** Utilization above which requests wait for a CPU of the load generator's machine. */
  private static final double BUSY = 0.8;

  private static final double LITTLE = 0.1;

  /** Shortest stall of the load generator that gets a note. */
  private static final long NOTICEABLE_NANOS = 100_000_000;

  private static final double NANOS_PER_MILLI = 1e6;

  private LoadGeneratorNotes(DatabaseFigures figures, Manifest manifest) {
    this(
        figures.name(),
        manifest.load().steps(),
        manifest.shards().isEmpty()
            ? manifest.costs()
            : manifest.shards().stream().flatMap(shard -> shard.costs().stream()).toList(),
        figures.requests().percentileMs(Percentile.P99));
  }

  static List<String> of(DatabaseFigures figures) {
    DatabaseRun run = figures.run();
    LoadGeneratorNotes notes = new LoadGeneratorNotes(figures, run.manifest());
    List<String> all = new ArrayList<>();
    LoadInfo.ClientName client = run.manifest().load().client();
    if (!client.isDefault()) {
      all.add(
          "%s: requests used the client '%s', which is not the default"
              .formatted(notes.id, VisibleText.of(client.name())));
    }
    run.manifest().store().servers().secured().map(notes::secured).ifPresent(all::add);
    notes.busy().ifPresent(all::add);
    for (StepFigures step : figures.steps()) {
      notes.delay(step).ifPresent(all::add);
      notes.stalls(run, step).ifPresent(all::add);
    }
    notes.collections().ifPresent(all::add);
    if (!run.manifest().load().mix().usesSessions()) { // whose requests wait between their parts
      notes.little().ifPresent(all::add);
    }
    return all;
  }

  /** Returns a note about a machine with too few CPUs in some step; empty if they were enough. */
  static Optional<String> busy(DatabaseFigures figures) {
    return new LoadGeneratorNotes(figures, figures.run().manifest()).busy();
  }

  private String secured(ServerInfo.Secured secured) {
    String how = secured.security().equals("tls") ? "over TLS" : "in plain text";
    return "%s: requests were sent %s%s"
        .formatted(
            id,
            how,
            secured.authentication().isEmpty()
                ? ""
                : ", clients authenticated with a "
                    + VisibleText.of(String.join(" and a ", secured.authentication())));
  }

  private Optional<String> busy() {
    return worst(cost -> cost.machineLoad().orElse(0))
        .filter(cost -> cost.machineLoad().orElse(0) > BUSY)
        .map(
            cost ->
                ("%s: the load generator's host was %s%% busy with %s: it may have slowed the "
                        + "requests")
                    .formatted(id, fixed(100 * cost.machineLoad().orElse(0), 0), clients(cost)));
  }

  private Optional<String> delay(StepFigures step) {
    GeneratorDelay delay = step.requests().delay();
    List<String> distorted =
        step.requests().basis().generator().delayed().stream()
            .sorted()
            .map(Percentile::label)
            .toList();
    return distorted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: the load generator's delay %s (p50 %s, p99 %s, max %s ms) exceeds a tenth of %s, which %s marked * and not compared"
                .formatted(
                    id,
                    step.atLoad(),
                    millis(delay.nanos(50)),
                    millis(delay.nanos(99)),
                    millis(delay.nanos(100)),
                    Phrases.list(distorted),
                    distorted.size() == 1 ? "is" : "are"));
  }

  private Optional<String> stalls(DatabaseRun run, StepFigures step) {
    List<RunEvent> stalls =
        run.events().stream()
            .filter(event -> event.kind() == RunEvent.Kind.LOAD_GENERATOR_STALL)
            .filter(event -> event.step() == step.number())
            .toList();
    long longest = stalls.stream().mapToLong(RunEvent::nanos).max().orElse(0);
    long dropped = stalls.stream().mapToLong(RunEvent::dropped).sum();
    return longest < NOTICEABLE_NANOS && dropped == 0
        ? Optional.empty()
        : Optional.of(
            "%s: the load generator stalled %s %s, for up to %s ms%s"
                .formatted(
                    id,
                    stalls.size() == 1 ? "once" : commas(stalls.size()) + " times",
                    step.atLoad(),
                    millis(longest),
                    dropped == 0
                        ? ""
                        : "; %s request%s dropped until it had caught up"
                            .formatted(commas(dropped), dropped == 1 ? " was" : "s were")));
  }

  private Optional<String> collections() {
    return worst(StepUsage::longestGcPauseNanos)
        .filter(
            cost ->
                p99Ms.isPresent()
                    && cost.longestGcPauseNanos() > p99Ms.getAsDouble() * NANOS_PER_MILLI)
        .map(
            cost ->
                "%s: garbage collection stopped the load generator for up to %s ms (with %s), above the p99 shown"
                    .formatted(id, millis(cost.longestGcPauseNanos()), clients(cost)));
  }

  private Optional<String> little() {
    return worst(this::offLittle)
        .filter(cost -> offLittle(cost) > LITTLE)
        .map(
            cost ->
                ("%s: %s kept only %s requests in flight on average: the load generator may "
                        + "be the bottleneck")
                    .formatted(id, clients(cost), fixed(cost.requestsUnderWay(), 1)));
  }

  /**
   * Returns the relative deviation from Little's law. It is 0 for clients that do not wait all the
   * time: in an open loop, with a rate limit, or with a connection for each request.
   */
  private double offLittle(StepUsage cost) {
    boolean waits =
        model(cost) instanceof LoadModel.Closed closed
            && closed.keepsSending()
            && !isOfGroups(cost);
    return waits ? Math.abs(cost.requestsUnderWay() / cost.clients() - 1) : 0;
  }

  private boolean isOfGroups(StepUsage cost) {
    return cost.step() <= steps.size() && steps.get(cost.step() - 1).groups().isPresent();
  }

  /** Returns the load model of the step; a closed loop for a step that is not in the manifest. */
  private LoadModel model(StepUsage cost) {
    return cost.step() <= steps.size()
        ? steps.get(cost.step() - 1).model()
        : new LoadModel.Closed(1, OptionalLong.empty());
  }

  private Optional<StepUsage> worst(ToDoubleFunction<StepUsage> badness) {
    return costs.stream().max(Comparator.comparingDouble(badness));
  }

  private String clients(StepUsage cost) {
    return model(cost) instanceof LoadModel.Open open
        ? commas(open.ratePerSecond()) + " requests a second"
        : count(cost.clients(), "client");
  }

  private static String millis(long nanos) {
    return fixed(nanos / NANOS_PER_MILLI, 2);
  }
}
