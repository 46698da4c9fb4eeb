package io.quorate.gatling;

import com.typesafe.scalalogging.Logger;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import io.netty.channel.EventLoop;
import io.quorate.load.LoadStep;
import io.quorate.load.RequestLog;
import java.util.List;
import scala.Option;

/**
 * Sends all requests of one virtual user in one step: the user is one client of the step, runs its
 * closed loop on the driver's threads and goes on to the next action when the whole step has ended.
 * One action for the loop, and not one for each request, spares every request two hand-offs between
 * threads.
 *
 * <p>Gatling's own base classes for actions keep their behaviour in methods that javac cannot see,
 * so {@link #$bang} says again what {@code ExitableAction} does.
 */
final class StepAction implements Action {
  private final LoadStep step;
  private final String name;
  private final List<String> requests;
  private final CoreComponents core;
  private final KeyValueProtocol protocol;
  private final Action next;
  private Logger logger = Logger.apply(StepAction.class);

  private StepAction(
      LoadStep step,
      String name,
      List<String> requests,
      CoreComponents core,
      KeyValueProtocol protocol,
      Action next) {
    this.step = step;
    this.name = name;
    this.requests = List.copyOf(requests);
    this.core = core;
    this.protocol = protocol;
    this.next = next;
  }

  /**
   * Returns an action for scenarios.
   *
   * @param requests the names under which the requests of each operation appear in Gatling's report
   */
  static ActionBuilder of(LoadStep step, String name, List<String> requests) {
    return () ->
        new io.gatling.core.action.builder.ActionBuilder() {
          @Override
          public Action build(ScenarioContext context, Action next) {
            KeyValueProtocol protocol =
                context.protocolComponentsRegistry().components(KeyValueProtocol.KEY).protocol();
            return new StepAction(step, name, requests, context.coreComponents(), protocol, next);
          }
        };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void $bang(Session session) {
    EventLoop loop = session.eventLoop();
    if (!loop.inEventLoop()) {
      if (!loop.isShutdown()) {
        loop.execute(() -> $bang(session));
      }
      return;
    }
    Option<BlockExit> exit = BlockExit.mustExit(session);
    if (exit.isDefined()) {
      exit.get().exitBlock(core.statsEngine(), core.clock().nowMillis());
    } else {
      execute(session);
    }
  }

  @Override
  public void execute(Session session) {
    RequestLog log =
        new RequestLog(new StatsEngineListener(core.statsEngine(), protocol, session, requests));
    step.join(log)
        .whenComplete(
            (ended, failure) -> {
              if (failure == null) {
                next.$bang(session);
              } else {
                core.statsEngine()
                    .logRequestCrash(
                        session.scenario(), session.groups(), name, failure.getMessage());
                next.$bang(session.markAsFailed());
              }
            });
  }

  @Override
  public Logger logger() {
    return logger;
  }

  @Override
  public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
    logger = value;
  }
}
