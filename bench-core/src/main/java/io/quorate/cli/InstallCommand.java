package io.quorate.cli;

import io.quorate.install.Installation;
import io.quorate.install.Installer;
import io.quorate.install.Program;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "install",
    description = {
      "Builds servers from pinned sources with the Go toolchain, into your cache"
          + " (QUORATE_CACHE, or ~/.cache/quorate).",
      "ZooKeeper needs no installing: its jars come with Quorate. A program of your own is used"
          + " instead when it is on PATH or when QUORATE_ETCD names it."
    },
    footerHeading = "%nExample:%n",
    footer = "  ./quorate install etcd    etcd and etcdctl; about two minutes, needs Go")
final class InstallCommand implements Runnable {
  private final Installation installation;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      completionCandidates = Ids.class,
      converter = ById.class,
      description = "What to install: ${COMPLETION-CANDIDATES}.")
  private List<Program> programs;

  InstallCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public void run() {
    Path modules = Path.of(System.getProperty("quorate.home", ".")).resolve("src/databases");
    // the launcher knows; System.console() would also ask about standard input
    boolean terminal = Boolean.getBoolean("quorate.terminal");
    Installer installer =
        new Installer(installation, modules, spec.commandLine().getOut(), terminal);
    new LinkedHashSet<>(programs).forEach(installer::install);
  }

  static final class Ids implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Program.values()).map(Program::id).iterator();
    }
  }

  static final class ById implements ITypeConverter<Program> {
    @Override
    public Program convert(String id) {
      return Program.byId(id)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'"
                          + id
                          + "' cannot be installed; expected one of: "
                          + String.join(", ", new Ids())));
    }
  }
}
