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
      description = {
        "Writes a scenario that resembles existing traffic: mix, rate, sizes, watchers, sessions.",
        "The scenario contains no keys, values or paths. Its comments say what was measured, what"
            + " is derived, and what is assumed."
      },
      synopsisSubcommandLabel = "(etcd | zookeeper)",
      subcommands = {EtcdProfileCommand.class, ZooKeeperProfileCommand.class},
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate profile etcd --endpoints 10.0.0.1:2379 --output mine.yaml",
        "  ./quorate profile zookeeper /var/lib/zookeeper --reads 900/s",
        "  ./quorate run mine.yaml"
      })
  static final class ProfileCommand {}
}
