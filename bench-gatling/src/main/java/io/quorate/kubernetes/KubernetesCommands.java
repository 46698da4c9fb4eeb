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
      synopsisSubcommandLabel = "render",
      subcommands = RenderCommand.class,
      resourceBundle = "io.quorate.run.options.commands")
  static final class KubernetesCommand {}
}
