// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.AtomicFile;
import io.quorate.results.RunPlan;
import io.quorate.scenario.yaml.ScenarioFiles;
import io.quorate.scenario.yaml.ScenarioOptions;
import io.quorate.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where the scenario of a run comes from: a file, operations that options describe, or the plan of
 * the run, in which its text was kept.
 *
 * @param name name of a scenario, a file, or operations
 * @param databases databases that options name
 * @param plan plan of the run; empty if the text was not read yet
 */
public record ScenarioSource(
    String name, RunOptions options, List<Store> databases, Optional<RunPlan> plan) {
  /** Returns the plan with the text of the scenario, which is read unless there is one. */
  RunPlan read() {
    return plan.orElseGet(
        () ->
            described()
                .map(made -> new RunPlan(made.file(), made.text(), options.values()))
                .orElseGet(
                    () ->
                        RunPlan.of(
                            ScenarioFiles.locate(name, options.home(), options.directory()),
                            options.values())));
  }

  /** Returns whether options describe the scenario, or change the text of its file. */
  public boolean isOfOptions() {
    return ScenarioOptions.OF_FILES.stream().anyMatch(options::has) || described().isPresent();
  }

  /** Returns the scenario that options describe; empty if a file does. */
  public Optional<ScenarioOptions> described() {
    Map<String, String> given = new LinkedHashMap<>(options.values());
    given.keySet().retainAll(ScenarioOptions.NAMES);
    if (ScenarioOptions.isOperations(name)) {
      if (options.has(ScenarioOptions.DATA_SIZE)) {
        throw new QuorateException(
            "--data-size: found the operation %s, expected a scenario, such as storage-size: use --keys"
                .formatted(name));
      }
      ScenarioOptions.OF_KUBERNETES.stream()
          .filter(options::has)
          .findFirst()
          .ifPresent(
              option -> {
                throw new QuorateException(
                    "--%s: found the operation %s, expected a scenario of a Kubernetes cluster, such as kubernetes-nodes"
                        .formatted(option.replace('.', '-'), name));
              });
      return Optional.of(new ScenarioOptions(name, given, databases));
    }
    List<String> others = new ArrayList<>(given.keySet());
    others.removeAll(ScenarioOptions.OF_FILES);
    if (options.has(RunOptions.SAVE)) {
      others.add(RunOptions.SAVE);
    }
    if (!others.isEmpty()) {
      throw new QuorateException(
          "%s: found the scenario %s, which has these values in its file. Name an operation instead, such as 'put' or 'get=95,put=5', or copy the file and change it"
              .formatted(
                  others.stream()
                      .map(each -> "--" + each.replace('.', '-'))
                      .collect(Collectors.joining(", ")),
                  VisibleText.quoted(name)));
    }
    return Optional.empty();
  }

  private Optional<Path> file() {
    return Optional.ofNullable(options.values().get(RunOptions.SAVE))
        .map(options.directory()::resolve);
  }

  /** Writes the scenario that options describe into the file that an option names, if any. */
  public void save() {
    requireNew();
    file().ifPresent(path -> AtomicFile.write(path, read().scenario()));
  }

  /** Fails if the file that is to get the scenario exists. */
  public void requireNew() {
    Optional<Path> file = file();
    if (file.filter(Files::exists).isPresent()) {
      throw new QuorateException(
          "--save: %s exists. Name another file, or remove it"
              .formatted(VisibleText.of(file.get().toString())));
    }
  }
}
