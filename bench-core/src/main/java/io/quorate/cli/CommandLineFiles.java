package io.quorate.cli;

import io.quorate.install.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine;

/**
 * Writes the files of a distribution that describe the command line: {@code completion/quorate.sh}
 * for shells, and {@code man/man1/*.1} for {@code man}.
 */
public final class CommandLineFiles {
  private CommandLineFiles() {}

  /** Writes them into the directory that is the only argument. */
  public static void main(String... arguments) throws IOException {
    // what is installed here, and for whom, is in none of them
    CommandLine commands = Quorate.commandLine(Installation.of(Map.of(), new Properties()));
    for (Map.Entry<String, String> file : files(commands).entrySet()) {
      Path path = Path.of(arguments[0]).resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  /** Returns the texts by the paths of their files. */
  static Map<String, String> files(CommandLine commands) throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put("completion/quorate.sh", CompletionCommand.script(commands));
    String version = new BuildVersion().getVersion()[0].replaceFirst(" \\(.*", "");
    addPages(commands, version, files);
    return files;
  }

  private static void addPages(CommandLine command, String version, Map<String, String> files) {
    ManualPage page = new ManualPage(command.getCommandSpec(), version);
    files.put("man/man1/" + page.name() + ".1", page.text());
    command.getSubcommands().values().forEach(each -> addPages(each, version, files));
  }
}
