// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The YAML files for GitHub and GitLab: those of this project, and an action and a job for users.
 */
final class Workflows {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));

  private Workflows() {}

  static Map<?, ?> action() {
    return read("src/github/action.yml");
  }

  /** Returns the job of GitLab that users extend. */
  static Map<?, ?> job() {
    return (Map<?, ?>) read("src/gitlab/quorate.gitlab-ci.yml").get(".quorate");
  }

  static List<Map<?, ?>> steps() {
    List<Map<?, ?>> steps = new ArrayList<>();
    Map<?, ?> runs = (Map<?, ?>) action().get("runs");
    ((List<?>) runs.get("steps")).forEach(step -> steps.add((Map<?, ?>) step));
    return steps;
  }

  /** Returns the scripts of the action, in their order. */
  static List<String> actionScripts() {
    return steps().stream()
        .filter(step -> step.containsKey("run"))
        .map(step -> step.get("run").toString())
        .toList();
  }

  /** Returns the scripts of the job of GitLab, in their order. */
  static List<String> jobScripts() {
    List<String> scripts = new ArrayList<>();
    for (String part : List.of("before_script", "script")) {
      ((List<?>) job().get(part)).forEach(script -> scripts.add(script.toString()));
    }
    return scripts;
  }

  static Map<?, ?> read(String file) {
    try {
      String text = Files.readString(HOME.resolve(file));
      return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
