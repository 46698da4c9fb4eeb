// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.ConsoleText;
import io.quorate.store.server.Program;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;
import org.apache.commons.io.function.IOSupplier;

/**
 * Installs a program at its pinned version into the cache of the user. Its source is a given file,
 * the vendor's release archive, a build from source, or Maven for jars. An installed version is
 * always complete: its directory appears in one step, after all files were written and the program
 * was run successfully.
 */
@SuppressWarnings("try") // the lock is held until it is closed, and has no methods to call
public final class Installer {
  private static final String ORIGIN = "origin.txt";

  /** Beginning of the origin of a program that is a file of the user. */
  private static final String GIVEN = "file ";

  private final Installation installation;
  private final Path modules;
  private final InstallOutput console;
  private final DownloadLimits limits;
  private final ProgramSource archive;
  private final ProgramSource build;
  private final ProgramSource jars;

  /**
   * Creates an installer.
   *
   * @param modules the read-only directory with {@code <program>/go.mod} and {@code go.sum}, or
   *     {@code pom.xml}, and {@code SHA256SUMS}
   * @param mirror mirror of the release archives, used instead of the vendors' servers
   * @param out receives progress and result
   * @param terminal whether the output is a terminal, which gets more lines of progress
   */
  public Installer(
      Installation installation,
      Path modules,
      Optional<Mirror> mirror,
      PrintWriter out,
      boolean terminal) {
    this(
        installation,
        modules,
        mirror,
        new InstallOutput(out, Duration.ofSeconds(terminal ? 1 : 10)),
        Platform.ofThisMachine(),
        DownloadLimits.DEFAULT);
  }

  Installer(
      Installation installation,
      Path modules,
      Optional<Mirror> mirror,
      InstallOutput console,
      Platform platform,
      DownloadLimits limits) {
    this.installation = installation;
    this.modules = modules;
    this.console = console;
    this.limits = limits;
    this.archive = new VendorArchive(modules, mirror, platform, limits, console);
    this.build = new GoBuild(installation, modules, console);
    this.jars = new MavenJars(installation, modules, console);
  }

  /**
   * Installs a program, unless it is installed already.
   *
   * @return the executable
   * @throws QuorateException if no source provides it, with the reason of each and advice; no
   *     incomplete files stay
   */
  public Path install(Program program) {
    Path executable = executable(program);
    if (isComplete(program, executable)) {
      return alreadyThere(program, executable);
    }
    if (program.isOwn()) {
      throw new QuorateException(
          "%s: '%s' is a name, not a version, so it stands for an own program: pass it with --from FILE"
              .formatted(program.name(), program.version()));
    }
    return locked(
        program,
        () ->
            isComplete(program, executable)
                ? alreadyThere(program, executable)
                : installFrom(sources(program), program));
  }

  /** Returns whether all is there that comes with a program; a file of the user may come alone. */
  private static boolean isComplete(Program program, Path executable) {
    return Installation.isUsable(program, executable)
        && (program.isOwn()
            || program.isOfJars()
            || origin(Objects.requireNonNull(executable.getParent()))
                .filter(from -> from.startsWith(GIVEN))
                .isPresent()
            || program.executables().stream()
                .map(executable::resolveSibling)
                .allMatch(Files::isExecutable));
  }

  /**
   * Installs a program from a file, replacing an installed one.
   *
   * @param file the executable, or a {@code .zip} or {@code .tar.gz} with it or the jars
   * @return the executable
   * @throws QuorateException if the file is invalid; the installed program stays
   */
  public Path install(Program program, Path file) {
    executable(program);
    ProgramSource given = new LocalArchive(file.toAbsolutePath().normalize(), modules, limits);
    return locked(program, () -> installFrom(List.of(given), program));
  }

  private List<ProgramSource> sources(Program program) {
    if (program.isOfJars()) {
      return List.of(jars);
    }
    return program.vendor().isPresent() ? List.of(archive, build) : List.of(build);
  }

  /**
   * Returns the origin of the program in a directory, with control characters escaped; empty if it
   * is not known.
   */
  static Optional<String> origin(Path directory) {
    return FileAction.attempt(
        () -> VisibleText.line(Files.readString(directory.resolve(ORIGIN)).strip()));
  }

  private Path locked(Program program, IOSupplier<Path> step) {
    Path lock = installation.directory(program).resolveSibling(".lock");
    try (LockFile held =
        LockFile.acquire(
            lock,
            () -> console.say("waiting for another install of %s to end ...", program.id()))) {
      return step.get();
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot install " + program.id() + ": " + Failure.reason(failure), failure);
    }
  }

