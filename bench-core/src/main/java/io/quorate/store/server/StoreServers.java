// SPDX-License-Identifier: Apache-2.0
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
   * Returns new descriptions for each version that can be chosen, such as {@code etcd@3.5.35};
   * empty if there is no choice.
   */
  default List<StoreServers> versions() {
    return List.of();
  }

  /**
   * Returns a description of a version that is not pinned, or of the user's own program with this
   * name; empty if there is no choice.
   */
  default Optional<StoreServers> inVersion(String version) {
    return Optional.empty();
  }

  default List<Setting> settings() {
    return List.of();
  }

  /** Returns the conflict between settings that are valid individually; empty if there is none. */
  default Optional<ServerSettings.Conflict> conflict(ServerSettings settings) {
    return Optional.empty();
  }

  /** Returns the setting that limits the size of a request, with its default; empty if unknown. */
  default Optional<Setting> sizeLimit() {
    return Optional.empty();
  }

  /** Returns how many bytes of a put count against the limit. */
  default long requestBytes(int keyBytes, int valueBytes) {
    return (long) keyBytes + valueBytes;
  }

  /** Returns how many bytes of a transaction count against the limit at least. */
  default long requestBytes(int puts, int keyBytes, int valueBytes) {
    return puts * ((long) keyBytes + valueBytes);
  }

  /** Returns settings after a check against {@link #settings()}; fails with all problems. */
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
                    .formatted(id, setting.text(value), setting.expected()));
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
    QuorateException.throwIfAny(problems);
    return settings;
  }

  /** Returns whether an option {@code ID=VALUE} is about a setting of these servers. */
  default boolean hasSetting(String option) {
    return settings().stream().anyMatch(each -> option.startsWith(each.id() + "="));
  }

  /**
   * Reads settings from a command line.
   *
   * @param others that apply unless an option replaces them
   * @param options each {@code ID=VALUE}
   * @throws QuorateException with every option that is wrong
   */
  default ServerSettings parse(ServerSettings others, List<String> options) {
    List<String> ids = settings().stream().map(Setting::id).toList();
    Map<String, Long> values = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    for (String option : options) {
      String id = option.replaceFirst("(?s)=.*", "");
      String expected = "";
      if (!hasSetting(option)) {
        expected =
            "expected ID=VALUE, with one of %s of %s%s"
                .formatted(String.join(", ", ids), store(), Spelling.hint(ids, id));
      } else {
        Setting setting = settings().get(ids.indexOf(id));
        Optional<Long> value = setting.parse(option.substring(id.length() + 1));
        if (value.isEmpty()) {
          expected = "expected " + setting.expected();
        } else if (values.put(id, value.get()) != null) {
          expected = "found twice, expected each setting once";
        }
      }
      if (!expected.isEmpty()) {
        problems.add("--setting " + VisibleText.quoted(option) + ": " + expected);
      }
    }
    QuorateException.throwIfAny(problems);
    others.values().forEach((setting, value) -> values.putIfAbsent(setting.id(), value));
    return choose(values);
  }

  /** Returns a new reader of a server's own metrics; empty if servers report none. */
  default Optional<ServerInternals> internals() {
    return Optional.empty();
  }

  /** Returns the rules for messages of all servers that one member consists of. */
  default List<LogRule> logRules() {
    return kinds().stream().flatMap(kind -> kind.log().rules().stream()).toList();
  }

  /** Returns what reports have to know about these servers. */
  default ServerKnowledge knowledge() {
    return ServerKnowledge.NONE;
  }

  /**
   * Returns the name of the metric of {@link #internals} with the seconds of a server's syncs of
   * its log, without {@code _sum} and {@code _count}; empty if there is none.
   */
  default Optional<String> logSyncFigure() {
    return Optional.empty();
  }

  /** Returns the pattern of snapshots' paths below the data of a member; empty if unknown. */
  default Optional<Pattern> snapshots() {
    return Optional.empty();
  }

  /**
   * Returns the programs that local servers need, the store's own last; empty if all of them are
   * bundled with Quorate.
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

  /** Describes servers that are bundled with Quorate; empty for others. */
  default Optional<Bundled> bundled() {
    return Optional.empty();
  }

  /**
   * Servers that are bundled with Quorate.
   *
   * @param version version; empty if there is none or it is not known
   * @param license SPDX identifier
   */
  record Bundled(Optional<String> version, String license, String origin) {}

  /** Describes servers that Quorate never installs or starts; empty for others. */
  default Optional<External> external() {
    return Optional.empty();
  }

  /**
   * Servers that users start, and name by their endpoints.
   *
   * @param license SPDX identifier
   * @param start commands that install and start one, each in quotation marks
   */
  record External(String license, String start) {}

  /** Returns why Quorate cannot start these servers, with advice; empty if it can. */
  default Optional<String> obstacleToStart() {
    return external()
        .map(
            each ->
                ("Quorate does not start %s. Start it, for example with %s, and pass its address"
                        + " with --endpoints HOST:PORT")
                    .formatted(store().title(), each.start()));
  }

  /** Returns why Quorate cannot start this number of members, with advice; empty if it can. */
  default Optional<String> obstacleToStart(int members) {
    return obstacleToStart();
  }

  /** Returns whether an address may end with a path, below which all keys of a client are. */
  default boolean hasPaths() {
    return false;
  }

  /** Returns whether runs mark their keys with the time; false for shims and emulations. */
  default boolean marksRuns() {
    return toolVariables().isPresent() || hasPaths();
  }

  /**
   * Returns the variables from which the store's own tool takes a cluster; empty if it has none.
   */
  default Optional<ToolVariables> toolVariables() {
    return Optional.empty();
  }

  /**
   * Returns the shell command of the store's own tool that removes all keys with a prefix. It has
   * no passwords and tokens, which the tool asks for or takes from the environment. Empty if there
   * is no such command.
   */
  default Optional<String> removal(Endpoint server, Access access, String prefix) {
    return Optional.empty();
  }
}
