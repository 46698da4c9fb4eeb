// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.TextFile;
import io.quorate.results.manifest.StoreInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The part of a configuration of the reference that describes its analysis, with the actual names
 * of keys. Paths are unchanged.
 *
 * @param databases databases in the order of the columns, at least one
 * @param plotColumns columns to plot, at least one
 */
public record DbtesterConfig(
    String title,
    String description,
    List<Store> databases,
    String tableCsv,
    String tableText,
    String plotDirectory,
    List<String> plotColumns,
    String readme,
    List<Image> images) {
  private static final String AGENTS =
      "datatbase_id_to_config_client_machine_agent_control"; // misspelled in the reference
  private static final String ANALYSES = "datatbase_id_to_config_analyze_machine_initial";
  private static final String IDS = "all_database_id_list";

  private static final Set<String> ETCD_IDS =
      Set.of("etcd__other", "etcd__tip", "etcd__v3_2", "etcd__v3_3");
  private static final Set<String> SHIMS = Set.of("zetcd__beta", "cetcd__beta");
  private static final Set<String> OTHER_IDS =
      Set.of("zookeeper__r3_5_3_beta", "consul__v1_0_2", "zetcd__beta", "cetcd__beta");

  /**
   * A database.
   *
   * @param clientNumbers numbers of clients of the steps; empty if there was only one
   * @param servers metrics of each server, at least one
   */
  record Store(
      String id,
      String description,
      long requests,
      List<Long> clientNumbers,
      Map<DbtesterPath, String> paths,
      List<String> servers) {
    String tag() {
      return StoreInfo.tag(description);
    }
  }

  record Image(String title, String path, boolean remote) {}

  /**
   * Reads a file.
   *
   * @throws io.quorate.QuorateException with file, line, what was found and what was expected
   */
  public static DbtesterConfig read(Path file) {
    ConfigMap root = ConfigMap.read(file);
    List<Store> databases = databases(root);
    ConfigMap table = root.map("analyze_all_aggregated_output");
    ConfigMap readme = root.map("analyze_readme");
    String title = root.text("test_title").orElse("");
    String description = root.text("test_description").orElse("");
    String csv = table.requiredText("all_aggregated_output_path_csv");
    String text = table.requiredText("all_aggregated_output_path_txt");
    String plots = root.text("analyze_plot_path_prefix").orElse("");
    List<String> columns =
        root.maps("analyze_plot_list").stream().map(DbtesterConfig::column).toList();
    root.requireSome("plot", "analyze_plot_list", columns);
    String readmePath = readme.requiredText("output_path");
    List<Image> images = readme.maps("images").stream().map(DbtesterConfig::image).toList();
    return new DbtesterConfig(
        title, description, databases, csv, text, plots, columns, readmePath, images);
  }

  private static String column(ConfigMap plot) {
    return plot.requiredText("column");
  }

  private static Image image(ConfigMap image) {
    String type = image.text("type").orElse("");
    if (!type.equals("local") && !type.equals("remote")) {
      throw image.wrong("type", "the type '" + type + "', which is not supported", "local, remote");
    }
    String title = image.text("title").orElse("");
    return new Image(title, image.requiredText("path"), type.equals("remote"));
  }

  private static List<Store> databases(ConfigMap root) {
    ConfigMap agents = root.map(AGENTS);
    ConfigMap analyses = root.map(ANALYSES);
    agents.names().forEach(id -> checkKnown(agents, id, id));
    List<Store> databases = new ArrayList<>();
    for (String id : root.texts(IDS)) {
      checkKnown(root, IDS, id);
      databases.add(database(id, agents.map(id), analyses.map(id)));
    }
    root.requireSome("database", IDS, databases);
    if (Collections.disjoint(agents.names(), ETCD_IDS)) {
      for (String id : agents.names()) {
        if (SHIMS.contains(id)) {
          String found = "got \"" + id + "\" config, but no etcd config is given";
          throw agents.wrong(id, found, "one");
        }
      }
    }
    return databases;
  }

  private static void checkKnown(ConfigMap at, String key, String id) {
    Set<String> known = new TreeSet<>(ETCD_IDS);
    known.addAll(OTHER_IDS);
    if (!known.contains(id)) {
      String expected = "one of " + String.join(", ", known);
      throw at.wrong(key, "databaseID \"" + id + "\" is unknown", expected);
    }
  }

  private static Store database(String id, ConfigMap agent, ConfigMap analysis) {
    ConfigMap options = agent.map("benchmark_options");
    long requests = options.integer("request_number");
    List<Long> clientNumbers = options.integers("connection_client_numbers");
    long connections = options.integer("connection_number");
    long clients = options.integer("client_number");
    if (!ETCD_IDS.contains(id) && connections != clients) {
      throw options.wrong(
          "connection_number",
          "\"" + id + "\" got connected " + connections + " != clients " + clients,
          "equal numbers, as only etcd shares connections");
    }
    String description = agent.requiredText("database_description");
    Map<DbtesterPath, String> paths = new EnumMap<>(DbtesterPath.class);
    for (DbtesterPath path : DbtesterPath.values()) {
      paths.put(path, prefixed(analysis, analysis.requiredText(path.key())));
    }
    List<String> servers =
        analysis.texts(DbtesterPath.SERVERS).stream()
            .map(path -> prefixed(analysis, path))
            .toList();
    analysis.requireSome("server", DbtesterPath.SERVERS, servers);
    return new Store(id, description, requests, clientNumbers, paths, servers);
  }

  /**
   * Returns the path with a prefix, joined by a dash, not a slash: the prefix is the start of a
   * file's name.
   */
  private static String prefixed(ConfigMap analysis, String path) {
    String prefix = analysis.text("path_prefix").orElse("").strip();
    return prefix.isEmpty() ? path : prefix + "-" + path;
  }

  /**
   * A map of a configuration of the reference, which ignores unknown keys, as the reference does. A
   * key that is missing, or has no value, is empty.
   */
  static final class ConfigMap {
    private static final long MAX_BYTES = 1 << 20;

    private final Path file;
    private final Node node;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();

    private ConfigMap(Path file, Node node) {
      this.file = file;
      this.node = node;
      if (!(node instanceof MappingNode map)) {
        throw wrong(node, described(node), "a map");
      }
      for (NodeTuple entry : map.getValue()) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
          throw wrong(entry.getKeyNode(), "a key that is not a name", "a name");
        }
        keys.put(key.getValue(), key);
        values.put(key.getValue(), entry.getValueNode());
      }
    }

    static ConfigMap read(Path file) {
      String text = TextFile.read(file, MAX_BYTES, "a configuration of dbtester");
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new CoreSchema())
              .setBufferSize(text.length() + 2)
              .build();
      try {
        Node root =
            new Compose(settings)
                .composeString(text)
                .orElseThrow(
                    () ->
                        new QuorateException(
                            file + ":1: found an empty file, expected a configuration"));
        return new ConfigMap(file, root);
      } catch (MarkedYamlEngineException broken) {
        String at = at(file, broken.getProblemMark());
        throw new QuorateException(
            at + "found broken YAML: " + VisibleText.of(broken.getProblem()), broken);
      } catch (YamlEngineException | NumberFormatException broken) {
        throw new QuorateException(
            file + ": found broken YAML: " + VisibleText.of("" + broken.getMessage()), broken);
      }
    }

    List<String> names() {
      return List.copyOf(keys.keySet());
    }

    Optional<String> text(String name) {
      return value(name).map(this::text);
    }

    String requiredText(String name) {
      return text(name).orElseThrow(() -> missing(name));
    }

    List<String> texts(String name) {
      return list(name).stream().map(this::text).toList();
    }

    /** Returns a whole number; 0 if the key does not exist. */
    long integer(String name) {
      return value(name).map(this::integer).orElse(0L);
    }

    List<Long> integers(String name) {
      return list(name).stream().map(this::integer).toList();
    }

    ConfigMap map(String name) {
      return value(name).map(value -> new ConfigMap(file, value)).orElseThrow(() -> missing(name));
    }

    List<ConfigMap> maps(String name) {
      return list(name).stream().map(each -> new ConfigMap(file, each)).toList();
    }

    void requireSome(String what, String name, List<?> values) {
      if (values.isEmpty()) {
        throw wrong(name, "no " + what + " in " + name, "one or more");
      }
    }

    QuorateException wrong(String name, String found, String expected) {
      return wrong(keys.getOrDefault(name, node), found, expected);
    }

    private QuorateException missing(String name) {
      return wrong(node, "no value of '" + name + "'", "one");
    }

    private QuorateException wrong(Node at, String found, String expected) {
      return new QuorateException(
          at(at) + "found " + VisibleText.of(found) + ", expected " + expected);
    }

    private String at(Node at) {
      return at(file, at.getStartMark());
    }

    private static String at(Path file, Optional<Mark> at) {
      return file + at.map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
    }

    private Optional<Node> value(String name) {
      return Optional.ofNullable(values.get(name))
          .filter(value -> !value.getTag().equals(Tag.NULL));
    }

    private List<Node> list(String name) {
      Optional<Node> value = value(name);
      if (value.isEmpty()) {
        return List.of();
      }
      if (!(value.get() instanceof SequenceNode sequence)) {
        throw wrong(value.get(), described(value.get()), "a list");
      }
      return sequence.getValue();
    }

    private String text(Node value) {
      if (!(value instanceof ScalarNode scalar)) {
        throw wrong(value, described(value), "a text");
      }
      return scalar.getValue();
    }

    private long integer(Node value) {
      String digits = text(value).replace("_", "");
      if (!digits.matches("\\d{1,18}")) {
        throw wrong(value, described(value), "a whole number of 0 or more");
      }
      return Long.parseLong(digits);
    }

    private static String described(Node node) {
      if (node instanceof ScalarNode scalar) {
        return "'" + scalar.getValue() + "'";
      }
      return node instanceof MappingNode ? "a map" : "a list";
    }
  }
}
