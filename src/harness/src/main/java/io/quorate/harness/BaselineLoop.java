// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.harness.HarnessCommand.Rival;
import io.quorate.run.LoadGenerator;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.nio.file.Path;
import java.util.List;

/** Measures a loop that only sends writes: see {@link BaselineLoopProcess}. */
final class BaselineLoop implements ComparedTool {
  private final Store database;
  private final Scenario scenario;
  private final Step step;
  private final ClientKind client;
  private final Rival rival;

  /**
   * Prepares a loop.
   *
   * @param step the only step of the scenario
   * @param client kind of client of the store
   * @param rival which client to use: Quorate's driver or a library
   */
  BaselineLoop(Store database, Scenario scenario, Step step, ClientKind client, Rival rival) {
    this.database = database;
    this.scenario = scenario;
    this.step = step;
    this.client = client;
    this.rival = rival;
  }

  @Override
  public String name() {
    return switch (rival) {
      case LIBRARY -> "client library";
      case CURATOR -> "curator";
      default -> "bare loop" + (database.isDefaultClient(client) ? "" : " with " + client);
    };
  }

  @Override
  public Figures measure(Endpoint server, Path directory) {
    List<String> command = LoadGenerator.command(List.of());
    command.add(BaselineLoopProcess.class.getName());
    command.addAll(List.of(database.id(), server.toString()));
    command.addAll(List.of("" + step.clients(), "" + step.connections()));
    command.addAll(List.of("" + scenario.requests().warmUp(), "" + step.requests()));
    command.addAll(
        List.of(
            "" + scenario.requests().keys().sizeBytes(),
            "" + scenario.requests().values().meanBytes()));
    command.addAll(List.of(rival.name(), client.id()));
    String[] figures =
        ToolProcess.run(name(), command, directory.resolve("figures")).strip().split(" ");
    return new Figures(
        Double.parseDouble(figures[0]),
        Double.parseDouble(figures[1]),
        Double.parseDouble(figures[2]));
  }
}
