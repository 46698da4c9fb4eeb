package io.quorate.cli;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads settings of servers from options such as {@code --setting snapshot-count=1000}. */
final class SettingOptions {
  private final Store store;
  private final Map<String, Long> values = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private SettingOptions(Store store) {
    this.store = store;
  }

  /**
   * Reads the settings of a store's servers.
   *
   * @param options each {@code ID=VALUE}
   * @throws QuorateException with all that is wrong
   */
  static ServerSettings read(Store store, List<String> options) {
    SettingOptions read = new SettingOptions(store);
    options.forEach(read::add);
    if (!read.problems.isEmpty()) {
      throw new QuorateException(String.join("\n", read.problems));
    }
    return Stores.servers(store).choose(read.values);
  }

  private void add(String option) {
    String id = option.replaceFirst("(?s)=.*", "");
    List<Setting> settings = Stores.servers(store).settings();
    List<String> ids = settings.stream().map(Setting::id).toList();
    Optional<Setting> setting = settings.stream().filter(each -> each.id().equals(id)).findFirst();
    if (setting.isEmpty() || id.equals(option)) {
      problem(
          option,
          "expected ID=VALUE, with one of %s of %s%s"
              .formatted(String.join(", ", ids), store, Spelling.hint(ids, id)));
      return;
    }
    Optional<Long> value = setting.get().parse(option.substring(id.length() + 1));
    if (value.isEmpty()) {
      problem(option, "expected " + setting.get().expected());
    } else if (values.put(id, value.get()) != null) {
      problem(option, "found twice, expected each setting once");
    }
  }

  private void problem(String option, String expected) {
    problems.add("--setting " + VisibleText.quoted(option) + ": " + expected);
  }
}
