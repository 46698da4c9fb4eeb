// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.history.HistoryFile;
import io.quorate.history.JepsenHistory;
import io.quorate.history.Linearizability;
import io.quorate.history.RecordedRequest;
import io.quorate.history.UniqueValues;
import io.quorate.results.DatabaseRun;
import io.quorate.results.FaultRecord;
import io.quorate.results.MemberAgreement;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.results.requests.SecondRow;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.LoadModel;
import io.quorate.store.Operation;
import io.quorate.store.server.TimeRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The faults of a run, what clients observed of them, and what the history of all requests shows.
 *
 * @param requests number of requests of the load in the history; a transaction is one
 * @param checked whether they are linearizable
 * @param contended number of requests to the keys with compare-and-set, by clients next to the load
 * @param contention whether these are linearizable
 * @param survived what survived each kind of fault, for clients next to the load
 * @param survivedRun the same of the whole run; empty if there were no such clients
 * @param agreement whether all members had the same values afterwards; empty if not recorded
 * @param store store of the run, whose settings determine the expected outages
 * @param resolutionMs time between two writes that are due: shorter times without a write cannot be
 *     seen; empty in a closed loop
 */
public record FaultFigures(
    List<Outage> outages,
    long requests,
    UniqueValues.Result checked,
    long contended,
    Linearizability.Result contention,
    Map<FaultPlan.Kind, Survival> survived,
    Optional<Survival> survivedRun,
    Optional<MemberAgreement> agreement,
    StoreInfo store,
    OptionalDouble resolutionMs) {
  /** Number of states after which the search of an order gives up; each takes about 150 bytes. */
  private static final long MOST_STATES = 1_000_000;

  private static final double MS_PER_SECOND = 1000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /**
   * Returns the values of a run; empty if it had none planned. The history is checked even if no
   * fault was caused.
   */
  public static Optional<FaultFigures> of(DatabaseRun run) {
    return run.journals()
        .history()
        .filter(file -> !run.journals().faults().isEmpty() || !HistoryFile.isEmpty(file))
        .map(file -> of(run, requests(file)));
  }

  private static FaultFigures of(DatabaseRun run, List<RecordedRequest> requests) {
    List<FaultRecord> faults = run.journals().faults();
    UniqueValues.Result checked = UniqueValues.check(requests);
    Set<Long> contendedKeys = new HashSet<>(checked.otherKeys());
    List<RecordedRequest> contended =
        requests.stream().filter(each -> contendedKeys.contains(each.key())).toList();
    Set<Long> transactions = new HashSet<>();
    requests.removeIf(
        each ->
            contendedKeys.contains(each.key()) || each.txn() != 0 && !transactions.add(each.txn()));
    long loadNanos =
        faults.stream().findFirst().map(each -> loadNanos(run, each)).orElse(Long.MIN_VALUE);
    RequestTimeline timeline = RequestTimeline.of(requests, dropped(run), loadNanos);
    LoadInfo load = run.manifest().load();
    OptionalLong rate =
        load.steps().get(0).model() instanceof LoadModel.Open open
            ? OptionalLong.of(open.ratePerSecond())
            : OptionalLong.empty();
    Survival.Records records = Survival.Records.of(run.journals());
    return new FaultFigures(
        outages(faults, timeline, rate, loadNanos),
        requests.size(),
        checked,
        contended.size(),
        contention(contended),
        survived(records, faults),
        records.isEmpty() ? Optional.empty() : Optional.of(records.ofRun()),
        run.journals().agreement(),
        run.manifest().store(),
        rate.isEmpty() ? OptionalDouble.empty() : resolutionMs(load, rate.getAsLong()));
  }

  /** Before each fault, the cluster is left alone since the one before had no more effect. */
  private static List<Outage> outages(
      List<FaultRecord> faults, RequestTimeline requests, OptionalLong rate, long loadNanos) {
    List<Outage> outages = new ArrayList<>();
    long calmNanos = loadNanos;
    for (FaultRecord each : faults) {
      outages.add(Outage.of(each, requests, rate, Math.max(0, calmNanos)));
      calmNanos =
          Math.max(
              each.endNanos(),
              Math.max(
                  each.servingNanos().orElse(each.untilNanos()), each.caughtUpNanos().orElse(0)));
    }
    return outages;
  }

  /** Returns the end of the first second of the load; faults begin at least 5 s after its start. */
  private static long loadNanos(DatabaseRun run, FaultRecord fault) {
    return run.clients().stream()
        .flatMap(results -> results.requests().stream())
        .mapToLong(SecondRow::unixSecond)
        .map(second -> (second + 1) * NANOS_PER_SECOND)
        .map(nanos -> nanos - (fault.startUnixNanos() - fault.startNanos()))
        .min()
        .orElse(Long.MIN_VALUE);
  }

  private static OptionalDouble resolutionMs(LoadInfo load, long rate) {
    return load.mix().shares().stream()
        .filter(share -> share.operation() == Operation.PUT)
        .mapToDouble(
            share -> MS_PER_SECOND * load.mix().totalWeight() / ((double) rate * share.weight()))
        .findFirst();
  }

  /** Returns the requests that were due and not sent, by second since 1970. */
  private static Map<Long, Long> dropped(DatabaseRun run) {
    return run.clients().stream()
        .flatMap(results -> results.requests().stream())
        .filter(row -> row.dropped() > 0)
        .collect(
            Collectors.groupingBy(
                SecondRow::unixSecond, Collectors.summingLong(SecondRow::dropped)));
  }

  private static Map<FaultPlan.Kind, Survival> survived(
      Survival.Records records, List<FaultRecord> faults) {
    Map<FaultPlan.Kind, Survival> survived = new LinkedHashMap<>();
    if (!records.isEmpty()) {
      byKind(faults, Function.identity())
          .forEach((kind, all) -> survived.put(kind, records.of(all)));
    }
    return survived;
  }

  /** Checks the keys that the other check leaves out: those with compare-and-set. */
  private static Linearizability.Result contention(List<RecordedRequest> contended) {
    return Linearizability.check(contended, states -> states > MOST_STATES);
  }

  private static List<RecordedRequest> requests(Path history) {
    List<RecordedRequest> requests = new ArrayList<>();
    HistoryFile.read(history, requests::add);
    return requests;
  }

  /**
   * Writes the requests of each key in Jepsen's format, and those that contradict each other alone
   * into a directory with the name of the violation.
   *
   * @throws io.quorate.QuorateException if the history cannot be read, or a file not be written
   */
  public static void writeHistory(Path history, Path target) {
    List<RecordedRequest> requests = requests(history);
    JepsenHistory.write(target, requests);
    UniqueValues.Result checked = UniqueValues.check(requests);
    Set<Long> others = Set.copyOf(checked.otherKeys());
    requests.removeIf(each -> !others.contains(each.key()));
    Stream.concat(checked.witnesses().values().stream(), contention(requests).witness().stream())
        .forEach(each -> JepsenHistory.write(target.resolve(each.kind().id()), each.requests()));
  }

  /** Returns the outages of faults that took effect, by kind, in the order of the first ones. */
  public Map<FaultPlan.Kind, List<Outage>> byKind() {
    return byKind(outages, Outage::fault);
  }

  private static <T> Map<FaultPlan.Kind, List<T>> byKind(
      List<T> all, Function<T, FaultRecord> fault) {
    return all.stream()
        .filter(each -> fault.apply(each).tookEffect())
        .sorted(Comparator.comparing(each -> fault.apply(each).kind().fault()))
        .collect(
            Collectors.groupingBy(
                each -> fault.apply(each).kind(), LinkedHashMap::new, Collectors.toList()));
  }

  /** Returns how long writes are expected to stop at a fault; empty if it is not known. */
  public Optional<TimeRange> expected(FaultPlan.Kind kind) {
    return ExpectedOutage.of(store, kind);
  }

  /** Returns how many of the planned faults took no effect, in words; empty if all did. */
  public Optional<String> shortfall() {
    int without = withoutEffect().size();
    return outages.isEmpty()
        ? Optional.of("no planned fault was caused")
        : Optional.of("%d of %d planned faults took no effect".formatted(without, outages.size()))
            .filter(any -> without > 0);
  }

  /** Returns the faults that were not caused, or had no effect. */
  public List<FaultRecord> withoutEffect() {
    return outages.stream().map(Outage::fault).filter(each -> !each.tookEffect()).toList();
  }
}
