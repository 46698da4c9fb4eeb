// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.cli.QuorateCommand;
import picocli.CommandLine.Command;

/** The {@code quorate profile} command, which groups commands that turn traffic into scenarios. */
@Command(
    name = "profile",
    synopsisSubcommandLabel = "(etcd | zookeeper)",
    subcommands = {EtcdProfileCommand.class, ZooKeeperProfileCommand.class},
    resourceBundle = "io.quorate.run.options.commands")
public final class ProfileCommand extends QuorateCommand {}
