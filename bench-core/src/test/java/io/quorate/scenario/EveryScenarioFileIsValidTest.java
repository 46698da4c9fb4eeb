// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The files of {@code scenarios/} and {@code src/harness/scenarios/}. */
class EveryScenarioFileIsValidTest {
  private static final Path SCENARIOS = EditorSchema.HOME.resolve("scenarios");
  private static final Pattern ROW = Pattern.compile("(?m)^- `([^`]+)`: ");
  private static final Pattern EQUAL =
      Pattern.compile(
          "Unequal clients compare tuning, not databases; --clients ([0-9]+) compares"
              + " databases\\.");

  @ParameterizedTest
  @MethodSource("files")
  void the_reader_accepts_it_at_every_scale(Path file) {
    String name = file.getFileName().toString().replace(".yaml", "");
    for (double scale : new double[] {1, 0.5, 0.01, 0.0001}) {
      Optional<Matrix> matrix = matrix(file, name, scale);
      if (matrix.isPresent()) {
        assertThat(matrix.get().name()).isEqualTo(name);
        assertThat(matrix.get().cells()).hasSizeBetween(2, 1_000);
        continue;
      }
      Scenario scenario = ScenarioTexts.read(file, scale);

      assertThat(scenario.heading().name()).isEqualTo(name);
      assertThat(scenario.databases())
          .allMatch(load -> load.requests() == scenario.requests().measured());
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void it_has_no_older_names(Path file) {
    String text = ScenarioReader.text(new ScenarioFile(file, file.toString()));
    assertThat(ScenarioReader.hints("my.yaml", text)).isEmpty();
  }

  private static Optional<Matrix> matrix(Path file, String name, double scale) {
    return ScenarioReader.readMatrix(
        name,
        ScenarioReader.text(new ScenarioFile(file, name)),
        scale,
        List.of(),
        OptionalInt.empty());
  }

  @ParameterizedTest
  @MethodSource("files")
  void the_schema_accepts_it_and_editors_find_the_schema(Path file) throws IOException {
    String yaml = Files.readString(file);
    Path schema = file.getParent().relativize(SCENARIOS.resolve("scenario.schema.json"));

    assertThat(EditorSchema.accepts(yaml)).isTrue();
    assertThat(yaml).startsWith("# yaml-language-server: $schema=" + schema + "\n");
  }

  @Test
  void each_has_a_profile_of_its_name() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(EditorSchema.HOME.resolve("pom.xml").toFile());
    XPath xpath = XPathFactory.newInstance().newXPath();

    List<String> profiles = texts(pom, xpath, "/project/profiles/profile[properties/scenario]/id");
    assertThat(profiles).containsExactlyInAnyOrderElementsOf(names());
    assertThat(texts(pom, xpath, "/project/profiles/profile/properties/scenario"))
        .isEqualTo(profiles);
  }

  @Test
  void the_guide_lists_these_and_their_number() throws IOException {
    String guide =
        Files.readString(EditorSchema.HOME.resolve("src/site/markdown/reference/scenarios.md"));

    assertThat(ROW.matcher(guide).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(names());
    assertThat(Files.readString(EditorSchema.HOME.resolve("README.md")))
        .contains("There are %d [included scenarios]".formatted(names().size()));
  }

  @Test
  void the_reference_s_scenarios_and_our_own_are_there() {
    assertThat(names())
        .containsExactly(
            "baseline",
            "capacity-write",
            "compaction-spikes",
            "controls",
            "discovery",
            "elections",
            "etcd-network-latency",
            "faults",
            "faults-disk",
            "faults-log",
            "faults-network",
            "growing-object",
            "kubernetes-api-server-restart",
            "kubernetes-nodes",
            "locks",
            "locks-paused-holder",
            "maintenance",
            "network-latency",
            "power-cut",
            "quick",
            "read-3M-same-keys-1K-client",
            "read-3M-same-keys-best-throughput",
            "read-oneshot",
            "replicated-merge-tree",
            "rw-grid",
            "rw-grid-full",
            "session-expiration",
            "settings-sweep",
            "settings-sweep-consul",
            "settings-sweep-zookeeper",
            "soak",
            "storage-size",
            "tls-cost",
            "txn-mixed",
            "txn-put",
            "version-upgrade",
            "watch",
            "watch-churn",
            "watch-every-key",
            "watch-get",
            "watch-latency",
            "write-100K-keys-1-client",
            "write-1M-keys-1000-client",
            "write-1M-keys-1000QPS",
            "write-1M-keys-best-throughput",
            "write-1M-keys-client-variable",
            "write-at-rate",
            "write-too-many-keys",
            "write-too-many-keys-2017Q1",
            "ycsb-a",
            "ycsb-b",
            "ycsb-c",
            "ycsb-d",
            "ycsb-e",
            "ycsb-f");
  }

  /** The later rounds also have a JVM whose largest request is 32 MiB. */
  @ParameterizedTest
  @CsvSource({
    "read-3M-same-keys-1K-client, jute.maxbuffer 32MiB",
    "read-3M-same-keys-best-throughput, jute.maxbuffer 32MiB",
    "write-100K-keys-1-client, jute.maxbuffer 32MiB",
    "write-1M-keys-1000-client,",
    "write-1M-keys-1000QPS, jute.maxbuffer 32MiB",
    "write-1M-keys-best-throughput, jute.maxbuffer 32MiB",
    "write-1M-keys-client-variable, jute.maxbuffer 32MiB",
    "write-too-many-keys, jute.maxbuffer 32MiB",
    "write-too-many-keys-2017Q1,",
  })
  void the_servers_of_every_scenario_of_the_reference_have_its_settings(String name, String more) {
    Map<String, String> settings =
        Map.of(
            "etcd", "snapshot-count 100000, quota-backend-bytes 8GB",
            "zookeeper",
                "tickTime 2s, initLimit 5, syncLimit 5, snapCount 100000"
                    + (more == null ? "" : ", " + more),
            "consul", "");

    Scenario scenario = ScenarioTexts.read(SCENARIOS.resolve(name + ".yaml"), 1);

    assertThat(scenario.databases())
        .isNotEmpty()
        .allSatisfy(
            load -> assertThat(load.settings()).hasToString(settings.get(load.database().id())));
  }

  @Test
  void the_best_throughput_has_the_clients_of_the_reference() {
    Scenario scenario =
        ScenarioTexts.read(SCENARIOS.resolve("write-1M-keys-best-throughput.yaml"), 1);

    assertThat(scenario.databases())
        .containsExactly(
            new StoreLoad(
                new Column(
                    EtcdStore.STORE,
                    settings(
                        EtcdStore.STORE,
                        Map.of("snapshot-count", 100_000L, "quota-backend-bytes", 8_000_000_000L)),
                    Optional.empty(),
                    Optional.empty()),
                List.of(Steps.closed(1_000, 100, 1_000_000))),
            new StoreLoad(
                new Column(
                    ZooKeeperStore.STORE,
                    settings(
                        ZooKeeperStore.STORE,
                        Map.of(
                            "tickTime", 2000L,
                            "initLimit", 5L,
                            "syncLimit", 5L,
                            "snapCount", 100_000L,
                            "jute.maxbuffer", 33_554_432L)),
                    Optional.empty(),
                    Optional.empty()),
                List.of(Steps.closed(700, 700, 1_000_000))),
            new StoreLoad(ConsulStore.STORE, List.of(Steps.closed(500, 500, 1_000_000))));
  }

  @Test
  void that_of_the_first_published_round_has_its_clients() {
    assertThat(read("write-too-many-keys-2017Q1").databases())
        .extracting(load -> load.database().id() + " " + load.steps().get(0).clients())
        .containsExactly("etcd 700", "zookeeper 300", "consul 500");
  }

  @ParameterizedTest
  @MethodSource("names")
  void unequal_clients_are_said_to_compare_tuning_and_an_option_makes_them_equal(String name) {
    Path file = SCENARIOS.resolve(name + ".yaml");
    if (matrix(file, name, 1).isPresent()) {
      return;
    }
    Scenario scenario = read(name);
    if (clients(scenario).size() == 1) {
      return;
    }
    Matcher said = EQUAL.matcher(scenario.heading().description().replaceAll("\\s+", " "));
    assertThat(said.find()).isTrue();
    String text = ScenarioReader.text(new ScenarioFile(file, name));
    Scenario equal =
        ScenarioReader.read(
            name, ScenarioReader.with(name, text, Map.of("clients", said.group(1))), 1);

    int number = Integer.parseInt(said.group(1));
    assertThat(clients(equal))
        .containsExactly(List.of(Steps.closed(number, number, scenario.requests().measured())));
    assertThat(equal.heading().title())
        .isEqualTo(scenario.heading().title() + " (--clients " + number + ")");
    assertThat(equal.requests().measured()).isEqualTo(scenario.requests().measured());
    assertThat(equal.requests().mix()).isEqualTo(scenario.requests().mix());
    assertThat(equal.requests().keys()).isEqualTo(scenario.requests().keys());
    assertThat(equal.requests().values()).isEqualTo(scenario.requests().values());
    assertThat(equal.databases())
        .extracting(StoreLoad::column)
        .isEqualTo(scenario.databases().stream().map(StoreLoad::column).toList());
  }

  /** Returns the loads of a scenario, each once. */
  private static Set<List<Step>> clients(Scenario scenario) {
    return scenario.databases().stream().map(StoreLoad::steps).collect(Collectors.toSet());
  }

  private static Scenario read(String name) {
    return ScenarioTexts.read(SCENARIOS.resolve(name + ".yaml"), 1);
  }

  private static ServerSettings settings(Store store, Map<String, Long> chosen) {
    return Stores.servers(store).choose(chosen);
  }

  private static List<String> names() {
    return ScenarioFiles.names(SCENARIOS);
  }

  /** Returns the included scenarios, and those of the harness. */
  private static List<Path> files() {
    return Stream.of(SCENARIOS, EditorSchema.HOME.resolve("src/harness/scenarios"))
        .flatMap(
            directory ->
                ScenarioFiles.names(directory).stream()
                    .map(name -> directory.resolve(name + ".yaml")))
        .toList();
  }

  private static List<String> texts(Document pom, XPath xpath, String path) throws Exception {
    NodeList nodes = (NodeList) xpath.evaluate(path, pom, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }
}
