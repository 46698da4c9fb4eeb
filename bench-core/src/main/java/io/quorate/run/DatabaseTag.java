package io.quorate.run;

import java.util.Locale;

/** The short name of a database and its version, as columns of the result table are headed. */
public final class DatabaseTag {
  private DatabaseTag() {}

  /** {@code etcd v3.3.0 (Go 1.9.3)} becomes {@code etcd-v3.3.0-go1.9.3}; as the reference does. */
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
