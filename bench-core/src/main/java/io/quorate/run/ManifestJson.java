package io.quorate.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.scenario.Limit;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Converts a manifest to JSON, its fields always in this order, empty ones left out, and back. */
final class ManifestJson {
  private static final int FORMAT_VERSION = 2;

  /** Version whose runs had one operation and closed loops only. */
  private static final int EARLIER_VERSION = 1;

  private static final int LONGEST_NAME = 500;

  /** Length limit of a scenario, whose text may have 65,536 bytes. */
  private static final int LONGEST_SCENARIO = 1 << 20;

  private static final double MOST_REQUESTS = 1e15;

  private ManifestJson() {}

  static ObjectNode json(Manifest manifest) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("formatVersion", FORMAT_VERSION);
    root.put("status", manifest.status().label());
    manifest.reason().ifPresent(reason -> root.put("reason", reason));
    root.put("start", manifest.start().toString());
    manifest.end().ifPresent(end -> root.put("end", end.toString()));
    suite(root.putObject("suite"), manifest.suite());
    experiment(root.putObject("scenario"), manifest.experiment());
    store(root.putObject("database"), manifest.store());
    LoadJson.write(root.putObject("load"), manifest.load());
    host(root.putObject("loadGenerator"), manifest.host());
    if (!manifest.costs().isEmpty()) {
      ArrayNode costs = root.putArray("loadGeneratorCosts");
      manifest.costs().forEach(cost -> cost(costs.addObject(), cost));
    }
    manifest
        .verification()
        .ifPresent(found -> VerificationJson.write(root.putObject("verification"), found));
    return root;
  }

  private static void suite(ObjectNode to, SuiteVersion suite) {
    suite.version().ifPresent(version -> to.put("version", version));
    suite.commit().ifPresent(commit -> to.put("commit", commit));
    to.put("dirty", suite.dirty());
  }

  private static void experiment(ObjectNode to, Manifest.Experiment experiment) {
    to.put("name", experiment.name());
    to.put("title", experiment.title());
    to.put("scale", experiment.scale());
    texts(to.putArray("databases"), experiment.databases());
    if (!experiment.limits().isEmpty()) {
      texts(to.putArray("limits"), experiment.limits().stream().map(Limit::toString).toList());
    }
    to.put("text", experiment.text());
  }

  private static void store(ObjectNode to, Manifest.Store store) {
    to.put("id", store.id());
    to.put("tag", store.tag());
    store.version().ifPresent(version -> to.put("version", version));
    texts(to.putArray("members"), store.members());
    store.leader().ifPresent(leader -> to.put("leaderAtStart", leader));
    store
        .secured()
        .ifPresent(
            secured -> {
              to.put("security", secured.security());
              texts(to.putArray("authentication"), secured.authentication());
            });
    store.hosting().ifPresent(hosting -> to.put("hosting", label(hosting)));
    if (!store.agents().isEmpty()) {
      ArrayNode agents = to.putArray("agents");
      store.agents().forEach(agent -> agent(agents.addObject(), agent));
    }
    if (!store.settings().isEmpty()) {
      store.settings().forEach(to.putObject("settings")::put);
    }
  }

  private static void agent(ObjectNode to, Manifest.Agent agent) {
    to.put("address", agent.address());
    agent.host().ifPresent(name -> to.put("host", name));
    to.put("os", agent.os());
    to.put("kernel", agent.kernel());
    to.put("cores", agent.cores());
    agent.memoryBytes().ifPresent(bytes -> to.put("memoryBytes", bytes));
    to.put("suite", agent.suite());
    to.put("clockAheadMicros", agent.clockAheadMicros());
  }

  private static void host(ObjectNode to, HostFacts host) {
    host.host().ifPresent(name -> to.put("host", name));
    to.put("os", host.os());
    to.put("kernel", host.kernel());
    to.put("cores", host.cores());
    host.memoryBytes().ifPresent(bytes -> to.put("memoryBytes", bytes));
    to.put("jvmVersion", host.jvmVersion());
    to.put("jvmVendor", host.jvmVendor());
    texts(to.putArray("jvmFlags"), host.jvmFlags());
  }

  private static void cost(ObjectNode to, StepCost cost) {
    to.put("step", cost.step());
    to.put("clients", cost.clients());
    to.put("requests", cost.requests());
    to.put("elapsedNanos", cost.elapsedNanos());
    to.put("requestNanos", cost.requestNanos());
    to.put("cpuNanos", cost.cpuNanos());
    cost.machineLoad().ifPresent(load -> to.put("machineLoad", load));
    to.put("gcPauseNanos", cost.gcPauseNanos());
    to.put("longestGcPauseNanos", cost.longestGcPauseNanos());
    cost.lagMedianNanos().ifPresent(nanos -> to.put("eventLoopLagMedianNanos", nanos));
    cost.lagP99Nanos().ifPresent(nanos -> to.put("eventLoopLagP99Nanos", nanos));
  }

  private static void texts(ArrayNode to, List<String> texts) {
    texts.forEach(to::add);
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The content of a file.
   *
   * @param formatVersion of it, and of the other files of the run
   */
  record Versioned(int formatVersion, Manifest manifest) {}

  static Versioned read(Path file) {
    JsonFields root = JsonFile.fields(file);
    int version = root.requireFormatVersion(EARLIER_VERSION, FORMAT_VERSION);
    Manifest manifest =
        new Manifest(
            root.constant("status", RunStatus.class),
            root.optionalText("reason"),
            root.instant("start"),
            root.has("end") ? Optional.of(root.instant("end")) : Optional.empty(),
            suite(root.object("suite")),
            experiment(root.object("scenario")),
            store(root.object("database")),
            LoadJson.read(root.object("load"), version),
            host(root.object("loadGenerator")),
            costs(root),
            root.has("verification")
                ? Optional.of(VerificationJson.read(root.object("verification")))
                : Optional.empty());
    check(manifest, root);
    root.throwIfBroken();
    return new Versioned(version, manifest);
  }

  /** Checks fields against each other. */
  private static void check(Manifest manifest, JsonFields root) {
    if (root.isBroken()) {
      return;
    }
    if (manifest.end().filter(end -> end.isBefore(manifest.start())).isPresent()) {
      root.problem("end", "a time that is not before start, " + manifest.start());
    }
    JsonFields database = root.object("database");
    int members = manifest.store().members().size();
    if (!manifest.store().agents().isEmpty() && manifest.store().agents().size() != members) {
      database.problem("agents", "one for each of the " + members + " members");
    }
    if (manifest.load().steps().stream().mapToDouble(Step::requests).sum() > MOST_REQUESTS) {
      root.object("load").problem("steps", "at most 10^15 requests in all");
    }
  }

  private static SuiteVersion suite(JsonFields from) {
    return new SuiteVersion(
        from.optionalText("version"), from.optionalText("commit"), from.flag("dirty"));
  }

  private static Manifest.Experiment experiment(JsonFields from) {
    return new Manifest.Experiment(
        from.text("name"),
        from.text("title"),
        scale(from),
        from.texts("databases"),
        limits(from),
        from.text("text", LONGEST_SCENARIO));
  }

  private static List<Limit> limits(JsonFields from) {
    List<String> texts = from.has("limits") ? from.texts("limits") : List.of();
    List<Limit> limits = texts.stream().flatMap(text -> Limit.parse(text).stream()).toList();
    if (limits.size() < texts.size()) {
      from.problem("limits", "limits such as 'p99 < 50 ms'");
    }
    return limits;
  }

  private static double scale(JsonFields from) {
    double scale = from.number("scale");
    if (scale <= 0 || scale > 1) {
      from.problem("scale", "a number above 0 and at most 1");
    }
    return scale;
  }

  private static Manifest.Store store(JsonFields from) {
    return new Manifest.Store(
        from.text("id", LONGEST_NAME),
        from.text("tag", LONGEST_NAME),
        from.optionalText("version"),
        from.texts("members"),
        from.optionalText("leaderAtStart"),
        from.optionalText("hosting").map(any -> from.constant("hosting", Manifest.Hosting.class)),
        from.optionalObjects("agents").stream().map(ManifestJson::agent).toList(),
        from.has("settings") ? from.object("settings").allTexts() : Map.of(),
        from.optionalText("security")
            .map(security -> new Manifest.Secured(security, from.texts("authentication"))));
  }

  private static Manifest.Agent agent(JsonFields from) {
    return new Manifest.Agent(
        from.text("address"),
        from.optionalText("host"),
        from.text("os"),
        from.text("kernel"),
        from.count("cores"),
        from.optionalAmount("memoryBytes"),
        from.text("suite"),
        from.integer("clockAheadMicros"));
  }

  /** Returns the costs; those without the number of a step come in the order of the steps. */
  private static List<StepCost> costs(JsonFields root) {
    List<StepCost> costs = new ArrayList<>();
    for (JsonFields each : root.optionalObjects("loadGeneratorCosts")) {
      int step =
          each.has("step") ? (int) each.between1And(Integer.MAX_VALUE, "step") : costs.size() + 1;
      costs.add(cost(each, step));
    }
    return costs;
  }

  private static StepCost cost(JsonFields from, int step) {
    return new StepCost(
        step,
        from.count("clients"),
        from.amount("requests"),
        from.amount("elapsedNanos"),
        from.amount("requestNanos"),
        from.amount("cpuNanos"),
        from.optionalNumber("machineLoad"),
        from.amount("gcPauseNanos"),
        from.amount("longestGcPauseNanos"),
        from.optionalAmount("eventLoopLagMedianNanos"),
        from.optionalAmount("eventLoopLagP99Nanos"));
  }

  private static HostFacts host(JsonFields from) {
    return new HostFacts(
        from.optionalText("host"),
        from.text("os"),
        from.text("kernel"),
        from.count("cores"),
        from.optionalAmount("memoryBytes"),
        from.text("jvmVersion"),
        from.text("jvmVendor"),
        from.texts("jvmFlags"));
  }
}
