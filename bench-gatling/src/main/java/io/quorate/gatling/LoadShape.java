package io.quorate.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.quorate.load.Load;
import io.quorate.load.LoadStep;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.util.ArrayList;
import java.util.List;

/** Converts the steps of a load to populations of virtual users. */
public final class LoadShape {
  /**
   * Returns one population for each step, the next one starting when the last user of the one
   * before has ended.
   */
  public static PopulationBuilder stairs(Store database, OperationMix mix, Load load) {
    List<LoadStep> steps = load.steps();
    PopulationBuilder chain = null;
    for (int i = steps.size() - 1; i >= 0; i--) {
      LoadStep step = steps.get(i);
      int clients = step.step().clients();
      String name =
          name(i + 1, mix.isSingle() ? name(mix.operations().get(0)) : "mixed", step.step());
      List<String> requests = new ArrayList<>();
      for (Operation operation : mix.operations()) {
        requests.add(name(i + 1, name(operation), step.step()));
      }
      PopulationBuilder population =
          scenario(database.title() + " " + name)
              .exec(StepAction.of(step, name, requests))
              .injectOpen(atOnceUsers(clients));
      chain = chain == null ? population : population.andThen(chain);
    }
    return chain;
  }

  /** Returns the name that Gatling's reports have always had for an operation. */
  private static String name(Operation operation) {
    return switch (operation) {
      case PUT -> "write";
      case GET -> "read";
      default -> operation.id();
    };
  }

  private static String name(int number, String operation, Step step) {
    return "%d. %s, %s".formatted(number, operation, step.load());
  }

  private LoadShape() {}
}
