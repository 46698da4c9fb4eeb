// SPDX-License-Identifier: Apache-2.0
package io.quorate.kubernetes;

import io.quorate.cli.QuorateCommand;
import picocli.CommandLine.Command;

/** The {@code quorate kubernetes} command, which groups commands for Kubernetes. */
@Command(
    name = "kubernetes",
    synopsisSubcommandLabel = "render",
    subcommands = RenderCommand.class,
    resourceBundle = "io.quorate.run.options.commands")
public final class KubernetesCommand extends QuorateCommand {}
