// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The user's own program of a database, {@code etcd@mine=PATH}. */
public final class OwnProgram {
  private OwnProgram() {}

  /** Returns databases, separated by commas, without the paths of own programs. */
  public static String ids(String databases) {
    return Stream.of(databases.split(","))
        .map(each -> each.replaceFirst("=.*", "").strip())
        .collect(Collectors.joining(","));
  }

  /**
   * Installs the own programs among databases into the cache of the user, and replaces earlier ones
   * with these names.
   *
   * @param databases separated by commas
   * @param directory directory to which paths are relative
   * @param home directory of Quorate's own files
   * @throws QuorateException if a name belongs to another program, or the file is another program
   */
  public static void install(
      String databases, Installation installation, Path directory, Path home, PrintWriter out) {
    Installer installer =
        new Installer(installation, home.resolve("src/databases"), Optional.empty(), out, false);
    files(databases, directory).forEach(installer::install);
  }

  /**
   * Returns an installation that expects the own programs among databases.
   *
   * @throws QuorateException if a name belongs to another program, or there is no such file
   */
  public static Installation expected(String databases, Installation installation, Path directory) {
    Map<Program, Path> files = files(databases, directory);
    files.values().forEach(Installer.LocalArchive::require);
    return new Installation(
        installation.environment(), installation.userHome(), installation.java(), files.keySet());
  }

  private static Map<Program, Path> files(String databases, Path directory) {
    Map<Program, Path> files = new LinkedHashMap<>();
    for (String each : databases.split(",")) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        continue;
      }
      String id = each.substring(0, equals).strip();
      Optional<Program> own = Stores.program(id).filter(Program::isOwn);
      if (own.isEmpty()) {
        throw new QuorateException(
            "database: found a path after %s, expected it after the name of an own program, such as etcd@mine=PATH"
                .formatted(VisibleText.quoted(id)));
      }
      files.put(own.get(), directory.resolve(each.substring(equals + 1).strip()).normalize());
    }
    return files;
  }
}
