package io.quorate.results.manifest;

import java.util.Locale;

/**
 * Derives the short name of a database and its version, which heads a column of the result table.
 */
public final class DatabaseTag {
  private DatabaseTag() {}

  /**
   * Converts {@code etcd v3.3.0 (Go 1.9.3)} to {@code etcd-v3.3.0-go1.9.3}, as the reference does.
   */
  public static String of(String description) {
    return description
        .toLowerCase(Locale.ROOT)
        .replace("go ", "go")
        .replace("java ", "java")
        .replace("(", "")
        .replace(")", "")
        .replace(" ", "-");
  }
}
