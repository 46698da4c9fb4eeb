package io.quorate.results.manifest;

import io.quorate.format.JsonFields;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Step;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Returned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads the load of a manifest. */
final class LoadReader {
  private static final long LONGEST_TIMEOUT_MILLIS = Duration.ofDays(1).toMillis();
  private static final long LONGEST_STEP_MILLIS = Duration.ofDays(31).toMillis();
  private static final long MOST_WEIGHT = 1_000_000_000;
  private static final long MOST_PER_SECOND = 1_000_000_000;
  private static final long MOST_KEYS = 1_000_000_000_000_000L;
  private static final int MOST_PERCENT = 99;

  private LoadReader() {}

  static LoadFacts read(JsonFields from) {
    int keyBytes = from.count("keyBytes");
    return new LoadFacts(
        mix(from),
        from.constant("consistency", ReadConsistency.class),
        from.constant("routing", Routing.class),
        Duration.ofMillis(timeoutMillis(from)),
        from.integer("seed"),
        keyBytes,
        from.count("valueBytes"),
        steps(from),
        from.has("client") ? Optional.of(client(from.object("client"))) : Optional.empty(),
        from.has("keys") ? Optional.of(keys(from.object("keys"), keyBytes)) : Optional.empty(),
        from.has("realTime") ? Optional.of(from.flag("realTime")) : Optional.empty());
  }

  private static long timeoutMillis(JsonFields from) {
    long millis = from.integer("requestTimeoutMillis");
    if (millis < 1 || millis > LONGEST_TIMEOUT_MILLIS) {
      from.problem(
          "requestTimeoutMillis",
          "1 to " + NumberFormats.commas(LONGEST_TIMEOUT_MILLIS) + " milliseconds");
    }
    return millis;
  }

  private static OperationMix mix(JsonFields from) {
    List<OperationMix.Share> shares = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonFields each : from.objects("operations")) {
      Operation operation = operation(each);
      if (!names.add(each.text("operation"))) {
        each.problem("operation", "each operation once");
      }
      int weight = (int) each.between1And(MOST_WEIGHT, "weight");
      shares.add(new OperationMix.Share(operation, weight));
    }
    if (shares.isEmpty()) {
      from.problem("operations", "one operation or more");
      return OperationMix.of(Operation.PUT);
    }
    return new OperationMix(
        shares,
        has(shares, Operation.RANGE) ? range(from.object("range")) : OperationMix.ONE_KEY,
        has(shares, Operation.TXN) ? (int) from.between1And(Integer.MAX_VALUE, "putsPerTxn") : 1,
        has(shares, Operation.COMPACT) ? from.amount("revisionsKept") : 0,
        shares.stream().anyMatch(share -> share.operation().isOfLeases())
            ? new OperationMix.Leases(
                (int) from.between1And(Integer.MAX_VALUE, "leases"),
                (int) from.between1And(Integer.MAX_VALUE, "leaseTtlSeconds"))
            : OperationMix.USUAL_LEASES);
  }

  private static Operation operation(JsonFields from) {
    return from.choice("operation", List.of(Operation.values()), Operation::id);
  }

  private static boolean has(List<OperationMix.Share> shares, Operation operation) {
    return shares.stream().anyMatch(share -> share.operation() == operation);
  }

  private static OperationMix.RangeShape range(JsonFields from) {
    boolean all = from.has("all") && from.flag("all");
    boolean keysOnly = from.has("keysOnly") && from.flag("keysOnly");
    long keys = all ? 0 : from.between1And(MOST_KEYS, "keys");
    long limit = from.amount("limit");
    boolean countOnly = from.flag("countOnly");
    return new OperationMix.RangeShape(
        keys,
        limit,
        countOnly ? Returned.COUNT : keysOnly ? Returned.KEYS : Returned.ENTRIES,
        from.has("page") ? from.between1And(MOST_KEYS, "page") : 0);
  }

  private static KeySpace keys(JsonFields from, int keyBytes) {
    KeySpace.Order order =
        from.choice("order", List.of(KeySpace.Order.values()), KeySpace.Order::id);
    return new KeySpace(
        keyBytes,
        order,
        from.between1And(MOST_KEYS, "count"),
        from.flag("prepared"),
        order == KeySpace.Order.HOT_SET ? hotSet(from.object("hotSet")) : KeySpace.USUAL_HOT_SET,
        from.optionalAmount("first").orElse(0));
  }

  private static KeySpace.HotSet hotSet(JsonFields from) {
    return new KeySpace.HotSet(
        (int) from.between1And(MOST_PERCENT, "keysPercent"),
        (int) from.between1And(MOST_PERCENT, "requestsPercent"));
  }

  private static LoadFacts.ClientName client(JsonFields from) {
    return new LoadFacts.ClientName(from.text("name"), from.flag("default"));
  }

  private static List<Step> steps(JsonFields from) {
    List<Step> steps = from.objects("steps").stream().flatMap(step -> step(step).stream()).toList();
    if (steps.isEmpty()) {
      from.problem("steps", "one step or more");
    }
    return steps;
  }

  /** Returns the step; empty if the object is not a valid one. */
  private static Optional<Step> step(JsonFields from) {
    boolean open = from.has("ratePerSecond");
    int connections = from.count("connections");
    long requests = from.amount("requests");
    Optional<Duration> duration =
        from.has("durationMillis")
            ? Optional.of(
                Duration.ofMillis(from.between1And(LONGEST_STEP_MILLIS, "durationMillis")))
            : Optional.empty();
    if (open && from.has("clients")) {
      from.problem("clients", "nothing, as there is a ratePerSecond");
    }
    try {
      LoadModel model = open ? open(from) : closed(from);
      return Optional.of(new Step(model, connections, requests, duration, watch(from)));
    } catch (IllegalArgumentException impossible) {
      from.problem(impossible.getMessage());
      return Optional.empty();
    }
  }

  private static Optional<WatchLoad> watch(JsonFields from) {
    return from.has("watchers")
        ? Optional.of(
            new WatchLoad(
                (int) from.between1And(Integer.MAX_VALUE, "watchers"),
                (int) from.between1And(Integer.MAX_VALUE, "watchStreams"),
                from.has("watchHistory")
                    ? (int) from.between1And(Integer.MAX_VALUE, "watchHistory")
                    : 0))
        : Optional.empty();
  }

  private static LoadModel open(JsonFields from) {
    return new LoadModel.Open(
        from.between1And(MOST_PER_SECOND, "ratePerSecond"),
        from.constant("arrivals", LoadModel.Arrivals.class),
        (int) from.between1And(Integer.MAX_VALUE, "maxOutstanding"));
  }

  private static LoadModel closed(JsonFields from) {
    int clients = from.count("clients");
    OptionalLong limit =
        from.has("limitPerSecond")
            ? OptionalLong.of(from.between1And(MOST_PER_SECOND, "limitPerSecond"))
            : OptionalLong.empty();
    boolean oneShot = from.has("connectionPerRequest") && from.flag("connectionPerRequest");
    return new LoadModel.Closed(clients, limit, oneShot);
  }
}
