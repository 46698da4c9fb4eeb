package io.quorate.store;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Describes the servers of one kind that members are made of: how each is run, and how asked. */
public final class ServerKind {
  private final String id;
  private final Optional<Program> program;
  private final ServerProtocol protocol;
  private final Function<Function<Program, Path>, ServerLauncher> launcher;

  private ServerKind(
      String id,
      Optional<Program> program,
      ServerProtocol protocol,
      Function<Function<Program, Path>, ServerLauncher> launcher) {
    this.id = id;
    this.program = program;
    this.protocol = protocol;
    this.launcher = launcher;
  }

  /** Describes servers that are processes of a program, which has to be installed. */
  public static ServerKind of(
      Program program, Function<Path, ServerLauncher> launcher, ServerProtocol protocol) {
    return new ServerKind(
        program.id(),
        Optional.of(program),
        protocol,
        installed -> launcher.apply(installed.apply(program)));
  }

  /** Describes servers that Quorate brings along. */
  public static ServerKind bundled(
      String id, Supplier<ServerLauncher> launcher, ServerProtocol protocol) {
    return new ServerKind(id, Optional.empty(), protocol, installed -> launcher.get());
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

  /**
   * Returns the way in which such a server is run here.
   *
   * @param installed finds the executable of a program, or throws if it is not there
   */
  public ServerLauncher launcher(Function<Program, Path> installed) {
    return launcher.apply(installed);
  }
}
