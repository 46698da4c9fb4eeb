// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.TextFile;
import io.quorate.results.manifest.StoreInfo;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
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

  private static final String ETCD = "etcd__";
  private static final Set<String> SHIMS = Set.of("zetcd__beta", "cetcd__beta");
  private static final String KNOWN_IDS =
      "cetcd__beta, consul__v1_0_2, etcd__other, etcd__tip, etcd__v3_2, etcd__v3_3, zetcd__beta,"
          + " zookeeper__r3_5_3_beta";

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
    Value root = Value.read(file);
    List<Store> databases = databases(root);
    Value table = root.required("analyze_all_aggregated_output");
    Value readme = root.required("analyze_readme");
    return new DbtesterConfig(
        root.text("test_title"),
        root.text("test_description"),
        databases,
        table.required("all_aggregated_output_path_csv").text(),
        table.required("all_aggregated_output_path_txt").text(),
        root.text("analyze_plot_path_prefix"),
        root.some("plot", "analyze_plot_list", plot -> plot.required("column").text()),
        readme.required("output_path").text(),
        readme.list("images", DbtesterConfig::image));
  }

  private static Image image(Value image) {
    String type = image.text("type");
    if (!type.equals("local") && !type.equals("remote")) {
      throw image.wrong("type", "the type '" + type + "', which is not supported", "local, remote");
    }
    return new Image(image.text("title"), image.required("path").text(), type.equals("remote"));
  }

  private static List<Store> databases(Value root) {
    Value agents = root.required(AGENTS);
    Value analyses = root.required(ANALYSES);
    Set<String> ids = agents.entries().keySet();
    ids.forEach(id -> checkKnown(agents, id, id));
    List<Store> databases =
        root.some(
            "database",
            IDS,
            value -> {
              String id = value.text();
              checkKnown(root, IDS, id);
              return database(id, agents.required(id), analyses.required(id));
            });
    boolean etcd = ids.stream().anyMatch(id -> id.startsWith(ETCD));
    for (String id : ids) {
      if (!etcd && SHIMS.contains(id)) {
        String found = "got \"" + id + "\" config, but no etcd config is given";
        throw agents.wrong(id, found, "one");
      }
    }
    return databases;
  }

  private static void checkKnown(Value at, String key, String id) {
    if (!List.of(KNOWN_IDS.split(", ")).contains(id)) {
      throw at.wrong(key, "databaseID \"" + id + "\" is unknown", "one of " + KNOWN_IDS);
    }
  }

  private static Store database(String id, Value agent, Value analysis) {
    Value options = agent.required("benchmark_options");
    long requests = options.integer("request_number");
    List<Long> clientNumbers = options.list("connection_client_numbers", Value::integer);
    long connections = options.integer("connection_number");
    long clients = options.integer("client_number");
    if (!id.startsWith(ETCD) && connections != clients) {
      throw options.wrong(
          "connection_number",
          "\"" + id + "\" got connected " + connections + " != clients " + clients,
          "equal numbers, as only etcd shares connections");
    }
    String description = agent.required("database_description").text();
    Map<DbtesterPath, String> paths = new EnumMap<>(DbtesterPath.class);
    for (DbtesterPath path : DbtesterPath.values()) {
      paths.put(path, prefixed(analysis, analysis.required(path.key()).text()));
    }
    List<String> servers =
        analysis.some("server", DbtesterPath.SERVERS, path -> prefixed(analysis, path.text()));
    return new Store(id, description, requests, clientNumbers, paths, servers);
  }

  /**
   * Returns the path with a prefix, joined by a dash, not a slash: the prefix is the start of a
   * file's name.
   */
  private static String prefixed(Value analysis, String path) {
    String prefix = analysis.text("path_prefix").strip();
    return prefix.isEmpty() ? path : prefix + "-" + path;
  }

  /**
   * A value in a configuration of the reference, which ignores unknown keys, as the reference does.
   * A key that is missing, or has no value, is empty.
   */
  private record Value(Path file, Node node) {
    private static final long MAX_BYTES = 1 << 20;

    static Value read(Path file) {
      String text = TextFile.read(file, MAX_BYTES, "a configuration of dbtester");
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new CoreSchema())
              .setBufferSize(text.length() + 2)
              .build();
      try {
        return new Compose(settings)
            .composeString(text)
            .map(root -> new Value(file, root))
            .orElseThrow(
                () ->
                    new QuorateException(
                        file + ":1: found an empty file, expected a configuration"));
      } catch (MarkedYamlEngineException broken) {
        String at = at(file, broken.getProblemMark());
        throw new QuorateException(
            at + "found broken YAML: " + VisibleText.of(broken.getProblem()), broken);
      } catch (YamlEngineException | NumberFormatException broken) {
        throw new QuorateException(
            file + ": found broken YAML: " + VisibleText.of("" + broken.getMessage()), broken);
      }
    }

    /** Returns the entries of a map by their keys; of equal keys, the last one. */
    Map<String, NodeTuple> entries() {
      if (!(node instanceof MappingNode map)) {
        throw wrong(node, described(), "a map");
      }
      Map<String, NodeTuple> entries = new LinkedHashMap<>();
      for (NodeTuple entry : map.getValue()) {
        if (!(entry.getKeyNode() instanceof ScalarNode key)) {
          throw wrong(entry.getKeyNode(), "a key that is not a name", "a name");
        }
        entries.put(key.getValue(), entry);
      }
      return entries;
    }

    Optional<Value> value(String name) {
      return Optional.ofNullable(entries().get(name))
          .map(entry -> new Value(file, entry.getValueNode()))
          .filter(value -> !value.node.getTag().equals(Tag.NULL));
    }

    Value required(String name) {
      return value(name).orElseThrow(() -> wrong(node, "no value of '" + name + "'", "one"));
    }

    /** Returns a text; empty if the key does not exist. */
    String text(String name) {
      return value(name).map(Value::text).orElse("");
    }

    /** Returns a whole number; 0 if the key does not exist. */
    long integer(String name) {
      return value(name).map(Value::integer).orElse(0L);
    }

    <T> List<T> list(String name, Function<Value, T> type) {
      return value(name).stream().flatMap(Value::items).map(type).toList();
    }

    <T> List<T> some(String what, String name, Function<Value, T> type) {
      List<T> values = list(name, type);
      if (values.isEmpty()) {
        throw wrong(name, "no " + what + " in " + name, "one or more");
      }
      return values;
    }

    private Stream<Value> items() {
      if (!(node instanceof SequenceNode sequence)) {
        throw wrong(node, described(), "a list");
      }
      return sequence.getValue().stream().map(item -> new Value(file, item));
    }

    String text() {
      if (!(node instanceof ScalarNode scalar)) {
        throw wrong(node, described(), "a text");
      }
      return scalar.getValue();
    }

    long integer() {
      String digits = text().replace("_", "");
      if (!digits.matches("\\d{1,18}")) {
        throw wrong(node, described(), "a whole number of 0 or more");
      }
      return Long.parseLong(digits);
    }

    QuorateException wrong(String name, String found, String expected) {
      NodeTuple entry = entries().get(name);
      return wrong(entry == null ? node : entry.getKeyNode(), found, expected);
    }

    private QuorateException wrong(Node at, String found, String expected) {
      return new QuorateException(
          at(file, at.getStartMark())
              + "found "
              + VisibleText.of(found)
              + ", expected "
              + expected);
    }

    private static String at(Path file, Optional<Mark> at) {
      return file + at.map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
    }

    private String described() {
      return node instanceof ScalarNode scalar
          ? "'" + scalar.getValue() + "'"
          : node instanceof MappingNode ? "a map" : "a list";
    }
  }
}
