// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.count;
import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.report.doctor.ResourceUse.Resource.LOG;
import static io.quorate.report.doctor.ResourceUse.Resource.MEMORY;

import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.findings.Phrases;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.server.LatencyPart;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Why a database of a run was slow: its stalls and their causes, the use of its resources, the
 * parts of the latency of writes, and the checks.
 *
 * @param name name of the store
 * @param steps measured steps, at least one
 * @param idleDisk causes whose seconds have an idle disk, or one that was not measured
 * @param evidence all evidence, for pictures
 */
public record Diagnosis(
    String name,
    List<MeasuredStep> steps,
    StallAnalysis stalls,
    List<Evidence> evidence,
    Set<StallCause> idleDisk,
    List<ResourceUse> resources,
    List<LatencyParts> latency,
    List<CheckResult> checks) {
  /** Utilization from which on a resource is worth a word. */
  private static final double LEAST_BUSY = 0.3;

  /** Saturated resources first, of these the ones with a note, and logs. */
  private static final Comparator<ResourceUse> BY_IMPORTANCE =
      Comparator.comparing(ResourceUse::saturated)
          .thenComparing(use -> !use.note().isEmpty())
          .thenComparing(use -> use.saturated() && use.resource() == LOG)
          .thenComparingDouble(ResourceUse::used);

  /** Part of the measured time that stalls take at least to be worth a sentence. */
  private static final double LEAST_PART = 0.002;

  /**
   * Diagnoses a database from the files of its run, and from probes. Empty if nothing succeeded.
   * Trials of a search are left out.
   *
   * @throws io.quorate.QuorateException if a file cannot be read, with its line
   */
  public static Optional<Diagnosis> of(DatabaseFigures figures, Probes probes) {
    DatabaseRun run = figures.run();
    if (run.tenths().isEmpty()) {
      return Optional.empty();
    }
    ServerInfo servers = run.manifest().store().servers();
    CheckInput input =
        input(
            run.directory(),
            run.machines(),
            servers.members().size(),
            !servers.agents().isEmpty(),
            servers.hosting().filter(ServerInfo.Hosting.LOCAL::equals).isPresent(),
            MeasuredStep.of(figures.steps(), run.tenths(), run.manifest().costs()),
            probes);
    List<Evidence> evidence = RecordedEvidence.of(run.events(), run.journals().faults(), input);
    StallAnalysis stalls =
        StallAnalysis.of(
            Stall.of(run, figures.steps()),
            evidence,
            new CircularShift(input.steps().stream().map(MeasuredStep::window).toList()));
    return Optional.of(
        new Diagnosis(
            figures.name(),
            input.steps(),
            stalls,
            evidence,
            stalls.explanations().stream()
                .filter(each -> each.cause().isOfDisk() && !input.diskWasBusy(each.evidence()))
                .map(StallAnalysis.Explanation::cause)
                .collect(Collectors.toSet()),
            resources(input),
            LatencyParts.of(input),
            Check.all(input)));
  }

  /**
   * Diagnoses a cluster that was observed without load.
   *
   * @param directory directory with the files of hosts and members
   * @param startMillis start of the observation in milliseconds since 1970
   * @param remarks what could not be recorded, and why
   */
  public static Diagnosis ofObservation(
      DatabaseDirectory directory,
      int members,
      double startMillis,
      double endMillis,
      List<String> remarks,
      Probes probes) {
    MeasuredStep step =
        new MeasuredStep(
            1, "without load", startMillis, endMillis, Optional.empty(), OptionalDouble.empty());
    CheckInput input =
        input(
                directory,
                new HostMeasurements(directory),
                members,
                false,
                false,
                List.of(step),
                probes)
            .withoutMachine(remarks);
    return new Diagnosis(
        directory.id(),
        input.steps(),
        new StallAnalysis(List.of(), List.of(), 0),
        List.of(),
        Set.of(),
        resources(input),
        List.of(),
        Check.all(input));
  }

  private static CheckInput input(
      DatabaseDirectory directory,
      HostMeasurements machines,
      int members,
      boolean agents,
      boolean local,
      List<MeasuredStep> steps,
      Probes probes) {
    return new CheckInput(
        directory.id(),
        agents,
        local,
        steps,
        new MemberMetrics(machines.reported(), members),
        machines.client(),
        machines.servers(),
        List.of(),
        probes);
  }

  private static List<ResourceUse> resources(CheckInput input) {
    List<ResourceUse> all = new ArrayList<>();
    for (MeasuredStep step : input.steps()) {
      MachineEvaluation.hosts(input)
          .forEach(
              (host, rows) ->
                  all.addAll(ResourceUse.ofMachine(host, rows, input.others(rows), step)));
      for (int member : input.metrics().reported().members()) {
        all.addAll(
            ResourceUse.ofWrites(
                LOG,
                input.member(member),
                LatencyParts.millis(LatencyPart.Kind.LOG, step, input, member),
                step));
        all.addAll(
            ResourceUse.ofWrites(
                ResourceUse.Resource.DATABASE,
                input.member(member),
                LatencyParts.millis(LatencyPart.Kind.COMMIT, step, input, member),
                step));
      }
    }
    return all;
  }

  /**
   * Returns the most likely reason in a sentence or two: the first cause of the stalls, and what
   * limits the load. Empty if nothing is conspicuous.
   */
  public Optional<String> verdict() {
    return cause().map(cause -> name + ": " + cause);
  }

  /** Returns the verdict or, if nothing is conspicuous, which checks say so. */
  public String summary() {
    List<String> wrong = problems().stream().map(each -> each.check().id()).distinct().toList();
    long unknown =
        checks.stream().filter(each -> each.status() == CheckResult.Status.UNKNOWN).count();
    return verdict()
        .orElse(
            name
                + ": "
                + (!wrong.isEmpty()
                    ? "not in order: " + String.join(", ", wrong)
                    : unknown == 0
                        ? "nothing conspicuous"
                        : "nothing conspicuous in %d of %s, as the others are unknown"
                            .formatted(checks.size() - unknown, count(checks.size(), "check"))));
  }

  private Optional<String> cause() {
    Optional<StallAnalysis.Explanation> first =
        stalls.explanations().stream()
            .filter(each -> each.isHeadline() && stallsMatter())
            .findFirst();
    Optional<String> late = lateness();
    if (late.isPresent()) {
      return first
          .filter(each -> each.cause().compareTo(StallCause.STEAL) <= 0)
          .map(each -> late.get() + " " + each.sentence())
          .or(() -> late);
    }
    if (first.isPresent()) {
      String sentence = first.get().sentence();
      return Optional.of(
          busiest().map(busy -> sentence + " " + Phrases.capitalized(busy)).orElse(sentence));
    }
    Optional<String> part = latency.stream().flatMap(each -> each.sentence().stream()).findFirst();
    return busiest()
        .map(busy -> part.map(text -> busy + " " + text).orElse(busy))
        .or(() -> part)
        .or(this::unexplained);
  }

  /** Returns in which steps requests waited longer in the load generator than for the store. */
  private Optional<String> lateness() {
    List<String> late =
        steps.stream()
            .flatMap(step -> step.results().stream())
            .filter(step -> step.requests().service().getTotalCount() > 0)
            .filter(step -> responseMs(step) > 2 * serviceMs(step))
            .map(Diagnosis::lateness)
            .toList();
    return late.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", late) + ".");
  }

  private static String lateness(StepFigures step) {
    double excess = responseMs(step) - serviceMs(step);
    return "%s: %s a response took %s on average, and %s once its request was sent"
        .formatted(
            step.requests().queue().getMean() / 1e6 > excess / 2
                ? "requests waited for one of %s; use more connections (--clients)"
                    .formatted(count(step.asked().connections(), "connection"))
                : "the load generator was late",
            step.atLoad(),
            RecordedEvidence.duration(responseMs(step)),
            RecordedEvidence.duration(serviceMs(step)));
  }

  private static double responseMs(StepFigures step) {
    return step.requests().response().getMean() / 1e6;
  }

  private static double serviceMs(StepFigures step) {
    return step.requests().service().getMean() / 1e6;
  }

  private boolean stallsMatter() {
    double millis = steps.stream().mapToDouble(MeasuredStep::millis).sum();
    return stalls.millis() >= LEAST_PART * millis;
  }

  private Optional<String> unexplained() {
    boolean uncertain = stalls.explanations().stream().anyMatch(each -> !each.cause().isCertain());
    return stallsMatter() && (uncertain || stalls.unexplained() > 0)
        ? Optional.of(
            "%s took %s s in total; no recorded cause %s."
                .formatted(
                    count(stalls.stalls().size(), "stall"),
                    fixed(stalls.millis() / 1e3, 1),
                    uncertain
                        ? "is certain, as times are known to a second only"
                        : "overlaps them more often than by chance"))
        : Optional.empty();
  }

  /**
   * Returns what limits the load: the busiest resources of one step. Empty if nothing is busy, or
   * if nothing is saturated by a load with a rate.
   */
  private Optional<String> busiest() {
    List<ResourceUse> busy =
        resources.stream()
            .filter(use -> use.used() >= LEAST_BUSY)
            .filter(use -> use.saturated() || use.resource() != MEMORY)
            .sorted(BY_IMPORTANCE.reversed())
            .toList();
    return busy.stream()
        .filter(use -> use.saturated() || isOfClients(use.step()))
        .findFirst()
        .map(use -> busySentence(use, busy));
  }

  /** Returns the load of a step as a phrase, such as {@code with 10 clients}. */
  public String load(int step) {
    return steps.stream()
        .filter(each -> each.number() == step)
        .map(MeasuredStep::load)
        .findFirst()
        .orElse("");
  }

  /** Returns the saturated resource that limits the load most; empty if none is saturated. */
  public Optional<ResourceUse> limiting() {
    return resources.stream().filter(ResourceUse::saturated).max(BY_IMPORTANCE);
  }

  private String busySentence(ResourceUse use, List<ResourceUse> busy) {
    Map<ResourceUse.Resource, String> others = new EnumMap<>(ResourceUse.Resource.class);
    busy.stream()
        .filter(each -> each.step() == use.step() && each.resource() != use.resource())
        .forEach(
            each ->
                others.putIfAbsent(each.resource(), each.name() + " " + each.utilizationText()));
    return "%s%s was %s busy%s%s%s."
        .formatted(
            use.saturated() ? "" : "nothing was saturated; ",
            use.name(),
            use.utilizationText(),
            load(use.step()).isEmpty() ? "" : " " + load(use.step()),
            use.note().isEmpty() ? "" : " (" + use.note() + ")",
            others.isEmpty() ? "" : "; " + Phrases.list(List.copyOf(others.values())));
  }

  /** Returns whether a step has clients that send one request after the other. */
  private boolean isOfClients(int step) {
    return steps.stream()
        .filter(each -> each.number() == step)
        .flatMap(each -> each.results().stream())
        .anyMatch(results -> !results.asked().isOpen());
  }

  /** Returns all sentences about stalls, the most important first. */
  public List<String> sentences() {
    List<String> all = new ArrayList<>();
    lateness().map(Phrases::capitalized).ifPresent(all::add);
    stalls
        .explanations()
        .forEach(
            each ->
                all.add(each.sentence() + " " + Phrases.capitalized(action(each.cause())) + "."));
    if (!stalls.stalls().isEmpty()) {
      Optional<ResourceUse> cpu =
          limiting()
              .filter(use -> use.resource() == ResourceUse.Resource.CPU)
              .filter(any -> stalls.unexplained() > 0);
      all.add(
          "%d of %s %s %s."
              .formatted(
                  stalls.unexplained(),
                  count(stalls.stalls().size(), "stall"),
                  stalls.unexplained() == 1 ? "is" : "are",
                  cpu.map(use -> "explained by the CPU only: " + use.utilizationText() + " busy")
                      .orElse("unexplained")));
    }
    return all;
  }

  private String action(StallCause cause) {
    return idleDisk.contains(cause)
        ? "it is not known that the disk was busy: look for busy CPUs and limits of I/O first"
        : cause.action();
  }

  /** Returns the results of checks that are not in order, the worst first. */
  public List<CheckResult> problems() {
    return checks.stream()
        .filter(each -> each.status().compareTo(CheckResult.Status.WARNING) >= 0)
        .sorted(Comparator.comparing(CheckResult::status).reversed())
        .toList();
  }
}
