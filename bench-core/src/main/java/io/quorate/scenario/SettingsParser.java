package io.quorate.scenario;

import io.quorate.VisibleText;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the settings of a database's servers. */
final class SettingsParser {
  static final String KEY = "settings";

  private final Section section;
  private final Store store;
  private final ScenarioProblems problems;

  private SettingsParser(Section section, Store store, ScenarioProblems problems) {
    this.section = section;
    this.store = store;
    this.problems = problems;
  }

  /** Reads the settings of a database; empty, and reported, if wrong. */
  static Optional<ServerSettings> read(Section database, Store store, ScenarioProblems problems) {
    Optional<Node> node = database.node(KEY);
    if (node.isEmpty()) {
      return Optional.of(ServerSettings.NONE);
    }
    if (store.settings().isEmpty()) {
      String found = "the key 'settings' of " + VisibleText.quoted(store.id());
      problems.add(database.key(KEY), found, "no 'settings': it has no servers");
      return Optional.empty();
    }
    Setting example = store.settings().get(0);
    String expected = "a map of settings, such as {%s: ...}".formatted(example);
    return Section.of(node.get(), ScenarioSchema.ANY, expected, problems)
        .flatMap(section -> new SettingsParser(section, store, problems).read());
  }

  private Optional<ServerSettings> read() {
    List<String> ids = store.settings().stream().map(Setting::id).toList();
    Map<Setting, Long> values = new LinkedHashMap<>();
    boolean complete = true;
    for (Setting setting : store.settings()) {
      Field<Long> value = section.field(setting.id(), ValueType.setting(setting));
      value.value().ifPresent(number -> values.put(setting, number));
      complete &= !value.wrong();
    }
    for (String key : section.keys()) {
      if (!ids.contains(key)) {
        String found = "unknown key " + VisibleText.quoted(key);
        problems.add(section.key(key), found, Messages.oneOf(ids, key));
        complete = false;
      }
    }
    if (!complete) {
      return Optional.empty();
    }
    ServerSettings settings = new ServerSettings(values);
    Optional<ServerSettings.Conflict> conflict = store.conflict(settings);
    conflict.ifPresent(
        each -> problems.add(section.key(each.setting().id()), each.found(), each.expected()));
    return conflict.isEmpty() ? Optional.of(settings) : Optional.empty();
  }
}
