// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.format.Problems;
import io.quorate.install.Installation;
import io.quorate.install.Installer;
import io.quorate.install.Mirror;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "install", resourceBundle = "io.quorate.cli.commands")
final class InstallCommand extends QuorateCommand implements Runnable {
  private final Installation installation;

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM",
      descriptionKey = "program",
      completionCandidates = Ids.class)
  private List<String> programs = List.of();

  @Option(names = "--all")
  private boolean all;

  @Option(names = "--from", paramLabel = "FILE")
  private @Nullable Path from;

  @Option(names = "--mirror", paramLabel = "URL")
  private @Nullable String mirror;

  InstallCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public void run() {
    if (all != programs.isEmpty()) {
      throw wrongUsage("Name what to install, or --all: one of the two.");
    }
    List<Program> wanted =
        all ? Stores.installable() : programs.stream().distinct().map(this::program).toList();
    if (from != null && wanted.size() != 1) {
      throw wrongUsage("--from is for one program.");
    }
    Path modules = Path.of(System.getProperty("quorate.home", ".")).resolve("src/databases");
    // the launcher knows; System.console() would also ask about standard input
    boolean terminal = Boolean.getBoolean("quorate.terminal");
    Optional<Mirror> source =
        mirror == null ? Mirror.of(installation) : Optional.of(Mirror.at("--mirror", mirror));
    Installer installer = new Installer(installation, modules, source, out(), terminal);
    Problems problems = new Problems();
    for (Program program : wanted) {
      problems.attempt(
          () -> from == null ? installer.install(program) : installer.install(program, from));
    }
    problems.throwIfAny();
  }

  // not a converter: picocli reports a value that a converter refuses only as superfluous
  private Program program(String id) {
    Stores.byId(id)
        .map(Stores::servers)
        .filter(servers -> servers.programs().isEmpty())
        .flatMap(StoreServers::bundled)
        .ifPresent(
            bundled -> {
              throw wrongUsage("'%s' needs no installing: %s".formatted(id, bundled.origin()));
            });
    Stores.byId(id)
        .flatMap(store -> Stores.servers(store).obstacleToStart())
        .ifPresent(
            why -> {
              throw wrongUsage("'%s' cannot be installed: %s".formatted(id, why));
            });
    return Stores.program(id)
        .orElseThrow(
            () ->
                wrongUsage(
                    VisibleText.quoted(id)
                        + " cannot be installed; expected one of: "
                        + String.join(", ", new Ids())
                        + (id.indexOf('@') > 0 ? versions() : "")
                        + Spelling.hint(
                            Stores.installable().stream().map(Program::id).toList(), id)));
  }

  private static String versions() {
    return Stores.versions().stream()
        .filter(store -> !Stores.servers(store).programs().isEmpty())
        .map(Store::id)
        .collect(Collectors.joining(", ", "; or a version: ", ""));
  }

  static final class Ids implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stores.installable().stream().map(Program::id).iterator();
    }
  }
}
