package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.TextFile;
import io.quorate.report.dbtester.DbtesterConfig.Image;
import io.quorate.report.dbtester.DbtesterConfig.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads a configuration of the reference, by the names that it actually uses. */
public final class DbtesterConfigReader {
  private static final String AGENTS =
      "datatbase_id_to_config_client_machine_agent_control"; // as misspelled there
  private static final String ANALYSES = "datatbase_id_to_config_analyze_machine_initial";
  private static final String IDS = "all_database_id_list";

  private static final Set<String> ETCD_IDS =
      Set.of("etcd__other", "etcd__tip", "etcd__v3_2", "etcd__v3_3");
  private static final Set<String> OTHER_IDS =
      Set.of("zookeeper__r3_5_3_beta", "consul__v1_0_2", "zetcd__beta", "cetcd__beta");
  private static final Set<String> SHIMS = Set.of("zetcd__beta", "cetcd__beta");

  private final List<String> warnings = new ArrayList<>();
  private final ConfigMap root;

  private DbtesterConfigReader(Path file) {
    this.root = new ConfigMap(file, DbtesterYaml.read(file), warnings);
  }

  /**
   * Reads a file.
   *
   * @throws io.quorate.QuorateException with file, line, what was found and what was expected
   */
  public static DbtesterConfig read(Path file) {
    return new DbtesterConfigReader(file).config();
  }

  private DbtesterConfig config() {
    root.pass("config_client_machine_initial");
    List<Store> databases = databases();
    ConfigMap table = root.map("analyze_all_aggregated_output");
    ConfigMap readme = root.map("analyze_readme");
    String title = root.text("test_title").orElse("");
    String description = root.text("test_description").orElse("");
    String csv = table.requiredText("all_aggregated_output_path_csv");
    String text = table.requiredText("all_aggregated_output_path_txt");
    String plotDirectory = root.text("analyze_plot_path_prefix").orElse("");
    List<String> columns = columns();
    String readmePath = readme.requiredText("output_path");
    List<Image> images = readme.maps("images").stream().map(DbtesterConfigReader::image).toList();
    List.of(table, readme, root).forEach(ConfigMap::close);
    return new DbtesterConfig(
        title,
        description,
        databases,
        csv,
        text,
        plotDirectory,
        columns,
        readmePath,
        images,
        warnings);
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>();
    for (ConfigMap plot : root.maps("analyze_plot_list")) {
      columns.add(plot.requiredText("column"));
      plot.pass("x_axis", "y_axis", "output_path_csv", "output_path_list");
      plot.close();
    }
    if (columns.isEmpty()) {
      throw root.wrong("analyze_plot_list", "no plot in analyze_plot_list", "one or more");
    }
    return columns;
  }

  private static Image image(ConfigMap image) {
    String type = image.text("type").orElse("");
    if (!type.equals("local") && !type.equals("remote")) {
      throw image.wrong("type", "the type '" + type + "', which is not supported", "local, remote");
    }
    Image read =
        new Image(
            image.text("title").orElse(""), image.requiredText("path"), type.equals("remote"));
    image.close();
    return read;
  }

  private List<Store> databases() {
    ConfigMap agents = root.map(AGENTS);
    ConfigMap analyses = root.map(ANALYSES);
    agents.names().forEach(id -> checkKnown(agents, id, id));
    List<Store> databases = new ArrayList<>();
    for (String id : root.texts(IDS)) {
      checkKnown(root, IDS, id);
      databases.add(database(id, agents.map(id), analyses.map(id)));
    }
    if (databases.isEmpty()) {
      throw root.wrong(IDS, "no database in " + IDS, "one or more");
    }
    agents.names().stream()
        .filter(SHIMS::contains)
        .filter(id -> agents.names().stream().noneMatch(ETCD_IDS::contains))
        .forEach(
            id -> {
              throw agents.wrong(
                  id, "got \"" + id + "\" config, but no etcd config is given", "one");
            });
    return databases;
  }

  private static void checkKnown(ConfigMap at, String key, String id) {
    if (!ETCD_IDS.contains(id) && !OTHER_IDS.contains(id)) {
      List<String> known = new ArrayList<>(ETCD_IDS);
      known.addAll(OTHER_IDS);
      known.sort(null);
      throw at.wrong(
          key, "databaseID \"" + id + "\" is unknown", "one of " + String.join(", ", known));
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
    options.pass("type", "rate_limit_requests_per_second", "same_key", "stale_read");
    options.pass("key_size_bytes", "value_size_bytes");
    options.close();
    String description = agent.requiredText("database_description");
    agent.pass("peer_ips", "database_port_to_connect", "agent_port_to_connect", "benchmark_steps");
    agent.pass(id);
    agent.close();
    return new Store(id, description, requests, clientNumbers, paths(analysis), servers(analysis));
  }

  private static Map<DbtesterPath, String> paths(ConfigMap analysis) {
    Map<DbtesterPath, String> paths = new EnumMap<>(DbtesterPath.class);
    for (DbtesterPath path : DbtesterPath.values()) {
      paths.put(path, prefixed(analysis, analysis.requiredText(path.key())));
    }
    return paths;
  }

  private static List<String> servers(ConfigMap analysis) {
    List<String> servers =
        analysis.texts(DbtesterPath.SERVERS).stream()
            .map(path -> prefixed(analysis, path))
            .toList();
    if (servers.isEmpty()) {
      throw analysis.wrong(
          DbtesterPath.SERVERS, "no server in " + DbtesterPath.SERVERS, "one or more");
    }
    analysis.pass(DbtesterPath.UNUSED);
    analysis.close();
    return servers;
  }

  /**
   * Returns the path with a prefix, joined by a dash and not a slash: what is before it is the
   * start of a file's name.
   */
  private static String prefixed(ConfigMap analysis, String path) {
    String prefix = analysis.text("path_prefix").orElse("").strip();
    return prefix.isEmpty() ? path : prefix + "-" + path;
  }

  /** Reads a YAML file as a tree that knows its lines. */
  static final class DbtesterYaml {
    private static final int DEEPEST = 20;
    private static final long MAX_BYTES = 1 << 20;

    private DbtesterYaml() {}

    static Node read(Path file) {
      String text = TextFile.read(file, MAX_BYTES, "a configuration of dbtester");
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new CoreSchema())
              .setParseComments(false)
              .setBufferSize(text.length() + 2)
              .build();
      try {
        checkDepth(file, text, settings);
        return new Compose(settings)
            .composeString(text)
            .orElseThrow(
                () ->
                    new QuorateException(
                        file + ":1: found an empty file, expected a configuration"));
      } catch (MarkedYamlEngineException broken) {
        String line =
            broken.getProblemMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("") + ": ";
        throw new QuorateException(
            file + line + "found broken YAML: " + VisibleText.of(broken.getProblem()), broken);
      } catch (YamlEngineException | NumberFormatException broken) {
        String problem = Optional.ofNullable(broken.getMessage()).orElse("unreadable");
        throw new QuorateException(
            file + ": found broken YAML: " + VisibleText.of(problem), broken);
      }
    }

    /**
     * Checks the depth: composing goes down by recursion, so that a deep file would use up the
     * stack.
     */
    private static void checkDepth(Path file, String text, LoadSettings settings) {
      int depth = 0;
      for (Event event : new Parse(settings).parseString(text)) {
        depth += event instanceof CollectionStartEvent ? 1 : 0;
        depth -= event instanceof CollectionEndEvent ? 1 : 0;
        if (depth > DEEPEST) {
          throw new QuorateException(file + ": found more than " + DEEPEST + " levels of nesting");
        }
      }
    }
  }
}
