// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.scenario.yaml.ScenarioOptions;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option of the commands that send load, which is also a system property. Its description is in
 * {@code options.properties}.
 *
 * @param property name as a property
 * @param name name on the command line
 * @param label label of its value; empty if it has none
 */
record RunOption(String property, String name, String label) {
  static final List<RunOption> COMMON =
      List.of(
          of("scale", "PART"),
          of("database", "ID"),
          of(ScenarioOptions.KEY_SIZE, "SIZE"),
          of(ScenarioOptions.VALUE_SIZE, "SIZE"),
          of(ScenarioOptions.KEYS, "N"),
          of(ScenarioOptions.ORDER, "ORDER"),
          of(ScenarioOptions.READS, "KIND"),
          of(ScenarioOptions.RANGE, "KEYS"),
          of(ServerOptions.SETTING, "ID=VALUE"),
          of("endpoints", "HOST:PORT"),
          of("agents", "HOST:PORT"),
          of("agent.keys", "DIR"),
          of("run.name", "NAME"),
          of("keep.keys", ""),
          of(RunOptions.TABLE, ""),
          of(RunOptions.SUMMARY, ""),
          new RunOption(RunOptions.GATLING_REPORT, "--gatling", ""),
          of("metrics", "HOST:PORT"),
          of("realtime", ""),
          of("results", "DIR"),
          of("tls.ca", "FILE"),
          of("tls.certificate", "FILE"),
          of("tls.key", "FILE"),
          of("tls.name-check", "ON_OFF"),
          of("credentials", "FILE"),
          of("etcd.client", "CLIENT"),
          of("zookeeper.client", "CLIENT"),
          of("consul.client", "CLIENT"));

  /** The options of {@code quorate run} only. */
  static final List<RunOption> RUN =
      List.of(
          of(ScenarioOptions.CLIENTS, "N"),
          of(ScenarioOptions.REQUESTS, "N"),
          of(ScenarioOptions.DURATION, "TIME"),
          of(ScenarioOptions.RATE, "N"),
          of(ScenarioOptions.LIMIT, "LIMIT"),
          of(ScenarioOptions.COLD_START, ""),
          of(RunOptions.SAVE, "FILE"),
          of(RepeatOptions.REPEATS, "N"),
          of(RepeatOptions.SELF, "N"),
          of(RepeatOptions.AGAINST, "DIR"),
          of("fault.commands", "FILE"),
          of(ServerOptions.MAINTAIN, ""),
          of("shard", "I/N"),
          of("start-at", "TIME"),
          of("barrier", "DIR"),
          of("continue", "DIR"),
          of("retry", "failed"));

  /** The options of {@code quorate capacity} only. */
  static final List<RunOption> CAPACITY =
      List.of(
          new RunOption(CapacityOptions.LIMITS, "--limit", "LIMIT"),
          new RunOption(CapacityOptions.CONTINUE, "--continue", "RUN"),
          new RunOption(CapacityOptions.PRELOAD, "--preload", "SIZES"));

  static final List<String> PROPERTIES =
      Stream.concat(
              Stream.of("scenario"),
              Stream.concat(
                  Stream.of(COMMON, RUN, CAPACITY).flatMap(List::stream).map(RunOption::property),
                  Stream.of(CapacityOptions.SEARCH, CapacityOptions.LOAD)))
          .toList();

  /** The options that may be given several times. */
  private static final List<String> SEVERAL =
      List.of(CapacityOptions.LIMITS, ScenarioOptions.LIMIT, ServerOptions.SETTING);

  private static RunOption of(String property, String label) {
    return new RunOption(property, "--" + property.replace('.', '-'), label);
  }

  OptionSpec spec() {
    OptionSpec.Builder option = OptionSpec.builder(name).descriptionKey(property);
    if (label.isEmpty()) {
      return option.type(boolean.class).build();
    }
    boolean several = SEVERAL.contains(property);
    return option
        .paramLabel(label)
        .type(several ? List.class : String.class)
        .auxiliaryTypes(String.class)
        .build();
  }
}
