// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Describes one kind of servers that members consist of: how they are run and queried, and how
 * their log is read.
 *
 * @param id name of such servers and of their logs, without their number
 * @param program program that has to be installed, if there is one
 * @param launcher creates the launcher with the locator of programs, which fails if the program is
 *     missing
 */
public record ServerKind(
    String id,
    Optional<Program> program,
    ServerProtocol protocol,
    ServerLog log,
    Function<ProgramLocator, ServerLauncher> launcher) {
  /** Describes servers that Quorate never starts, see {@link StoreServers#external()}. */
  public static ServerKind external(String id, ServerProtocol protocol) {
    return new ServerKind(
        id,
        Optional.empty(),
        protocol,
        line -> Optional.empty(),
        any -> {
          throw new IllegalStateException(id + " is never started");
        });
  }

  /** Describes servers whose program has to be installed. */
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
}
