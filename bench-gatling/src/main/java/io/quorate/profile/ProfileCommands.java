// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.cli.CommandProvider;
import java.util.List;
import picocli.CommandLine.Command;

/** Provides the commands that turn existing traffic into scenarios. */
public final class ProfileCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new ProfileCommand());
  }

  @Command(
      name = "profile",
      synopsisSubcommandLabel = "(etcd | zookeeper)",
      subcommands = {EtcdProfileCommand.class, ZooKeeperProfileCommand.class},
      resourceBundle = "io.quorate.run.options.commands")
  static final class ProfileCommand {}
}
