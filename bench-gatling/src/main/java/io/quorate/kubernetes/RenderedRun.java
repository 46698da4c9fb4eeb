package io.quorate.kubernetes;

import io.quorate.QuorateException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** The manifests of {@code src/kubernetes}, filled in for one run. */
final class RenderedRun {
  /** Begins the names of all objects in the manifests, and is their image. */
  private static final String BASE = "quorate";

  private static final String JOB = "Job";
  private static final String CONFIG_MAP = "ConfigMap";
  private static final String CLAIM = "PersistentVolumeClaim";
  private static final String RESULTS = "quorate-results";
  private static final String DATA = "data";
  private static final int LONGEST_NAME = 27;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final AskedRun asked;
  private final CheckedScenario scenario;
  private final String name;
  private final List<KubernetesObject> manifests;

  private RenderedRun(
      AskedRun asked, CheckedScenario scenario, String name, List<KubernetesObject> manifests) {
    this.asked = asked;
    this.scenario = scenario;
    this.name = name;
    this.manifests = manifests;
  }

  /**
   * Fills in the manifests.
   *
   * @param system properties of this JVM, which say where Quorate and the person are
   * @throws QuorateException with all that is wrong with what is asked for
   */
  static RenderedRun of(AskedRun asked, Properties system, Instant now) {
    List<String> problems = new ArrayList<>();
    asked.addProblems(problems);
    Optional<CheckedScenario> checked = Optional.empty();
    try {
      checked = Optional.of(CheckedScenario.of(asked, system, now));
    } catch (QuorateException wrong) {
      if (asked.shards() > 0 || problems.isEmpty()) {
        problems.add(wrong.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    CheckedScenario scenario = checked.orElseThrow();
    String name = asked.name().orElseGet(() -> name(scenario.name(), now));
    Path directory = Path.of(system.getProperty("quorate.home", ""), "src", "kubernetes");
    RenderedRun run =
        new RenderedRun(asked, scenario, name, new ArrayList<>(manifests(asked, directory)));
    run.fillIn();
    return run;
  }

  /** Returns a name of what names of Kubernetes may have. */
  private static String name(String scenario, Instant now) {
    String letters =
        scenario
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceFirst("^[^a-z]+", "");
    String begin = letters.substring(0, Math.min(letters.length(), LONGEST_NAME));
    return (begin.isEmpty() ? BASE : begin.replaceFirst("-$", "")) + "-" + TIME.format(now);
  }

  private static List<KubernetesObject> manifests(AskedRun asked, Path directory) {
    Kustomization all = new Kustomization();
    all.add(
        asked
            .overlay()
            .map(overlay -> directory.resolve("overlays").resolve(overlay))
            .orElse(directory.resolve("base")));
    Path components = directory.resolve("components");
    asked.tlsSecret().ifPresent(any -> all.add(components.resolve("tls")));
    asked
        .clientCertificateSecret()
        .ifPresent(any -> all.add(components.resolve("client-certificate")));
    asked.credentialsSecret().ifPresent(any -> all.add(components.resolve("credentials")));
    return all.manifests();
  }

  private void fillIn() {
    if (asked.shards() == 1) {
      manifests.removeIf(each -> each.is(JOB, "quorate-merge"));
    }
    asked.claim().ifPresent(any -> manifests.removeIf(each -> each.is(CLAIM, RESULTS)));
    Map<String, String> names = names();
    manifests.replaceAll(each -> each.with((key, text) -> renamed(key, text, names)));
    fillInData();
    fillInLoad();
    asked
        .namespace()
        .ifPresent(space -> manifests.forEach(each -> each.at("metadata").put("namespace", space)));
  }

  private void fillInData() {
    Map<String, Object> file = manifest(CONFIG_MAP, name + "-scenario").at(DATA);
    file.clear();
    file.put(scenario.name() + ".yaml", scenario.text());
    Map<String, Object> run = manifest(CONFIG_MAP, name + "-run").at(DATA);
    run.put("RUN", name);
    run.put("SCENARIO", scenario.name());
    asked.scale().ifPresent(part -> run.put("SCALE", part));
    run.put("DATABASE", scenario.database().id());
    run.put("ENDPOINTS", scenario.endpoints());
    run.put("QUORATE_SHARDS", Integer.toString(asked.shards()));
    asked.startAt().ifPresent(time -> run.put("START_AT", time));
  }

  private void fillInLoad() {
    KubernetesObject load = manifest(JOB, name + "-load");
    load.at("spec").put("completions", asked.shards());
    load.at("spec").put("parallelism", asked.shards());
    for (String kind : List.of("requests", "limits")) {
      Map<String, Object> resources =
          load.at("spec", "template", "spec", "containers", 0, "resources", kind);
      asked.cpus().ifPresent(cpus -> resources.put("cpu", cpus));
      asked.memory().ifPresent(size -> resources.put("memory", size));
    }
    asked.servers().ifPresent(label -> avoid(load, label));
  }

  private static void avoid(KubernetesObject load, String label) {
    Map<String, Object> pods = load.at("spec", "template", "spec");
    if (!pods.containsKey("affinity")) {
      return;
    }
    int equals = label.indexOf('=');
    Map<String, Object> selector = new LinkedHashMap<>();
    selector.put("matchLabels", Map.of(label.substring(0, equals), label.substring(equals + 1)));
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    load.at("spec", "template", "spec", "affinity", "podAntiAffinity", required, 0)
        .put("labelSelector", selector);
  }

  private KubernetesObject manifest(String kind, String expected) {
    return manifests.stream().filter(each -> each.is(kind, expected)).findFirst().orElseThrow();
  }

  /** Returns the texts that take the place of others, wherever these are. */
  private Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    manifests.stream()
        .map(KubernetesObject::name)
        .filter(each -> !each.equals(RESULTS))
        .forEach(each -> names.put(each, name + each.substring(BASE.length())));
    asked.claim().ifPresent(other -> names.put(RESULTS, other));
    asked.tlsSecret().ifPresent(secret -> names.put("quorate-tls", secret));
    asked
        .clientCertificateSecret()
        .ifPresent(secret -> names.put("quorate-client-certificate", secret));
    asked.credentialsSecret().ifPresent(secret -> names.put("quorate-credentials", secret));
    asked.results().ifPresent(directory -> names.put("/var/lib/quorate/results", directory));
    return names;
  }

  private String renamed(String key, String text, Map<String, String> names) {
    if (text.equals(BASE)) {
      return switch (key) {
        case "image" -> asked.image();
        case "app.kubernetes.io/instance" -> name;
        default -> text;
      };
    }
    return names.getOrDefault(text, text);
  }

  /** Returns what {@code kubectl apply -f -} reads, with what to do next as comments. */
  String text() {
    String label = "-l app.kubernetes.io/instance=" + name;
    return """
    # %s of %s by %d load generator%s; results: %s
    #   kubectl logs -f %s --all-containers --prefix --max-log-requests %d
    #   kubectl delete job,service,configmap %s
    %s\
    """
        .formatted(
            scenario.name(),
            scenario.database().id(),
            asked.shards(),
            asked.shards() == 1 ? "" : "s",
            place(),
            label,
            asked.shards() + 1,
            label,
            ManifestText.of(manifests));
  }

  private String place() {
    if (asked.has(AskedRun.NO_SHARED_VOLUME)) {
      return "/results of each Pod, until /results/fetched is there";
    }
    String where =
        asked.has(AskedRun.ONE_NODE)
            ? asked.results().orElse("/var/lib/quorate/results") + " of the node"
            : "the volume of " + asked.claim().orElse(RESULTS);
    return name + (asked.shards() == 1 ? "" : "/merged") + " in " + where;
  }
}
