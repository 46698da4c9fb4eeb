package io.quorate.results.manifest;

import io.quorate.format.JsonFields;
import io.quorate.format.JsonFile;
import io.quorate.scenario.Limit;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code manifest.json}. */
public final class ManifestReader {
  private static final int LONGEST_NAME = 500;

  /** Length limit of a scenario, whose text may have 65,536 bytes. */
  private static final int LONGEST_SCENARIO = 1 << 20;

  private static final double MOST_REQUESTS = 1e15;

  private ManifestReader() {}

  static Manifest read(Path file) {
    JsonFields root = JsonFile.fields(file);
    root.requireFormatVersion(ManifestFile.FORMAT_VERSION);
    Manifest manifest =
        new Manifest(
            root.constant("status", RunStatus.class),
            root.optionalText("reason"),
            root.instant("start"),
            root.has("end") ? Optional.of(root.instant("end")) : Optional.empty(),
            suite(root.object("suite")),
            scenario(root.object("scenario")),
            store(root.object("database")),
            LoadReader.read(root.object("load")),
            host(root.object("loadGenerator")),
            costs(root, "loadGeneratorCosts"),
            root.has("verification")
                ? Optional.of(VerificationEntry.read(root.object("verification")))
                : Optional.empty(),
            root.has("shard")
                ? Optional.of(ShardEntry.read(root.object("shard")))
                : Optional.empty(),
            root.optionalObjects("shards").stream().map(MergedShard::read).toList());
    check(manifest, root);
    root.throwIfBroken();
    return manifest;
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
    ServerFacts servers = manifest.store().servers();
    int members = servers.members().size();
    if (!servers.agents().isEmpty() && servers.agents().size() != members) {
      database.problem("agents", "one for each of the " + members + " members");
    }
    if (manifest.load().steps().stream().mapToDouble(Step::requests).sum() > MOST_REQUESTS) {
      root.object("load").problem("steps", "at most 10^15 requests in all");
    }
  }

  public static SuiteVersion suite(JsonFields from) {
    return new SuiteVersion(
        from.optionalText("version"), from.optionalText("commit"), from.flag("dirty"));
  }

  private static ScenarioFacts scenario(JsonFields from) {
    return new ScenarioFacts(
        from.text("name"),
        from.text("title"),
        scale(from),
        from.texts("databases"),
        limits(from),
        from.text("text", LONGEST_SCENARIO));
  }

  static List<Limit> limits(JsonFields from) {
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

  private static StoreFacts store(JsonFields from) {
    return new StoreFacts(
        from.text("id", LONGEST_NAME),
        from.text("tag", LONGEST_NAME),
        servers(from),
        from.has("settings") ? from.object("settings").allTexts() : Map.of());
  }

  private static ServerFacts servers(JsonFields from) {
    return new ServerFacts(
        from.optionalText("version"),
        from.texts("members"),
        from.optionalText("leaderAtStart"),
        from.optionalText("security")
            .map(security -> new ServerFacts.Secured(security, from.texts("authentication"))),
        from.optionalText("hosting")
            .map(any -> from.constant("hosting", ServerFacts.Hosting.class)),
        from.optionalObjects("agents").stream().map(ManifestReader::agent).toList(),
        from.has("keys") ? Optional.of(keys(from.object("keys"))) : Optional.empty());
  }

  private static RunKeys keys(JsonFields from) {
    return new RunKeys(
        from.text("prefix", LONGEST_NAME),
        from.constant("state", RunKeys.State.class),
        from.optionalText("removal"));
  }

  private static AgentMachine agent(JsonFields from) {
    return new AgentMachine(
        from.text("address"),
        from.optionalText("host"),
        from.text("os"),
        from.text("kernel"),
        from.count("cores"),
        from.optionalAmount("memoryBytes"),
        from.text("suite"),
        from.integer("clockAheadMicros"));
  }

  static List<StepCost> costs(JsonFields root, String name) {
    return root.optionalObjects(name).stream().map(ManifestReader::cost).toList();
  }

  private static StepCost cost(JsonFields from) {
    return new StepCost(
        (int) from.between1And(Integer.MAX_VALUE, "step"),
        from.count("clients"),
        from.amount("requests"),
        from.amount("elapsedNanos"),
        from.amount("requestNanos"),
        from.amount("cpuNanos"),
        from.optionalNumber("machineLoad"),
        from.amount("gcPauseNanos"),
        from.amount("longestGcPauseNanos"));
  }

  static HostFacts host(JsonFields from) {
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
