// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.store.Store;
import io.quorate.store.server.JavaRuntime;
import io.quorate.store.server.Program;
import io.quorate.store.server.ProgramLocator;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Finds the programs that this user has installed. Searches at every call.
 *
 * @param expected programs that a run installs before it needs them, so that their absence is not
 *     an obstacle
 */
public record Installation(
    Map<String, String> environment, Path userHome, JavaRuntime java, Set<Program> expected)
    implements ProgramLocator {
  /** An executable that was found, and where it was found. */
  public record Found(Path executable, Source source) {}

  /** Places where an executable is found, in search order. */
  public enum Source {
    /** The environment variable of the program, such as {@code QUORATE_ETCD}. */
    VARIABLE,
    /** {@code ./quorate install}. */
    CACHE,
    PATH
  }

  public Installation {
    environment = Map.copyOf(environment);
    expected = Set.copyOf(expected);
  }

  public Installation(Map<String, String> environment, Path userHome, JavaRuntime java) {
    this(environment, userHome, java, Set.of());
  }

  public static Installation of(Map<String, String> environment, Properties properties) {
    return new Installation(
        environment, Path.of(properties.getProperty("user.home", "")), JavaRuntime.of(properties));
  }

  /** Finds a program; fails if its variable names a file that cannot be run. */
  public Optional<Found> find(Program program) {
    String explicit = variable(program.variable());
    if (!explicit.isEmpty()) {
      Path executable = path(program.variable(), explicit);
      if (!isUsable(program, executable)) {
        throw new QuorateException(
            "%s=%s: there is no %s of that name"
                .formatted(
                    program.variable(), explicit, program.isOfJars() ? "jar" : "executable file"));
      }
      return Optional.of(new Found(executable, Source.VARIABLE));
    }
    Path installed = directory(program).resolve(program.file());
    if (program.isInstallable() && isUsable(program, installed)) {
      return Optional.of(new Found(installed, Source.CACHE));
    }
    return program.inVersion()
        ? Optional.empty()
        : onPath(program.id()).map(executable -> new Found(executable, Source.PATH));
  }

  @Override
  public Path require(Program program) {
    return find(program)
        .map(Found::executable)
        .orElseThrow(() -> new QuorateException(program.missing()));
  }

  @Override
  public String version(Program program) {
    return find(program)
        .filter(found -> found.source() != Source.CACHE || program.isOwn())
        .flatMap(
            found ->
                FileAction.attempt(() -> ReportedVersion.of(program, found.executable()))
                    .orElse(Optional.empty()))
        .orElse(program.version());
  }

  /**
   * Returns the reason why local servers of a database cannot be run, in one sentence; empty if
   * they can.
   */
  public Optional<String> obstacle(Store database) {
    StoreServers servers = Stores.servers(database);
    List<Program> missing =
        servers.programs().stream()
            .filter(each -> !expected.contains(each) && find(each).isEmpty())
            .toList();
    return missing.isEmpty() ? servers.obstacleToStart() : Optional.of(Program.missing(missing));
  }

  /** Returns the cache directory of this user; need not exist. */
  public Path cache() {
    String own = variable("QUORATE_CACHE");
    if (!own.isEmpty()) {
      return path("QUORATE_CACHE", own);
    }
    // the specification of XDG requires that relative paths are ignored
    String shared = variable("XDG_CACHE_HOME");
    Path base = shared.startsWith("/") ? Path.of(shared) : userHome.resolve(".cache");
    return base.resolve("quorate");
  }

  /** Returns the directory into which {@code ./quorate install} puts a program; need not exist. */
  Path directory(Program program) {
    return cache().resolve(program.id()).resolve(program.version());
  }

  Optional<Path> onPath(String executable) {
    return Arrays.stream(variable("PATH").split(File.pathSeparator))
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, executable))
        .filter(Installation::isExecutable)
        .findFirst();
  }

  String variable(String name) {
    return environment.getOrDefault(name, "");
  }

  private static Path path(String variable, String text) {
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException wrong) {
      throw new QuorateException(variable + "=" + text + ": not a path", wrong);
    }
  }

  static boolean isUsable(Program program, Path file) {
    return program.isOfJars() ? Files.isRegularFile(file) : isExecutable(file);
  }

  private static boolean isExecutable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** Returns a text without the environment, which may contain secrets. */
  @Override
  public String toString() {
    return "the programs of " + userHome;
  }
}
