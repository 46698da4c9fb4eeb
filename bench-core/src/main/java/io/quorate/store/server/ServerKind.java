package io.quorate.store.server;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Describes the servers of one kind that members are made of: how each is run, how asked, and what
 * its log says.
 *
 * @param id the name of such servers and of their logs, without their number
 * @param program that has to be installed, if there is one
 * @param protocol how such a server is asked
 * @param log the meaning of the lines of its log
 * @param launcher runs such a server with what the locator finds, which throws if it is missing
 */
public record ServerKind(
    String id,
    Optional<Program> program,
    ServerProtocol protocol,
    ServerLog log,
    Function<ProgramLocator, ServerLauncher> launcher) {
  /** Describes servers that are processes of a program, which has to be installed. */
  public static ServerKind of(
      Program program,
      Function<Path, ServerLauncher> launcher,
      ServerProtocol protocol,
      ServerLog log) {
    return new ServerKind(
        program.id(),
        Optional.of(program),
        protocol,
        log,
        installed -> launcher.apply(installed.require(program)));
  }

  /** Describes servers that Quorate brings along, which run in a Java virtual machine each. */
  public static ServerKind bundled(
      String id,
      Function<JavaRuntime, ServerLauncher> launcher,
      ServerProtocol protocol,
      ServerLog log) {
    return new ServerKind(
        id, Optional.empty(), protocol, log, installed -> launcher.apply(installed.java()));
  }

  public ServerLauncher launcher(ProgramLocator installed) {
    return launcher.apply(installed);
  }
}
