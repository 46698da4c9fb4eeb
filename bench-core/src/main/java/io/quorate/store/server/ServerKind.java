package io.quorate.store.server;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Describes the servers of one kind that members are made of: how each is run, how asked, and what
 * its log says.
 */
public final class ServerKind {
  private final String id;
  private final Optional<Program> program;
  private final ServerProtocol protocol;
  private final ServerLog log;
  private final Function<ProgramLocator, ServerLauncher> launcher;

  private ServerKind(
      String id,
      Optional<Program> program,
      ServerProtocol protocol,
      ServerLog log,
      Function<ProgramLocator, ServerLauncher> launcher) {
    this.id = id;
    this.program = program;
    this.protocol = protocol;
    this.log = log;
    this.launcher = launcher;
  }

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

  /** Describes servers of a program of jars, which run in a Java virtual machine each. */
  public static ServerKind ofJars(
      Program program,
      Function<JavaRuntime, ServerLauncher> launcher,
      ServerProtocol protocol,
      ServerLog log) {
    return new ServerKind(
        program.id(),
        Optional.of(program),
        protocol,
        log,
        installed -> launcher.apply(installed.java().withJarsBeside(installed.require(program))));
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

  /** Returns the name of such servers and of their logs, without their number. */
  public String id() {
    return id;
  }

  /** Returns the program that has to be installed, if there is one. */
  public Optional<Program> program() {
    return program;
  }

  /** Returns the way in which such a server is asked. */
  public ServerProtocol protocol() {
    return protocol;
  }

  /** Returns the meaning of the lines of its log. */
  public ServerLog log() {
    return log;
  }

  /**
   * Returns the way in which such a server is run here.
   *
   * @param installed finds what it is run with, or throws if that is not there
   */
  public ServerLauncher launcher(ProgramLocator installed) {
    return launcher.apply(installed);
  }
}
