// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.Column;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.ClientKind;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads the databases that are measured, with the load and the server settings of each. */
final class DatabasesParser {
  private static final String EXPECTED = ScenarioSchema.SCENARIO.property("databases").expected();
  private static final ScenarioSchema LOAD = ScenarioSchema.definition("load");
  private static final ScenarioSchema COLUMN = ScenarioSchema.definition("column");
  private static final List<String> IDS = Stores.all().stream().map(Store::id).sorted().toList();
  private static final String VERSION = "version";

  private static final String SETTINGS = "settings";
  private static final String CLIENT = "client";
  static final String NAME = "name";

  /** The keys of a database that describe its servers, clients and column, not its load. */
  static final Set<String> SERVERS = Set.of(VERSION, SETTINGS, CLIENT, NAME);

  private final Section top;
  private final Set<Store> entered = new LinkedHashSet<>();
  private final Map<Store, LoadSpec> loads = new LinkedHashMap<>();
  private final Map<Store, Column> columns = new LinkedHashMap<>();

  /** The nodes of the chosen kinds of clients. */
  private final Map<Store, Node> clients = new HashMap<>();

  /** All databases of the file, including those whose load is wrong. */
  private final Set<Store> named = new LinkedHashSet<>();

  /** The databases that have no separate load. */
  private final Set<Store> sharing = new LinkedHashSet<>();

  private final Optional<LoadSpec> shared;

  private final boolean phased;

  private boolean allHaveTheirOwn;

  private DatabasesParser(Section top, Optional<PhasesSpec> phases) {
    this.top = top;
    this.phased = top.has(PhasesSpec.PHASES) || top.has(PhasesSpec.GROUPS);
    Optional<LoadSpec> common =
        top.node("load")
            .flatMap(node -> top.map(node, LOAD, LOAD.expected()))
            .flatMap(LoadSpec::read);
    this.shared = phased ? phases.map(PhasesSpec::load) : common;
  }

  /** Reads the databases and their loads; not complete if a problem was reported. */
  static DatabasesParser read(
      Section top,
      Optional<RunLength> length,
      Optional<WatchSpec> watch,
      Optional<PhasesSpec> phases) {
    DatabasesParser databases = new DatabasesParser(top, phases);
    top.node("databases").ifPresent(databases::readAll);
    if (!databases.sharing.isEmpty() && !databases.phased) {
      top.require("load");
    }
    if (top.has("load") && databases.allHaveTheirOwn) {
      top.report(
          "load",
          "the key 'load' although every database has a load",
          "no 'load', or a database without a load");
    }
    watch.ifPresent(known -> databases.loads.replaceAll((store, load) -> load.watchedBy(known)));
    databases.loads().stream().distinct().forEach(load -> length.ifPresent(load::check));
    return databases;
  }

  Set<Store> named() {
    return named;
  }

  Collection<LoadSpec> loads() {
    return loads.values();
  }

  List<StoreLoad> loads(RunLength length) {
    return loads.entrySet().stream()
        .map(
            load ->
                new StoreLoad(
                    columns.getOrDefault(load.getKey(), new Column(load.getKey())),
                    load.getValue().steps(length)))
        .toList();
  }

  private void readAll(Node node) {
    if (node instanceof SequenceNode list && !list.getValue().isEmpty()) {
      list.getValue().forEach(this::readItem);
    } else if (node instanceof MappingNode map && !map.getValue().isEmpty()) {
      Section section = top.map(map, ScenarioSchema.ANY, EXPECTED).orElseThrow();
      section.keys().forEach(id -> readEntry(section, id));
      // a database with a wrong load may have been meant to share it
      allHaveTheirOwn = sharing.isEmpty() && loads.size() == map.getValue().size();
    } else {
      boolean collection = node instanceof SequenceNode || node instanceof MappingNode;
      top.report(node, collection ? "no database" : Messages.of(node), EXPECTED);
    }
  }

  private void readItem(Node node) {
    if (!(node instanceof ScalarNode scalar)) {
      top.report(node, Messages.of(node), "the name of a database");
      return;
    }
    database(node, scalar.getValue())
        .ifPresent(
            database -> {
              if (!sharing.add(database)) {
                again(node, database);
              }
              shared.ifPresent(load -> loads.put(database, load));
            });
  }

  private void readEntry(Section section, String id) {
    Node node = section.node(id).orElseThrow();
    Optional<Store> known = database(section.key(id), id);
    boolean empty = node.getTag().equals(Tag.NULL);
    Optional<Section> own = empty ? Optional.empty() : top.map(node, COLUMN, LOAD.expected());
    Optional<Store> database = known.flatMap(store -> inVersion(store, own));
    database.filter(each -> !entered.add(each)).ifPresent(each -> again(section.key(id), each));
    if (empty) {
      database.ifPresent(sharing::add);
    }
    Optional<LoadSpec> load = empty ? shared : own.flatMap(given -> readOwn(given, database));
    database.ifPresent(each -> load.ifPresent(given -> loads.put(each, given)));
  }

  private Optional<LoadSpec> readOwn(Section own, Optional<Store> database) {
    boolean shares = SERVERS.containsAll(own.keys());
    if (phased && !shares) {
      own.report(own.node(), "a separate load with phases or groups", "no load of a database");
    }
    Optional<LoadSpec> load = shares ? shared : LoadSpec.read(own);
    Field<String> name = own.text(NAME, text -> Optional.of(text).filter(own.schema(NAME)::allows));
    database.ifPresent(known -> readColumn(own, known, name, shares));
    return load;
  }

