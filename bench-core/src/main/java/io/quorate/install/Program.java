package io.quorate.install;

import io.quorate.driver.Database;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A program that {@code ./quorate install} builds from {@code src/databases/<id>/go.mod}; a new one
 * is one line here and that directory.
 */
public enum Program {
  ETCD(
      "etcd",
      "3.6.16",
      List.of(
          new GoPackage("etcd", "go.etcd.io/etcd/server/v3"),
          new GoPackage("etcdctl", "go.etcd.io/etcd/etcdctl/v3"))),
  CONSUL("consul", "1.22.7", List.of(new GoPackage("consul", "github.com/hashicorp/consul"))),
  ZETCD("zetcd", "0.0.5", List.of(new GoPackage("zetcd", "github.com/coreos/zetcd/cmd/zetcd"))),
  CETCD("cetcd", "", List.of());

  /** An executable and the Go package that it is built from. */
  record GoPackage(String executable, String path) {}

  private final String id;
  private final String version;
  private final List<GoPackage> packages;

  Program(String id, String version, List<GoPackage> packages) {
    this.id = id;
    this.version = version;
    this.packages = packages;
  }

  /** The name on the command line, and of the executable. */
  public String id() {
    return id;
  }

  /** The version that is built. */
  public String version() {
    return version;
  }

  /** What to build; the first is the program itself, the others are installed beside it. */
  List<GoPackage> packages() {
    return packages;
  }

  /** The environment variable that names an executable to use instead. */
  public String variable() {
    return "QUORATE_" + name();
  }

  /** What a person reads wherever the program is needed and not there. */
  public String missing() {
    return String.format(
        Locale.ROOT,
        "%s is not installed: run ./quorate install %s (or put %s on PATH, or set %s)",
        id,
        id,
        id,
        variable());
  }

  public static Optional<Program> byId(String id) {
    return Arrays.stream(values()).filter(program -> program.id.equals(id)).findFirst();
  }

  /** The program that a server of the database is; empty when Quorate brings it along. */
  public static Optional<Program> of(Database database) {
    return byId(database.id());
  }
}
