package io.quorate.results.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;

/**
 * The version of Quorate.
 *
 * @param commit full id of the commit that was built; empty if it was not built from Git
 * @param dirty whether there were changes that are not in that commit
 */
public record BuildInfo(Optional<String> version, Optional<String> commit, boolean dirty) {
  private static final String RESOURCE = "git.properties";

  public static BuildInfo ofThisBuild() {
    Properties properties = new Properties();
    try (InputStream resource = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (resource != null) {
        properties.load(resource);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return of(properties);
  }

  static BuildInfo of(Properties properties) {
    return new BuildInfo(
        present(properties, "git.build.version"),
        present(properties, "git.commit.id.full"),
        Boolean.parseBoolean(properties.getProperty("git.dirty")));
  }

  private static Optional<String> present(Properties properties, String key) {
    return Optional.ofNullable(properties.getProperty(key)).filter(value -> !value.isBlank());
  }
}
