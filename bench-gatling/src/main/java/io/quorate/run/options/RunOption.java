// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.scenario.yaml.ScenarioOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
          of(ScenarioOptions.KEY_DISTRIBUTION, "NAME"),
          of(ScenarioOptions.CONSISTENCY, "KIND"),
          of(ScenarioOptions.RANGE, "KEYS"),
          of(ScenarioOptions.CONNECTIONS, "N"),
          of(ScenarioOptions.WARM_UP, "N"),
          of(ScenarioOptions.TIMEOUT, "TIME"),
          of(ScenarioOptions.SEED, "N"),
          of(ScenarioOptions.MEMBERS, "N"),
          of(ScenarioOptions.KUBERNETES, "VERSION"),
          of("nodes", "N"),
          of("pods.per.node", "N"),
          of("pod.changes", "N"),
          of("api.servers", "N"),
          of("crd.size", "SIZE"),
          of(ServerOptions.SETTING, "ID=VALUE"),
          of("endpoints", "HOST:PORT"),
          of("agents", "HOST:PORT"),
          of("agent.keys", "DIR"),
          of("run.name", "NAME"),
          of("keep.keys", ""),
          of(ServerOptions.YES, ""),
          of(RunOptions.TABLE, ""),
          of(RunOptions.SUMMARY, ""),
          of(RunOptions.JSON, ""),
          of(RunOptions.NDJSON, ""),
          of(RunOptions.WATCH, "HOST:PORT"),
          new RunOption(RunOptions.GATLING_REPORT, "--gatling", ""),
          of("metrics", "HOST:PORT"),
          of(RunOptions.PRICE, "PRICE"),
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
          of(ScenarioOptions.DATA_SIZE, "SIZES"),
          of(ScenarioOptions.THRESHOLD, "THRESHOLD"),
          of(ScenarioOptions.COLD_START, ""),
          of(RunOptions.SAVE, "FILE"),
          of(RunOptions.FULL, ""),
          of(RepeatOptions.REPEATS, "N"),
          of(RepeatOptions.SELF, "N"),
          of(RepeatOptions.BASELINE, "DIR"),
          new RunOption(RepeatOptions.ORDER, "--order", "ORDER"),
          of(RepeatOptions.UNTIL, "decided"),
          of(RepeatOptions.MAX_REPEATS, "N"),
          of(RepeatOptions.FAIL_ON, "RULE"),
          of(RepeatOptions.CANARY, "TIME"),
          of("fault.commands", "FILE"),
          of(ServerOptions.MAINTAIN, ""),
          of("shard", "I/N"),
          of("start-at", "TIME"),
          of("barrier", "DIR"),
          of(RunOptions.RESUME, "DIR"),
          of("retry", "failed"));

  /** The options of {@code quorate capacity} only. */
  static final List<RunOption> CAPACITY =
      List.of(
          new RunOption(CapacityOptions.THRESHOLDS, "--threshold", "THRESHOLD"),
          new RunOption(CapacityOptions.RESUME, "--resume", "RUN"),
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
      List.of(
          CapacityOptions.THRESHOLDS,
          ScenarioOptions.THRESHOLD,
          ServerOptions.SETTING,
          RepeatOptions.FAIL_ON);

  /**
   * A name of an option in earlier versions.
   *
   * @param property name as a property
   * @param name name on the command line; empty if another option has it now
   * @param now the property of the option
   */
  private record OlderName(String property, String name, String now) {}

  private static final List<OlderName> OLDER_NAMES =
      List.of(
          new OlderName("order", "", ScenarioOptions.KEY_DISTRIBUTION),
          new OlderName("reads", "--reads", ScenarioOptions.CONSISTENCY),
          new OlderName("limit", "--limit", ScenarioOptions.THRESHOLD),
          new OlderName("against", "--against", RepeatOptions.BASELINE),
          new OlderName("continue", "--continue", RunOptions.RESUME),
          new OlderName("capacity.limits", "--limit", CapacityOptions.THRESHOLDS),
          new OlderName("capacity.continue", "--continue", CapacityOptions.RESUME));

  /** The names of properties by those that they had in earlier versions. */
  static final Map<String, String> OLDER =
      OLDER_NAMES.stream().collect(Collectors.toMap(OlderName::property, OlderName::now));

  /** The names of options on the command line that etcd's tools have for them. */
  private static final Map<String, String> OF_ETCD =
      Map.of("tls.ca", "--cacert", "tls.certificate", "--cert", "tls.key", "--key");

  private static RunOption of(String property, String label) {
    return new RunOption(property, "--" + property.replace('.', '-'), label);
  }

  /** Returns the option, and a hidden one for each of its older names. */
  List<OptionSpec> specs() {
    List<String> names =
        Stream.concat(Stream.of(name), Stream.ofNullable(OF_ETCD.get(property))).toList();
    return Stream.concat(
            Stream.of(spec(false, names.toArray(String[]::new))),
            OLDER_NAMES.stream()
                .filter(older -> older.now.equals(property) && !older.name.isEmpty())
                .map(older -> spec(true, older.name)))
        .toList();
  }

  private OptionSpec spec(boolean hidden, String... names) {
    OptionSpec.Builder option = OptionSpec.builder(names).descriptionKey(property).hidden(hidden);
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
