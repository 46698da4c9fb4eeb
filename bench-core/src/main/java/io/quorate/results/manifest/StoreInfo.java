// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import io.quorate.scenario.StoreLoad;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.stores.Stores;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The store of a run.
 *
 * @param tag heading of its column in the result table
 * @param settings the scenario's settings for the servers, by id, as written in a scenario
 */
public record StoreInfo(String id, String tag, ServerInfo servers, Map<String, String> settings) {
  public StoreInfo {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  static StoreInfo of(StoreLoad load) {
    String id = load.database().id();
    String tag = load.column().name().orElseGet(() -> tag(id));
    return new StoreInfo(id, tag, ServerInfo.UNKNOWN, load.settings().texts());
  }

  StoreInfo withTag(String other) {
    return new StoreInfo(id, other, servers, settings);
  }

  /**
   * Returns these facts with servers. The tag becomes {@code <id>-v<version>}, or {@code
   * <id>-<version>} if the version does not begin with a number.
   */
  StoreInfo withServers(ServerInfo known) {
    String version = known.version().orElse("").replaceFirst("^(?=[0-9])", "v");
    String named = tag((baseId() + " " + version).strip());
    return new StoreInfo(id, named, known, settings);
  }

  StoreInfo with(ServerInfo.RunKeys keys) {
    return new StoreInfo(id, tag, servers.with(keys), settings);
  }

  /** Returns the id of the store, without the requested version. */
  public String baseId() {
    return id.replaceFirst("@.*", "");
  }

  /** Returns the store; empty if this version of Quorate does not know it. */
  public Optional<Store> store() {
    return Stores.byId(baseId());
  }

  public ServerKnowledge knowledge() {
    return Stores.knowledge(id);
  }

  /** Returns the settings in the units of the servers, without those that the store lacks. */
  public ServerSettings serverSettings() {
    Map<Setting, Long> values = new LinkedHashMap<>();
    for (Setting each : store().map(known -> Stores.servers(known).settings()).orElse(List.of())) {
      Optional.ofNullable(settings.get(each.id()))
          // a bare duration is in milliseconds
          .flatMap(text -> each.parse(text).or(() -> each.parse(text + "ms")))
          .ifPresent(value -> values.put(each, value));
    }
    return new ServerSettings(values);
  }

  /** Returns whether the store is a part of the load generator, and therefore has no servers. */
  public boolean runsInLoadGenerator() {
    return store().filter(known -> !known.hasServers()).isPresent();
  }

  /** Returns the title of the store, such as {@code ZooKeeper}; its id if it is unknown. */
  public String title() {
    return store().map(Store::title).orElse(baseId());
  }

  /** Returns the title of the store and the version that was asked for: {@code etcd 3.5.35}. */
  public String name() {
    return title() + id.substring(baseId().length()).replace('@', ' ');
  }

  /** Returns the title of the store and the version that was run, if it is known. */
  public String titleAndVersion() {
    return title() + servers.version().map(version -> " " + version).orElse("");
  }

  /** Returns the settings in words, such as {@code snapshot-count 1000}. */
  public List<String> settingTexts() {
    return settings.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
  }

  /** Converts {@code etcd v3.3.0 (Go 1.9.3)} to {@code etcd-v3.3.0-go1.9.3}, as dbtester does. */
  public static String tag(String description) {
    return description
        .toLowerCase(Locale.ROOT)
        .replace("go ", "go")
        .replace("java ", "java")
        .replace("(", "")
        .replace(")", "")
        .replace(" ", "-");
  }
}
