// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.yaml.InvalidScenarioException.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the problems of one file, so that all are reported together. */
final class ScenarioProblems {
  private static final int MAX_FILE_NAME_LENGTH = 1000;

  private final String file;
  private final List<Problem> all = new ArrayList<>();
  private final List<String> hints = new ArrayList<>();

  ScenarioProblems(String file) {
    this.file = VisibleText.of(file, MAX_FILE_NAME_LENGTH);
  }

  ScenarioProblems ofSameFile() {
    return new ScenarioProblems(file);
  }

  int count() {
    return all.size();
  }

  void addAll(List<Problem> problems) {
    all.addAll(problems);
  }

  void add(int line, int column, String found, String expected) {
    all.add(new Problem(file, line, column, found, expected));
  }

  void add(Optional<Mark> mark, String found, String expected) {
    int line = mark.map(Mark::getLine).orElse(0) + 1;
    int column = mark.map(Mark::getColumn).orElse(0) + 1;
    add(line, column, found, expected);
  }

  void add(Node node, String found, String expected) {
    add(node.getStartMark(), found, expected);
  }

  void hint(Node node, String text) {
    node.getStartMark()
        .map(at -> "%s:%d:%d: %s".formatted(file, at.getLine() + 1, at.getColumn() + 1, text))
        .ifPresent(hints::add);
  }

  /** Returns what a user should know of a file that can be read, in the order of the file. */
  List<String> hints() {
    return List.copyOf(hints);
  }

  /** Throws the problems, each once, in the order of their position. */
  void throwIfAny() {
    if (!all.isEmpty()) {
      throw failure();
    }
  }

  InvalidScenarioException failure() {
    Comparator<Problem> byPosition =
        Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column);
    return new InvalidScenarioException(all.stream().distinct().sorted(byPosition).toList());
  }
}
