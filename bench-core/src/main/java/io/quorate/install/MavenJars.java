package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Fetches the jars of a program with the Maven of this machine, and so with the settings and from
 * the repositories of its user. Each has a pinned version and a pinned SHA-256 sum.
 */
@SuppressWarnings("try") // the progress is there until it is closed, not to be called
final class MavenJars implements ProgramSource {
  private static final String POM = "pom.xml";

  private final Installation installation;
  private final Path modules;
  private final InstallOutput console;

  MavenJars(Installation installation, Path modules, InstallOutput console) {
    this.installation = installation;
    this.modules = modules;
    this.console = console;
  }

  @Override
  public String title() {
    return "jars from Maven";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    Path executable =
        installation
            .onPath("mvn")
            .orElseThrow(
                () ->
                    new QuorateException(
                        "it needs Maven 3.8 or newer (https://maven.apache.org): there is no mvn"
                            + " on PATH"));
    Files.copy(modules.resolve(program.module()).resolve(POM), work.resolve(POM));
    BuildTool maven = new BuildTool("mvn", executable, work, installation.environment());
    console.say("fetching the jars of %s %s ...", program.id(), program.version());
    try (InstallOutput.Progress progress = console.progress(() -> "  still fetching ...")) {
      maven.run(
          "fetching the jars of " + program.id(),
          line -> {},
          List.of("-B", "-q", "dependency:copy", "-DoutputDirectory=" + into));
    }
    return "jars from Maven, as " + program.module() + "/" + POM + " pins them";
  }
}
