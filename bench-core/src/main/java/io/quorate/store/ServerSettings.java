// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The chosen settings for the servers of a store.
 *
 * @param values values in the units of the settings
 */
public record ServerSettings(Map<Setting, Long> values) {
  public static final ServerSettings NONE = new ServerSettings(Map.of());

  public ServerSettings {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    values.forEach(
        (setting, value) -> {
          if (!setting.allows(value)) {
            throw new QuorateException(
                "setting %s: found %s, expected %s"
                    .formatted(setting, setting.text(value), setting.expected()));
          }
        });
  }

  /** Two settings that contradict each other. */
  public record Conflict(Setting setting, String found, String expected) {}

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public boolean has(Setting setting) {
    return values.containsKey(setting);
  }

  /**
   * Returns the value that servers get: the chosen one, otherwise Quorate's default, if there is
   * one.
   */
  public OptionalLong value(Setting setting) {
    Long chosen = values.get(setting);
    return chosen == null ? setting.ours() : OptionalLong.of(chosen);
  }

  /** Returns the value in force of a setting whose default is known. */
  public long inForce(Setting setting) {
    return value(setting).orElseGet(() -> setting.theirs().orElseThrow());
  }

  /** Returns the settings in the servers' syntax, for a command line or a file, in their order. */
  public List<String> rendered(List<Setting> settings) {
    List<String> rendered = new ArrayList<>();
    for (Setting each : settings) {
      value(each).stream().forEach(value -> rendered.addAll(each.rendered(value)));
    }
    return rendered;
  }

  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((setting, value) -> texts.put(setting.id(), setting.text(value)));
    return texts;
  }

  /** Returns the chosen settings with which a power cut loses acknowledged writes. */
  public List<String> unsafe() {
    return values.keySet().stream()
        .filter(each -> each.unsafe().equals(value(each)))
        .map(each -> each + " " + each.text(each.unsafe().orElseThrow()))
        .toList();
  }

  /**
   * Returns the chosen settings, for messages: {@code snapshot-count 1000, heartbeat-interval 1s}.
   */
  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    texts().forEach((id, value) -> texts.add(id + " " + value));
    String risk = unsafe().isEmpty() ? "" : " (a power cut loses acknowledged writes)";
    return String.join(", ", texts) + risk;
  }
}
