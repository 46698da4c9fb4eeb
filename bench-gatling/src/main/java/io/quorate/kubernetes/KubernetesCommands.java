// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import io.quorate.cli.CommandProvider;
import java.util.List;
import picocli.CommandLine.Command;

/** Provides the commands for Kubernetes. */
public final class KubernetesCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new KubernetesCommand());
  }

  @Command(
      name = "kubernetes",
      description = "Prints the manifests of load generators that run on Kubernetes.",
      synopsisSubcommandLabel = "render",
      subcommands = RenderCommand.class,
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate kubernetes render --scenario ycsb-a --database etcd --shards 8 \\",
        "      --endpoints etcd-0.etcd:2379,etcd-1.etcd:2379 | kubectl apply -f -"
      })
  static final class KubernetesCommand {}
}
