package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.quorate.scenario.Operation;
import io.quorate.store.Store;
import java.util.List;

/** Converts the steps of a load to populations of virtual users. */
public final class LoadShape {
  /**
   * Returns one population for each step, the next one starting when the last user of the one
   * before has ended.
   */
  public static PopulationBuilder stairs(Store database, Operation operation, Load load) {
    List<LoadStep> steps = load.steps();
    PopulationBuilder chain = null;
    for (int i = steps.size() - 1; i >= 0; i--) {
      LoadStep step = steps.get(i);
      int clients = step.step().clients();
      String request =
          "%d. %s, %d client%s".formatted(i + 1, operation.id(), clients, clients == 1 ? "" : "s");
      PopulationBuilder population =
          scenario(database.title() + " " + request)
              .exec(StepAction.of(step, request))
              .injectOpen(atOnceUsers(clients));
      chain = chain == null ? population : population.andThen(chain);
    }
    return chain;
  }

  private LoadShape() {}
}
