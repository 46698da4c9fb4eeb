// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.Shard;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The directory of one run of a scenario, {@code results/<scenario>/<run>/}, with one directory per
 * database in it. See {@code results/README.md}.
 *
 * @param path absolute path
 */
public record RunDirectory(Path path) {
  private static final DateTimeFormatter ID =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final String RESULTS = "quorate.results";
  private static final String HOME = "quorate.home";

  public RunDirectory {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * Returns the default directory of all results: {@code results} of the checkout, or of the
   * working directory of a distribution's launcher.
   *
   * @param properties system properties, see {@link System#getProperties()}
   */
  public static Path allResults(Properties properties) {
    String named = properties.getProperty(RESULTS, "");
    Path results =
        named.isEmpty()
            ? Path.of(properties.getProperty(HOME, "")).resolve("results")
            : Path.of(named);
    return results.toAbsolutePath();
  }

  /**
   * Creates the directory of a new run. Its name is the time in UTC, followed by {@code
   * -scale-0.01} if not the whole scenario is run, and by {@code -2}, {@code -3}, ... if it was
   * taken.
   *
   * @param results the directory of all results, created if it is missing
   * @param scale 1 for all requests of the scenario
   */
  public static RunDirectory create(Path results, String scenario, double scale, Instant start) {
    return create(results, scenario, scale, Shard.WHOLE, start);
  }

  /** Creates the directory of a new run, whose name ends with {@code -shard-3-of-8} for a shard. */
  public static RunDirectory create(
      Path results, String scenario, double scale, Shard shard, Instant start) {
    Path parent = DatabaseDirectory.make(child(results, scenario));
    String id =
        ID.format(start)
            + (scale == 1 ? "" : "-scale-" + NumberFormats.shortest(scale))
            + (shard.isWhole() ? "" : "-shard-%d-of-%d".formatted(shard.number(), shard.count()));
    for (int attempt = 1; ; attempt++) {
      Path path = parent.resolve(attempt == 1 ? id : id + "-" + attempt);
      try {
        return new RunDirectory(Files.createDirectory(path));
      } catch (FileAlreadyExistsException taken) {
        continue;
      } catch (IOException impossible) {
        throw new QuorateException(
            parent + ": cannot be made: " + DiskSpace.reason(parent, impossible), impossible);
      }
    }
  }

  /**
   * Returns the directory of an existing run.
   *
   * @throws QuorateException if there is no such directory
   */
  public static RunDirectory open(Path path) {
    if (!Files.isDirectory(path)) {
      throw new QuorateException(
          path + ": is not a directory. Pass the directory of a run: results/<scenario>/<run>");
    }
    return new RunDirectory(path);
  }

  public String id() {
    return path.getFileName() == null ? "" : path.getFileName().toString();
  }

  public DatabaseDirectory createDatabase(String id) {
    return new DatabaseDirectory(DatabaseDirectory.make(child(path, id)));
  }

  private static Path child(Path parent, String name) {
    Path child = parent.resolve(name).toAbsolutePath().normalize();
    if (name.isBlank() || !parent.toAbsolutePath().normalize().equals(child.getParent())) {
      throw new QuorateException("'" + name + "': expected a name that a directory can have");
    }
    return child;
  }

  /** Returns the directories of databases that have a manifest, ordered by name. */
  public List<DatabaseDirectory> databases() {
    return DatabaseDirectory.entries(path).stream()
        .map(DatabaseDirectory::new)
        .filter(directory -> Files.exists(directory.manifest()))
        .toList();
  }

  /**
   * Returns the directories of databases without a manifest, ordered by name: the run was killed
   * before it was written, or a user removed it.
   */
  public List<Path> withoutManifest() {
    // the plan, which older runs do not have, is written before the servers start
    boolean isRun = Files.exists(path.resolve(RunPlan.NAME)) || !databases().isEmpty();
    return DatabaseDirectory.directories(path).stream()
        .filter(entry -> !entry.equals(plots()) && !ImportedRun.isIn(entry))
        .map(DatabaseDirectory::new)
        .filter(directory -> !Files.exists(directory.manifest()))
        .filter(directory -> directory.isOfRun(isRun))
        .map(DatabaseDirectory::path)
        .toList();
  }

  /** Returns whether a file of a run or of its report has this name, so that no column can. */
  public static boolean isOwn(String name) {
    RunDirectory run = new RunDirectory(Path.of(""));
    return Stream.of(
            run.tableText(),
            run.tableCsv(),
            run.resultJson(),
            run.junitXml(),
            run.page(),
            run.plots(),
            run.path.resolve("card.png"),
            run.path.resolve("faults.csv"),
            run.path.resolve(RunPlan.NAME))
        .anyMatch(run.path.resolve(name)::equals);
  }

  List<Path> imports() {
    return DatabaseDirectory.entries(path).stream().filter(ImportedRun::isIn).toList();
  }

  public Path tableText() {
    return path.resolve("all-aggregated.txt");
  }

  public Path tableCsv() {
    return path.resolve("all-aggregated.csv");
  }

  public Path resultJson() {
    return path.resolve("result.json");
  }

  /** Returns the file of the limits of the scenario, as JUnit's XML. */
  public Path junitXml() {
    return path.resolve("junit.xml");
  }

  public Path page() {
    return path.resolve("index.html");
  }

  public Path plots() {
    return path.resolve("plots");
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
