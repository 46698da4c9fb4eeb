package io.quorate.store.server;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Describes the servers of a store, or of one version of it: how they are installed, started,
 * configured and queried. Each store has one description, in its own package, which {@code
 * io.quorate.stores.Stores} lists. Implementations have no state.
 */
public interface StoreServers {
  Store store();

  /**
   * Returns the servers that one member consists of: first the one that clients connect to, then
   * the one that it fronts. The last stores the data, and knows the leader. Empty if the store
   * lives in the process of the load generator.
   */
  List<ServerKind> kinds();

  /**
   * Returns the servers of each version that can be chosen, such as {@code etcd@3.5.35}, as new
   * descriptions of new stores; empty if there is not a choice.
   */
  default List<StoreServers> versions() {
    return List.of();
  }

  default List<Setting> settings() {
    return List.of();
  }

  /** Returns the conflict between settings that are each allowed; empty if there is none. */
  default Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return Optional.empty();
  }

  /**
   * Returns settings from outside, checked against {@link #settings()}; throws with all that is
   * wrong.
   */
  default ServerSettings choose(Map<String, Long> chosen) {
    Map<Setting, Long> values = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    List<String> ids = settings().stream().map(Setting::id).toList();
    chosen.forEach(
        (id, value) -> {
          if (!ids.contains(id)) {
            problems.add(
                "setting %s of %s: expected one of %s%s"
                    .formatted(VisibleText.quoted(id), store(), ids, Spelling.hint(ids, id)));
            return;
          }
          Setting setting = settings().get(ids.indexOf(id));
          if (setting.allows(value)) {
            values.put(setting, value);
          } else {
            problems.add(
                "setting %s: found %s, expected %s"
                    .formatted(id, setting.kind().text(value), setting.expected()));
          }
        });
    ServerSettings settings = new ServerSettings(values);
    if (problems.isEmpty()) {
      conflict(settings)
          .ifPresent(
              conflict ->
                  problems.add(
                      "setting %s: found %s, expected %s"
                          .formatted(conflict.setting(), conflict.found(), conflict.expected())));
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return settings;
  }

  /** Returns a new reader of a server's own metrics; empty if servers report none. */
  default Optional<ServerInternals> internals() {
    return Optional.empty();
  }

  /**
   * Returns the name of the metric of {@link #internals} that counts the seconds for which a server
   * has synced its log to disk, without {@code _sum} and {@code _count}; empty if there is none.
   */
  default Optional<String> logSyncFigure() {
    return Optional.empty();
  }

  /**
   * Returns the paths that snapshots have below the data of a member; empty if that is not known.
   */
  default Optional<Pattern> snapshots() {
    return Optional.empty();
  }

  /**
   * Returns the programs that local servers need, the store's own last; empty if Quorate brings all
   * of it.
   */
  default List<Program> programs() {
    List<Program> programs = new ArrayList<>();
    kinds().forEach(kind -> kind.program().ifPresent(program -> programs.add(0, program)));
    return List.copyOf(programs);
  }

  /** Returns programs that are not servers but measure this store, such as its own load tool. */
  default List<Program> tools() {
    return List.of();
  }

  /** Describes servers that Quorate brings along and need no program; empty for the others. */
  default Optional<Bundled> bundled() {
    return Optional.empty();
  }

  /**
   * Servers that come with Quorate.
   *
   * @param version empty if there is none or it is not known
   * @param license an SPDX identifier
   * @param origin where they come from, in a few words
   */
  record Bundled(Optional<String> version, String license, String origin) {}

  /**
   * Returns the command of the store's own tool that removes all keys with a prefix, for a shell;
   * without passwords and tokens, which the tool asks for or takes from the environment. Empty if
   * there is none.
   */
  default Optional<String> removal(Endpoint server, Access access, String prefix) {
    return Optional.empty();
  }
}
