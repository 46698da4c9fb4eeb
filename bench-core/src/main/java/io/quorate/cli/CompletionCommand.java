// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.install.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints the script that completes the command line; the build puts it into the distribution. */
@Command(name = "completion", resourceBundle = "io.quorate.cli.commands")
public final class CompletionCommand extends QuorateCommand implements Runnable {
  CompletionCommand() {}

  /** Writes the script to the file that is the only argument. */
  public static void main(String... arguments) throws IOException {
    // the script must not depend on programs that are installed on the build machine
    CommandLine commands = Quorate.commandLine(Installation.of(Map.of(), new Properties()));
    Path file = Path.of(arguments[0]);
    Files.createDirectories(file.getParent());
    Files.writeString(file, AutoComplete.bash(commands.getCommandName(), commands));
  }

  @Override
  public void run() {
    out().print(AutoComplete.bash(spec().root().name(), spec().root().commandLine()));
    out().flush();
  }
}
