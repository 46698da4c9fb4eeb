// SPDX-License-Identifier: Apache-2.0
package io.quorate.simulation;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.quorate.gatling.EventLoopAction;
import io.quorate.load.Load;
import io.quorate.load.RequestListener;
import io.quorate.load.RequestLog;
import io.quorate.load.RunningStep;
import io.quorate.measure.RunClock;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import scala.Option;

/** Converts the steps of a load to populations of virtual users. */
public final class LoadShape {
  /** Returns a population for each step, which starts when the previous one has ended. */
  public static PopulationBuilder stairs(Store database, OperationMix mix, Load load) {
    List<RunningStep> steps = load.steps();
    PopulationBuilder chain = null;
    for (int i = steps.size() - 1; i >= 0; i--) {
      RunningStep step = steps.get(i);
      int clients = step.step().clients();
      String name = name(i + 1, mix.toString(), step.step());
      List<String> requests = new ArrayList<>();
      for (Operation operation : mix.operations()) {
        requests.add(name(i + 1, operation.id(), step.step()));
      }
      PopulationBuilder population =
          scenario(database.title() + " " + name)
              .exec(action(step, name, requests, load.clock()))
              .injectOpen(atOnceUsers(clients));
      chain = chain == null ? population : population.andThen(chain);
    }
    return Objects.requireNonNull(chain);
  }

  private static String name(int number, String operation, Step step) {
    return "%d. %s, %s".formatted(number, operation, step.load());
  }

  private LoadShape() {}

  /**
   * Returns the action that sends all requests of one virtual user in one step. The user is one
   * client of the step: it runs its closed loop on the driver's threads, and continues with the
   * next action when the whole step has ended. One action for the loop, instead of one for each
   * request, avoids two hand-offs between threads for every request.
   */
  private static ActionBuilder action(
      RunningStep step, String name, List<String> requests, RunClock clock) {
    return () ->
        (context, next) ->
            new EventLoopAction(name, context.coreComponents(), next) {
              @Override
              public void execute(Session session) {
                // without a report nobody asks for requests
                RequestListener listener =
                    core.configuration().data().fileDataWriterEnabled()
                        ? new StatsEngineListener(core.statsEngine(), clock, session, requests)
                        : RequestListener.NOBODY;
                step.join(new RequestLog(listener))
                    .whenComplete(
                        (ended, failure) -> {
                          if (failure == null) {
                            next.$bang(session);
                          } else {
                            crash(session, name(), String.valueOf(failure.getMessage()));
                          }
                        });
              }
            };
  }

  /** Passes each request of one virtual user to Gatling's statistics, for its HTML report. */
  public record StatsEngineListener(
      StatsEngine engine, RunClock clock, Session session, List<String> requestNames)
      implements RequestListener {
    @Override
    public void succeeded(int operation, long startNanos, long endNanos) {
      log(operation, startNanos, endNanos, Option.empty());
    }

    @Override
    public void failed(
        int operation, long startNanos, long endNanos, ErrorKind kind, String message) {
      log(operation, startNanos, endNanos, Option.apply(kind.label() + ": " + message));
    }

    private void log(int operation, long start, long end, Option<String> failure) {
      String name = requestNames.get(operation);
      EventLoopAction.report(engine, session, name, millis(start), millis(end), failure);
    }

    /** Converts a time of the nano clock to milliseconds since 1970. */
    private long millis(long nanos) {
      return Math.floorDiv(clock.unixNanos(nanos), 1_000_000L);
    }
  }
}
