// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** A group of options in the help of the commands that send load. */
enum OptionGroup {
  SERVERS("Servers", "database|setting|members|agents|agent-keys|(etcd|zookeeper|consul)-client"),
  CLUSTER(
      "Existing cluster and TLS",
      "endpoints|tls-.*|cert|cacert|credentials|keep-keys|yes|run-name|fault-commands|maintain"),
  KUBERNETES(
      "Kubernetes scenarios", "kubernetes|nodes|pods-per-node|pod-changes|api-servers|crd-size"),
  COMPARISON(
      "Repetition and comparison",
      "repeats|aa|against|baseline|order|until|max-repeats|fail-on|canary|continue|resume|retry|shard|start-at|barrier"),
  OTHERS(
      "Output and others",
      "table|summary|(nd)?json|watch|gatling|metrics|results|save|dry-run|price-per-hour|realtime|help|version|stacktrace|verbose"),
  LOAD("Load", ".*");

  /** The groups in the order of the help. */
  private static final List<OptionGroup> ORDER =
      List.of(LOAD, KUBERNETES, SERVERS, CLUSTER, COMPARISON, OTHERS);

  private final String title;
  private final String names;

  OptionGroup(String title, String names) {
    this.title = title;
    this.names = names;
  }

  /** Returns the first group with a name for an option; unknown ones are about the load. */
  private static OptionGroup of(OptionSpec option) {
    return Arrays.stream(values())
        .filter(group -> option.longestName().replaceFirst("^-+", "").matches(group.names))
        .findFirst()
        .orElseThrow();
  }

  /** Returns all visible options of a command, each group below its title. */
  static String list(Help help) {
    Map<OptionGroup, List<OptionSpec>> groups =
        help.commandSpec().options().stream()
            .filter(option -> !option.hidden())
            .collect(Collectors.groupingBy(OptionGroup::of));
    Function<OptionGroup, String> list =
        group -> {
          Help.Layout layout = help.createDefaultLayout();
          layout.addOptions(
              Objects.requireNonNull(groups.get(group)), help.createDefaultParamLabelRenderer());
          return String.format("%n%s:%n%s", group.title, layout);
        };
    return ORDER.stream().filter(groups::containsKey).map(list).collect(Collectors.joining());
  }
}
