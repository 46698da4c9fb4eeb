// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import io.quorate.FileFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java virtual machine that Quorate runs in, for servers that run in one as well.
 *
 * @param executable executable, such as {@code /usr/bin/java}
 * @param classPath class path of Quorate, with the jars of bundled servers
 */
public record JavaRuntime(Path executable, String classPath) {
  public static JavaRuntime of(Properties properties) {
    return new JavaRuntime(
        Path.of(properties.getProperty("java.home", ""), "bin", "java"),
        properties.getProperty("java.class.path", ""));
  }

  /** Returns options without which newer versions warn of what Netty and OSHI do. */
  public static List<String> optionsOfLibraries() {
    int version = Runtime.version().feature();
    List<String> options = new ArrayList<>();
    if (version >= 22) {
      options.add("--enable-native-access=ALL-UNNAMED");
    }
    if (version >= 23) {
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    return options;
  }

  /** Returns this virtual machine with another class path: a jar and the jars next to it. */
  public JavaRuntime withJarsBeside(Path jar) {
    Path directory = jar.toAbsolutePath().getParent();
    try (Stream<Path> files = Files.list(directory)) {
      return new JavaRuntime(
          executable,
          files
              .filter(file -> file.toString().endsWith(".jar"))
              .sorted()
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator)));
    } catch (IOException failure) {
      throw FileFailure.exception("cannot read " + directory, failure);
    }
  }
}
