package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Installs a program at its pinned version into the cache of the user: from a given file, else from
 * the vendor's release archive, else built from source; or its jars, with Maven. What is there is
 * complete: the directory of a version appears in one step, after everything in it was made and the
 * program was seen to run.
 */
@SuppressWarnings("try") // the lock is there until it is closed, not to be called
public final class Installer {
  private final Installation installation;
  private final Path modules;
  private final InstallOutput console;
  private final DownloadLimits limits;
  private final ProgramSource archive;
  private final ProgramSource build;
  private final ProgramSource jars;

  /**
   * @param modules the directory that has {@code <program>/go.mod} and {@code go.sum}, or {@code
   *     pom.xml}, and {@code SHA256SUMS}; only read
   * @param mirror from which release archives come, instead of from their vendors
   * @param out for progress and the outcome
   * @param terminal whether somebody looks on: more lines of progress
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
        new InstallOutput(out, InstallOutput.interval(terminal)),
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
   * @throws QuorateException if no source has it, with the reason of each and what to do; nothing
   *     half-made stays
   */
  public Path install(Program program) {
    Path executable = executable(program);
    if (Installation.isUsable(program, executable)) {
      return alreadyThere(program, executable);
    }
    return locked(
        program,
        () ->
            Installation.isUsable(program, executable)
                ? alreadyThere(program, executable)
                : installFrom(sources(program), program));
  }

  /**
   * Installs a program from a file, replacing an installed one.
   *
   * @param file the executable, or a {@code .zip} or {@code .tar.gz} that has it or the jars
   * @return the executable
   * @throws QuorateException if the file is not what it should be; what was there stays
   */
  public Path install(Program program, Path file) {
    executable(program);
    ProgramSource given = new LocalArchive(file, modules, limits);
    return locked(program, () -> installFrom(List.of(given), program));
  }

  private List<ProgramSource> sources(Program program) {
    if (program.isOfJars()) {
      return List.of(jars);
    }
    return program.vendor().isPresent() ? List.of(archive, build) : List.of(build);
  }

  private interface Step {
    Path run() throws IOException;
  }

  private Path locked(Program program, Step step) {
    Path lock = installation.directory(program).resolveSibling(".lock");
    try (LockFile held =
        LockFile.acquire(
            lock,
            () -> console.say("waiting for another install of %s to end ...", program.id()))) {
      return step.run();
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot install " + program.id() + ": " + Failure.reason(failure), failure);
    }
  }

  private Path installFrom(List<ProgramSource> tried, Program program) throws IOException {
    Path directory = installation.directory(program);
    console.say("installing %s %s", program.id(), program.version());
    List<String> failures = new ArrayList<>();
    try (Staging staging = Staging.in(directory.getParent())) {
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
          console.say("no %s", failures.get(failures.size() - 1));
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
    InstallRecord.write(made, origin);
    return made;
  }

  private static String noSource(Program program, List<String> failures) {
    return String.format(
        Locale.ROOT,
        "cannot install %s %s:%n  %s%n"
            + "Put one of these right and run it again. Or get %s elsewhere, and give it with"
            + " ./quorate install %s --from FILE, %sor set %s to it.",
        program.id(),
        program.version(),
        String.join(System.lineSeparator() + "  ", failures),
        program.id(),
        program.name(),
        program.isInAnyVersion() ? "put it on PATH, " : "",
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
}
