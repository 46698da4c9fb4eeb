package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.Program;
import io.quorate.store.Store;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which programs are there on this machine for this user, and where. Asks anew every time. */
public final class Installation {
  /** An executable that was found, and what led to it. */
  public record Found(Path executable, Source source) {}

  /** What leads to an executable, in the order of looking. */
  public enum Source {
    /** The environment variable of the program, such as {@code QUORATE_ETCD}. */
    VARIABLE,
    /** {@code ./quorate install}. */
    CACHE,
    PATH
  }

  private final Map<String, String> environment;
  private final Path userHome;

  /**
   * @param environment variables, as {@link System#getenv()} gives them
   * @param userHome the home directory of the user
   */
  public Installation(Map<String, String> environment, Path userHome) {
    this.environment = Map.copyOf(environment);
    this.userHome = userHome;
  }

  /** That of the user who runs this. */
  public static Installation ofThisUser() {
    return new Installation(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /** The variables that this was made with. */
  public Map<String, String> environment() {
    return environment;
  }

  /**
   * Where a program is.
   *
   * @throws QuorateException if the variable of the program is set to what cannot be run
   */
  public Optional<Found> find(Program program) {
    String explicit = variable(program.variable());
    if (!explicit.isEmpty()) {
      Path executable = path(program.variable(), explicit);
      if (!isExecutable(executable)) {
        throw new QuorateException(
            program.variable() + "=" + explicit + ": there is no executable file of that name");
      }
      return Optional.of(new Found(executable, Source.VARIABLE));
    }
    Path installed = directory(program).resolve(program.id());
    if (program.isInstallable() && isExecutable(installed)) {
      return Optional.of(new Found(installed, Source.CACHE));
    }
    return onPath(program.id()).map(executable -> new Found(executable, Source.PATH));
  }

  /**
   * Where a program is that cannot be done without.
   *
   * @throws QuorateException with {@link Program#missing()} if it is nowhere
   */
  public Path require(Program program) {
    return find(program)
        .map(Found::executable)
        .orElseThrow(() -> new QuorateException(program.missing()));
  }

  /** Why local servers of a database cannot be run, in one sentence; empty when they can. */
  public Optional<String> obstacle(Store database) {
    List<Program> missing =
        database.programs().stream().filter(each -> find(each).isEmpty()).toList();
    return missing.isEmpty() ? Optional.empty() : Optional.of(Program.missing(missing));
  }

  /** Whether local servers of a database can be run. */
  public boolean isRunnable(Store database) {
    return obstacle(database).isEmpty();
  }

  /** The directory of this user for what may be made again; need not exist. */
  public Path cache() {
    String own = variable("QUORATE_CACHE");
    if (!own.isEmpty()) {
      return path("QUORATE_CACHE", own);
    }
    // the specification of XDG says that a relative path is to be ignored
    String shared = variable("XDG_CACHE_HOME");
    Path base = shared.startsWith("/") ? Path.of(shared) : userHome.resolve(".cache");
    return base.resolve("quorate");
  }

  /** Where {@code ./quorate install} puts a program; need not exist. */
  Path directory(Program program) {
    return cache().resolve(program.id()).resolve(program.version());
  }

  /** The first executable of that name in the directories of PATH. */
  Optional<Path> onPath(String executable) {
    return Arrays.stream(variable("PATH").split(File.pathSeparator))
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, executable))
        .filter(Installation::isExecutable)
        .findFirst();
  }

  /** The value of an environment variable; empty if it is not set. */
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

  private static boolean isExecutable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
