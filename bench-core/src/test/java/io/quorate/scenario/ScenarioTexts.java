// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.scenario.yaml.ScenarioFile;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Path;

/** Scenarios with as few keys as can be, and with nearly all. */
public final class ScenarioTexts {
  public static final String SHORTEST =
      """
      title: Some writes
      operation: write
      requests: 1_000_000
      keys: {size: 256}
      values: {size: 1024}
      load: {clients: 100}
      databases: [zookeeper, etcd]
      """;

  public static final String LONGEST =
      """
      # everything at once
      title: "Reads: all of it"
      description: |
        Two *lines*
        of text.
      operation: read
      requests: 30000
      warm-up: 500
      keys: {size: 16, distribution: random, count: 2_000}
      values: {size: 0}
      consistency: serializable
      load: {clients: 20, connections: 4}
      databases:
        memory: {steps: [1, 2, 3]}
        zookeeper: {}
        etcd: {clients: 1_000, connections: 100}
      members: 5
      agents: [a:7300, 10.0.0.2:1, c.example.com:65535, d:4, e:5]
      routing: followers
      on-failure: failover
      timeout: 1500ms
      seed: 42
      cold-start: true
      """;

  private ScenarioTexts() {}

  /** Reads a scenario file. */
  public static Scenario read(Path file, double scale) {
    return read(new ScenarioFile(file, file.toString()), scale);
  }

  /** Reads a scenario file; problems name it as it is shown. */
  public static Scenario read(ScenarioFile file, double scale) {
    return ScenarioReader.read(file.shown(), ScenarioReader.text(file), scale);
  }
}
