// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.install.Installation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * An archive of the classes that load generators load, so that they start about a second faster
 * (class data sharing of the JVM). The first run of a build lists the classes, and a separate
 * process makes the archive after that run. Without an archive load generators start as usual.
 *
 * @param file the archive, in the cache; its name depends on the JVM, its options and the jars
 */
record ClassArchive(Path file) {
  private static final int DUMP_SECONDS = 60;
  private static final int KEPT = 3;
  private static final String SUFFIX = ".jsa";

  /** Returns the archive of this build; empty if the class path has directories. */
  static Optional<ClassArchive> ofThisBuild() {
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    StringBuilder key = new StringBuilder(System.getProperty("java.vm.version"));
    key.append(LoadGenerator.jvmArguments());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      try {
        if (!Files.isRegularFile(jar)) {
          return Optional.empty();
        }
        key.append(entry).append(Files.size(jar)).append(Files.getLastModifiedTime(jar));
      } catch (IOException unreadable) {
        return Optional.empty();
      }
    }
    String name = DigestUtils.sha256Hex(key.toString()).substring(0, 32) + SUFFIX;
    return Optional.of(new ClassArchive(installation.cache().resolve("classes").resolve(name)));
  }

  /**
   * Returns the arguments of a JVM that uses the archive or, if it is missing, lists its classes.
   */
  List<String> arguments() {
    if (Files.isRegularFile(file)) {
      return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file);
    }
    try {
      Files.createDirectories(file.getParent());
      return List.of("-XX:DumpLoadedClassList=" + classes());
    } catch (IOException noCache) {
      return List.of();
    }
  }

  private Path classes() {
    return file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + ".lst");
  }

  /** Makes the archive from the list of a load generator, if there is one. A failure is ignored. */
  void make() throws InterruptedException {
    Path list = classes();
    Path made = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
    try {
      if (!Files.exists(list) || Files.exists(file)) {
        return;
      }
      Console.lines("storing the classes of the load generator, once, so that it starts faster");
      Process dump =
          new ProcessBuilder(
                  LoadGenerator.command(
                      List.of(
                          "-Xshare:dump",
                          "-XX:SharedClassListFile=" + list,
                          "-XX:SharedArchiveFile=" + made)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        if (dump.waitFor(DUMP_SECONDS, TimeUnit.SECONDS) && dump.exitValue() == 0) {
          removeOthers();
          Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        }
      } finally {
        dump.destroyForcibly();
      }
    } catch (IOException impossible) {
      // the next load generator starts without it
    } finally {
      remove(list);
      remove(made);
    }
  }

  /** Removes the archives of earlier builds but for the latest ones. */
  private void removeOthers() throws IOException {
    try (Stream<Path> others = Files.list(file.getParent())) {
      others
          .filter(each -> each.toString().endsWith(SUFFIX))
          .sorted(Comparator.comparing((Path each) -> each.toFile().lastModified()).reversed())
          .skip(KEPT)
          .forEach(ClassArchive::remove);
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException inUse) {
      // it is replaced by the next build
    }
  }
}
