// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.page.Reproduction;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The commands that repeat, continue, and read a matrix. */
record MatrixReproduction(MatrixManifest manifest) {
  List<String> commands(MatrixDirectory directory) {
    String name = VisibleText.of(manifest.name());
    String run = "results/" + name + "/" + VisibleText.of(directory.path().getFileName() + "");
    String scenario = Files.exists(directory.describedScenario()) ? run + "/scenario.yaml" : name;
    List<String> commands = new ArrayList<>();
    commands.add(repetition(scenario));
    commands.add("./quorate run --resume " + run);
    manifest.cells().stream()
        .findFirst()
        .ifPresent(cell -> commands.add("./quorate report " + run + "/cells/" + cell.id() + "/1"));
    return commands;
  }

  /** Returns the commands that repeat a published matrix. */
  List<String> ofPublished() {
    List<String> commands = new ArrayList<>();
    Reproduction.checkout(manifest.suite()).ifPresent(commands::add);
    commands.add("# scenario.yaml: next to this page");
    commands.add(repetition(Reproduction.SCENARIO));
    return commands;
  }

  /** Returns the command that compares two columns of one store; empty if there are none. */
  Optional<String> comparison(MatrixDirectory directory) {
    List<MatrixManifest.Cell> cells = manifest.cells();
    boolean oneStore =
        cells.stream().map(cell -> cell.label().replaceFirst("@.*", "")).distinct().count() == 1;
    return manifest.axes().size() == 1 && oneStore && cells.size() > 1
        ? Optional.of(
            cells.stream()
                .map(cell -> ShellText.quoted(directory.path() + ":" + cell.label()))
                .collect(Collectors.joining(" ", "./quorate compare ", "")))
        : Optional.empty();
  }

  /**
   * Returns the command that repeats the matrix.
   *
   * @param scenario name or file of the scenario
   */
  private String repetition(String scenario) {
    String scale =
        manifest.scale() == 1 ? "" : " --scale " + NumberFormats.shortest(manifest.scale());
    String repeats =
        manifest.axes().size() == 1
                && !manifest.options().containsKey("aa")
                && !manifest.isSequential()
            ? " --repeats " + manifest.repeats()
            : "";
    String databases =
        manifest.axes().size() == 1
            ? " --database "
                + manifest.cells().stream()
                    .map(cell -> ShellText.quoted(VisibleText.of(cell.label())))
                    .collect(Collectors.joining(","))
            : "";
    return "./quorate run " + scenario + databases + options() + scale + repeats;
  }

  private String options() {
    return manifest.options().entrySet().stream()
        .filter(option -> !option.getKey().startsWith("quorate."))
        .map(
            option ->
                Reproduction.option(
                    option.getKey().replaceFirst("^repeat\\.", ""),
                    ShellText.quoted(VisibleText.of(option.getValue()))))
        .collect(Collectors.joining());
  }
}
