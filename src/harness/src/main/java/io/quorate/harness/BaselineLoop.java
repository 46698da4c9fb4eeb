// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

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
  private final boolean library;

  /**
   * Prepares a loop.
   *
   * @param step the only step of the scenario
   * @param client kind of client of the store
   * @param library whether to use the store's own client library instead of Quorate's driver
   */
  BaselineLoop(Store database, Scenario scenario, Step step, ClientKind client, boolean library) {
    this.database = database;
    this.scenario = scenario;
    this.step = step;
    this.client = client;
    this.library = library;
  }

  @Override
  public String name() {
    if (library) {
      return "client library";
    }
    return "bare loop" + (database.isDefaultClient(client) ? "" : " with " + client);
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
    command.addAll(List.of("" + library, client.id()));
    String[] figures =
        ToolProcess.run(name(), command, directory.resolve("figures")).strip().split(" ");
    return new Figures(
        Double.parseDouble(figures[0]),
        Double.parseDouble(figures[1]),
        Double.parseDouble(figures[2]));
  }
}
