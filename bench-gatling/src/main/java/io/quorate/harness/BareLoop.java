package io.quorate.harness;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.simulation.LoadGenerator;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A loop that does nothing but send writes: see {@link BareLoopProcess}. */
final class BareLoop implements Contender {
  private final Store database;
  private final Scenario scenario;
  private final Step step;
  private final Optional<String> consulClient;
  private final boolean library;

  /**
   * @param step the only one of the scenario
   * @param consulClient what talks to Consul, if not the default
   * @param library through the store's own client library, not through our driver
   */
  BareLoop(
      Store database,
      Scenario scenario,
      Step step,
      Optional<String> consulClient,
      boolean library) {
    this.database = database;
    this.scenario = scenario;
    this.step = step;
    this.consulClient = consulClient;
    this.library = library;
  }

  @Override
  public String name() {
    return library ? "client library" : "bare loop";
  }

  @Override
  public Figures measure(Endpoint server, Path directory) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LoadGenerator.jvmArguments());
    consulClient.ifPresent(client -> command.add("-Dconsul.client=" + client));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(BareLoopProcess.class.getName());
    command.addAll(List.of(database.id(), server.toString()));
    command.addAll(List.of("" + step.clients(), "" + step.connections()));
    command.addAll(List.of("" + scenario.warmUp(), "" + step.requests()));
    command.addAll(List.of("" + scenario.keys().sizeBytes(), "" + scenario.valueBytes()));
    command.add("" + library);
    String[] figures =
        ContenderProcess.run(name(), command, directory.resolve("figures")).strip().split(" ");
    return new Figures(
        Double.parseDouble(figures[0]),
        Double.parseDouble(figures[1]),
        Double.parseDouble(figures[2]));
  }
}
