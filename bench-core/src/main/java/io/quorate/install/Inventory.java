// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.store.Store;
import io.quorate.store.server.Program;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Lists the installed servers of each database. */
public record Inventory(Installation installation) {
  /**
   * The entry of one database. Control characters of all texts are escaped.
   *
   * @param installed whether its servers can be run here
   * @param version version of the servers; empty if there are none or they do not report it
   * @param license license of that version, or of the one that would be installed; an SPDX
   *     identifier
   * @param origin how the servers were found, in one or two words; empty if there are none
   * @param details their path, their origin, or how to get them
   */
  public record Entry(
      Store database,
      boolean installed,
      Optional<String> version,
      String license,
      String origin,
      List<String> details) {}

  public List<Entry> entries() {
    return Stores.all().stream().map(this::entry).toList();
  }

  private Entry entry(Store database) {
    StoreServers servers = Stores.servers(database);
    List<Program> programs = servers.programs();
    if (!programs.isEmpty()) {
      return entry(database, programs.get(programs.size() - 1));
    }
    if (servers.external().isPresent()) {
      return new Entry(
          database,
          false,
          Optional.empty(),
          servers.external().get().license(),
          "your servers only",
          servers.obstacleToStart().stream().toList());
    }
    StoreServers.Bundled bundled = servers.bundled().orElseThrow();
    return new Entry(
        database, true, bundled.version(), bundled.license(), bundled.origin(), List.of());
  }

  private Entry entry(Store database, Program own) {
    Optional<Installation.Found> found = Optional.empty();
    List<String> details = new ArrayList<>();
    boolean runnable = false;
    try {
      found = installation.find(own);
      found.ifPresent(each -> details.addAll(details(each)));
      Optional<String> obstacle = installation.obstacle(database);
      obstacle.ifPresent(details::add);
      runnable = obstacle.isEmpty();
    } catch (QuorateException wrongVariable) {
      details.add(VisibleText.line(wrongVariable.getMessage()));
    }
    own.licence().note().ifPresent(details::add);
    Optional<String> version = found.flatMap(each -> version(own, each));
    return new Entry(
        database,
        runnable,
        version,
        version.map(own.licence()::of).orElse(own.licence().id()),
        found.map(each -> origin(own, each)).orElse(""),
        details);
  }

  private static List<String> details(Installation.Found found) {
    List<String> details =
        new ArrayList<>(List.of(VisibleText.line(found.executable().toString())));
    if (found.source() == Installation.Source.CACHE) {
      Installer.origin(Objects.requireNonNull(found.executable().getParent()))
          .ifPresent(details::add);
    }
    return details;
  }

  private static String origin(Program program, Installation.Found found) {
    return switch (found.source()) {
      case VARIABLE -> program.variable();
      case CACHE -> "./quorate install";
      case PATH -> "PATH";
    };
  }

  /**
   * Returns the version that a program reports; for a program without such a command, the pinned
   * version if it is in the cache.
   */
  private static Optional<String> version(Program program, Installation.Found found) {
    try {
      Optional<String> reported = ReportedVersion.of(program, found.executable());
      return reported.isPresent() || found.source() != Installation.Source.CACHE
          ? reported
          : Optional.of(program.version());
    } catch (IOException notRunnable) {
      return Optional.empty();
    }
  }
}
