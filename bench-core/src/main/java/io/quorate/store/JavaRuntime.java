package io.quorate.store;

import java.nio.file.Path;
import java.util.Properties;

/**
 * The Java virtual machine that Quorate runs in, for servers that run in one, too.
 *
 * @param executable such as {@code /usr/bin/java}
 * @param classPath of Quorate, with the jars of servers that it brings along
 */
public record JavaRuntime(Path executable, String classPath) {
  /** Returns the one that has these system properties. */
  public static JavaRuntime of(Properties properties) {
    return new JavaRuntime(
        Path.of(properties.getProperty("java.home", ""), "bin", "java"),
        properties.getProperty("java.class.path", ""));
  }
}