  private Path installFrom(List<ProgramSource> tried, Program program) throws IOException {
    Path directory = installation.directory(program);
    console.say("installing %s %s", program.id(), program.version());
    List<String> failures = new ArrayList<>();
    try (Staging staging = Staging.in(Objects.requireNonNull(directory.getParent()))) {
      for (ProgramSource source : tried) {
        try {
          Path made = make(program, source, staging);
          Staging.publish(made, directory);
          console.say(
              "%s %s is installed: %s", program.id(), program.version(), executable(program));
          return executable(program);
        } catch (IOException failure) {
          failures.add(source.title() + ": " + Failure.reason(failure));
        } catch (QuorateException failure) {
          failures.add(source.title() + ": " + failure.getMessage());
        }
        if (failures.size() < tried.size()) {
          String failure = failures.get(failures.size() - 1);
          String next = tried.get(failures.size()).title();
          ConsoleText.wrapped("no %s; %s instead".formatted(failure, next))
              .forEach(line -> console.say("%s", line));
        }
      }
    }
    throw new QuorateException(noSource(program, failures));
  }

  private Path make(Program program, ProgramSource source, Staging staging) throws IOException {
    Path made = staging.fresh("made");
    String origin = source.supply(program, staging.fresh("work"), made);
    staging.fresh("work");
    if (program.isOfJars()) {
      PinnedChecksums.read(modules, program).requireAll(made);
    } else {
      ReportedVersion.check(program, made.resolve(program.file()));
    }
    Files.writeString(made.resolve(ORIGIN), origin + System.lineSeparator());
    return made;
  }

  private static String noSource(Program program, List<String> failures) {
    return String.format(
        Locale.ROOT,
        "cannot install %s %s:%n  %s%nFix one of these and retry. Or get %s elsewhere, and "
            + "pass it with ./quorate install %s --from FILE, %sor set %s to it.",
        program.id(),
        program.version(),
        String.join(System.lineSeparator() + "  ", failures),
        program.id(),
        program.name(),
        program.inVersion() ? "" : "put it on PATH, ",
        program.variable());
  }

  private Path alreadyThere(Program program, Path executable) {
    console.say("%s %s is already installed: %s", program.id(), program.version(), executable);
    return executable;
  }

  private Path executable(Program program) {
    if (!program.isInstallable()) {
      throw new QuorateException(program.id() + ": " + program.howToGet());
    }
    return installation.directory(program).resolve(program.file());
  }

  /**
   * Fetches the jars of a program with the Maven of this machine, using the user's settings and
   * repositories. Each has a pinned version and a pinned SHA-256 sum.
   */
  @SuppressWarnings(
      "try") // the progress is reported until it is closed, and has no methods to call
  record MavenJars(Installation installation, Path modules, InstallOutput console)
      implements ProgramSource {
    private static final String POM = "pom.xml";

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
      try (Closeable progress = console.progress(() -> "  still fetching ...")) {
        maven.run(
            "fetching the jars of " + program.id(),
            line -> {},
            List.of("-B", "-q", "dependency:copy", "-DoutputDirectory=" + into));
      }
      return "jars from Maven, as " + program.module() + "/" + POM + " pins them";
    }
  }

  /**
   * Installs a program from a file of the user: the executable, or an archive that contains it. The
   * user is responsible for its content; only a file with the name of a pinned archive must have
   * the pinned checksum. Jars come from an archive, and all of them are pinned.
   */
  record LocalArchive(Path file, Path modules, DownloadLimits limits) implements ProgramSource {
    @Override
    public String title() {
      return "the given file";
    }

    @Override
    public String supply(Program program, Path work, Path into) throws IOException {
      require(file);
      if (program.isOfJars()) {
        return jars(program, into);
      }
      if (!Archive.is(file)) {
        Path executable = into.resolve(program.id());
        try (InputStream in = Files.newInputStream(file)) {
          Files.copy(
              DownloadLimits.bounded(in, limits.unpackedBytes(), file.toString()), executable);
        }
        Staging.makeExecutable(executable);
        return GIVEN + file;
      }
      verify(program);
      List<String> found =
          Archive.extract(file, program.executables(), into, limits.unpackedBytes());
      if (!found.contains(program.id())) {
        throw new QuorateException(
            file + ": there is no " + program.id() + " at the top of the archive");
      }
      return "archive " + file;
    }

    static void require(Path file) {
      if (!Files.isRegularFile(file)) {
        throw new QuorateException(file + ": there is no file of that name");
      }
    }

    private String jars(Program program, Path into) throws IOException {
      List<String> wanted = PinnedChecksums.read(modules, program).files();
      if (file.toString().endsWith(".jar") || !Archive.is(file)) {
        throw new QuorateException(
            file + ": expected a .tar.gz or .zip with the " + wanted.size() + " jars of it");
      }
      Archive.extract(file, wanted, into, limits.unpackedBytes());
      return "archive " + file;
    }

    private void verify(Program program) throws IOException {
      String found = new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file);
      String name = file.getFileName().toString();
      String pinned = PinnedChecksums.read(modules, program).of(name).orElse(found);
      if (!pinned.equals(found)) {
        throw new QuorateException(
            file + ": its SHA-256 is not " + pinned + ", which is pinned for that name");
      }
    }
  }
}
