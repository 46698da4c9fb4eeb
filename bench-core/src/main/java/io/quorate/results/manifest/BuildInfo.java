// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The version of Quorate.
 *
 * @param commit full id of the commit that was built; empty if it was not built from Git
 * @param dirty whether there were changes that are not in that commit
 */
public record BuildInfo(Optional<String> version, Optional<String> commit, boolean dirty) {
  /** The version, and what Git knows: the second file is missing in a build without Git. */
  private static final List<String> RESOURCES = List.of("version.properties", "git.properties");

  public static BuildInfo ofThisBuild() {
    return of(recorded());
  }

  static BuildInfo of(Properties properties) {
    return new BuildInfo(
        present(properties, "version"),
        present(properties, "git.commit.id.full"),
        Boolean.parseBoolean(properties.getProperty("git.dirty")));
  }

  /** Returns the date of the commit that was built; empty if it was not built from Git. */
  public static Optional<Instant> commitDate() {
    return commitDate(recorded());
  }

  static Optional<Instant> commitDate(Properties properties) {
    return present(properties, "git.commit.time").map(Instant::parse);
  }

  private static Properties recorded() {
    Properties properties = new Properties();
    for (String name : RESOURCES) {
      try (InputStream resource = BuildInfo.class.getResourceAsStream(name)) {
        if (resource != null) {
          properties.load(resource);
        }
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
    return properties;
  }

  private static Optional<String> present(Properties properties, String key) {
    return Optional.ofNullable(properties.getProperty(key)).filter(value -> !value.isBlank());
  }
}
