package io.quorate.scenario;

import io.quorate.driver.Database;
import io.quorate.driver.ReadConsistency;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One experiment: what is asked of which databases, by how many clients. Read from a YAML file by
 * {@link ScenarioReader}; see {@code src/site/markdown/scenarios.md}.
 *
 * @param name the file name without {@code .yaml}: names the directory of its results
 * @param title one line, heads the report
 * @param description Markdown, may be empty
 * @param requests measured requests for each database, over all its steps
 * @param warmUp requests made first and thrown away, 0 for none
 * @param consistency what reads promise; of no meaning for writes
 * @param valueBytes the length of every value
 * @param members servers of a local cluster: 1, 3 or 5
 * @param seed of keys and values: the same seed makes the same requests
 * @param timeout deadline of a request
 * @param scale what part of its requests is run, above 0 and at most 1; other than 1 only when
 *     asked for on the command line, and then every output says so
 * @param databases in the order of the columns, each once
 * @param source the text of the file, for the manifest
 */
public record Scenario(
    String name,
    String title,
    String description,
    Operation operation,
    ReadConsistency consistency,
    long requests,
    long warmUp,
    KeySpace keys,
    int valueBytes,
    int members,
    Routing routing,
    long seed,
    Duration timeout,
    double scale,
    List<DatabaseLoad> databases,
    String source) {
  public Scenario {
    databases = List.copyOf(databases);
  }

  /** The load of one database, if the scenario has it. */
  public Optional<DatabaseLoad> load(Database database) {
    return databases.stream().filter(load -> load.database() == database).findFirst();
  }
}