  private void readColumn(Section own, Store database, Field<String> name, boolean shares) {
    if (shares) {
      sharing.add(database);
    }
    if (name.value().isPresent()
        && columns.values().stream().anyMatch(each -> each.name().equals(name.value()))) {
      name.report("the name '" + name.get() + "' again", "each name once");
    }
    ServerSettings chosen = settings(own, database).orElse(ServerSettings.NONE);
    columns.put(database, new Column(database, chosen, client(own, database), name.value()));
  }

  /** Reports operations and watches that a chosen kind of client cannot carry out. */
  void checkClients(OperationMix mix, Optional<WatchSpec> watch) {
    List<WatchLoad> watchers = watch.map(WatchSpec::loads).orElse(List.of());
    columns.forEach(
        (store, column) ->
            column
                .client()
                .ifPresent(
                    client ->
                        UnsupportedFeature.lackedBy(client, mix, watchers, store)
                            .forEach(
                                lacking ->
                                    top.report(
                                        Objects.requireNonNull(clients.get(store)),
                                        "the client '%s' of %s with %s"
                                            .formatted(client, store, lacking),
                                        "no 'client', as this one cannot do that"))));
  }

  /** Reports each database whose keys, or its client, cannot have a TTL. */
  void checkTtl(Consumer<UnsupportedFeature> report) {
    for (Store each : named) {
      ClientKind standard = each.clients().get(0);
      Optional<ClientKind> chosen = Optional.ofNullable(columns.get(each)).flatMap(Column::client);
      UnsupportedFeature.ofTtl(each, chosen.orElse(standard)).ifPresent(report);
    }
  }

  /** Reads the kind of client of a database; empty, and reported, if the store does not have it. */
  private Optional<ClientKind> client(Section own, Store database) {
    Optional<Node> node = own.node(CLIENT);
    node.ifPresent(known -> clients.put(database, known));
    List<String> ids = database.clients().stream().map(ClientKind::id).toList();
    Optional<ClientKind> known =
        node.map(Messages::text)
            .flatMap(
                id -> database.clients().stream().filter(each -> each.id().equals(id)).findFirst());
    if (node.isPresent() && known.isEmpty()) {
      String found = "the client %s of %s".formatted(Messages.of(node.get()), database);
      top.report(node.get(), found, Messages.oneOf(ids, Messages.text(node.get())));
    }
    return known;
  }

  /** Reads the settings of a database; empty, and reported, if wrong. */
  private Optional<ServerSettings> settings(Section database, Store store) {
    Optional<Node> node = database.node(SETTINGS);
    if (node.isEmpty()) {
      return Optional.of(ServerSettings.NONE);
    }
    List<Setting> settings = Stores.servers(store).settings();
    if (settings.isEmpty()) {
      String found = "the key 'settings' of " + VisibleText.quoted(store.id());
      String why = store.hasServers() ? "Quorate does not start its servers" : "it has no servers";
      database.report(SETTINGS, found, "no 'settings': " + why);
      return Optional.empty();
    }
    Setting example = settings.get(0);
    String expected = "a map of settings, such as {%s: ...}".formatted(example);
    return top.map(node.get(), ScenarioSchema.ANY, expected)
        .flatMap(section -> settingValues(section, store));
  }

  private Optional<ServerSettings> settingValues(Section section, Store store) {
    List<Setting> known = Stores.servers(store).settings();
    List<String> ids = known.stream().map(Setting::id).toList();
    Map<Setting, Long> values = new LinkedHashMap<>();
    int before = top.problemCount();
    for (Setting setting : known) {
      section
          .field(setting.id(), ValueType.setting(setting))
          .value()
          .ifPresent(number -> values.put(setting, number));
    }
    for (String key : section.keys()) {
      if (!ids.contains(key)) {
        String found = "unknown key " + VisibleText.quoted(key);
        section.report(key, found, Messages.oneOf(ids, key));
      }
    }
    if (top.problemCount() > before) {
      return Optional.empty();
    }
    ServerSettings settings = new ServerSettings(values);
    Optional<ServerSettings.Conflict> conflict = Stores.servers(store).conflict(settings);
    conflict.ifPresent(each -> section.report(each.setting().id(), each.found(), each.expected()));
    return conflict.isEmpty() ? Optional.of(settings) : Optional.empty();
  }

  private void again(Node node, Store database) {
    top.report(node, "the database '" + database + "' again", "each database once");
  }

  /** Returns a store in the version that its section requests; empty, and reported, if wrong. */
  private Optional<Store> inVersion(Store store, Optional<Section> own) {
    Optional<Node> given = own.flatMap(section -> section.node(VERSION));
    if (given.isEmpty()) {
      return Optional.of(store);
    }
    List<Store> versions = Stores.versions(store);
    String text = Messages.text(given.get());
    Optional<Store> version = Stores.byId(store.id() + "@" + text);
    if (version.isEmpty()) {
      String expected =
          versions.isEmpty()
              ? "no 'version': there is no choice for " + store
              : Messages.oneOf(
                  versions.stream().flatMap(each -> each.version().stream()).toList(), text);
      top.report(given.get(), Messages.of(given.get()), expected);
    }
    version.ifPresent(
        chosen -> {
          named.remove(store);
          named.add(chosen);
        });
    return version;
  }

  private Optional<Store> database(Node node, String id) {
    Optional<Store> database = Stores.byId(id);
    if (database.isEmpty()) {
      List<String> versions =
          Stores.byId(id.replaceFirst("@.*", "")).map(Stores::versions).orElse(List.of()).stream()
              .map(Store::id)
              .toList();
      String what = versions.isEmpty() ? "database " : "version ";
      top.report(
          node,
          "unknown " + what + VisibleText.quoted(id),
          Messages.oneOf(versions.isEmpty() ? IDS : versions, id));
    }
    database.ifPresent(named::add);
    return database;
  }
}
