// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.QuorateException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Selects the jars of this JVM that a ZooKeeper server needs, without Quorate's jars and logging
 * settings. Maven and Surefire may use a class path of one jar, whose manifest names the others.
 */
public final class ServerClassPath {
  /**
   * Artifacts of the jars; two of them are required although they are {@code provided} in
   * ZooKeeper's pom.
   */
  private static final List<String> ARTIFACTS =
      List.of(
          "zookeeper",
          "zookeeper-jute",
          "netty-[a-z-]+",
          "slf4j-api",
          "logback-classic",
          "logback-core",
          "slf4j-reload4j",
          "reload4j",
          "metrics-core",
          "snappy-java",
          "commons-io",
          "audience-annotations");

  private static final Pattern NEEDED =
      Pattern.compile("(" + String.join("|", ARTIFACTS) + ")-\\d[^/]*\\.jar");

  private static final List<String> ESSENTIAL =
      List.of("zookeeper", "zookeeper-jute", "slf4j-api", "metrics-core", "snappy-java");

  /** Libraries that write the log, for ZooKeeper 3.8 and later, and for 3.7. */
  private static final List<String> LOGGING = List.of("logback-classic", "reload4j");

  private ServerClassPath() {}

  /** Selects the jars from a class path such as {@code java.class.path}, in its order. */
  public static String of(String classPath) {
    Set<Path> jars = new LinkedHashSet<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        collect(Path.of(entry).toAbsolutePath().normalize(), jars);
      }
    }
    List<Path> needed = jars.stream().filter(jar -> NEEDED.matcher(name(jar)).matches()).toList();
    List<String> missing =
        new ArrayList<>(
            ESSENTIAL.stream()
                .filter(artifact -> needed.stream().noneMatch(jar -> isOf(artifact, jar)))
                .toList());
    if (needed.stream().noneMatch(jar -> LOGGING.stream().anyMatch(each -> isOf(each, jar)))) {
      missing.add(LOGGING.get(0));
    }
    if (!missing.isEmpty()) {
      throw new QuorateException(
          "a ZooKeeper server cannot be run: the class path has no jar of "
              + String.join(", ", missing));
    }
    return needed.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isOf(String artifact, Path jar) {
    return name(jar).matches(Pattern.quote(artifact) + "-\\d.*");
  }

  private static String name(Path jar) {
    return jar.getFileName() == null ? "" : jar.getFileName().toString();
  }

  private static void collect(Path jar, Set<Path> jars) {
    if (!Files.isRegularFile(jar) || !jars.add(jar)) {
      return;
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      if (file.getManifest() == null) {
        return;
      }
      String others = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (others != null) {
        for (String other : others.strip().split("\\s+")) {
          collect(Path.of(jar.toUri().resolve(URI.create(other))), jars);
        }
      }
    } catch (IOException | IllegalArgumentException | FileSystemNotFoundException unreadable) {
      // the JVM ignores such class path entries as well
      return;
    }
  }
}
