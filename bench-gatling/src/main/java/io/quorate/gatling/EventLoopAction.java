// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import com.typesafe.scalalogging.Logger;
import io.gatling.commons.stats.Status;
import io.gatling.core.CoreComponents;
import io.gatling.core.action.Action;
import io.gatling.core.action.BlockExit;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import io.netty.channel.EventLoop;
import scala.Option;

/**
 * An action that runs on the event loop of its virtual user, and leaves it when Gatling ends the
 * block around it.
 *
 * <p>Gatling's base classes for actions have their behavior in methods that javac cannot access, so
 * {@link #$bang} repeats the code of {@code ExitableAction}. Internals of Gatling are used in this
 * package and in {@code io.quorate.simulation} only; they match the version of Gatling that the
 * root pom pins.
 */
public abstract class EventLoopAction implements Action {
  private static final Status OK = Status.apply("OK");
  private static final Status KO = Status.apply("KO");
  private static final Logger LOGGER = Logger.apply(EventLoopAction.class);

  /** Gatling's engine. */
  protected final CoreComponents core;

  /** The action that follows. */
  protected final Action next;

  private final String name;

  /** Creates an action with the name that crashes are reported with. */
  protected EventLoopAction(String name, CoreComponents core, Action next) {
    this.name = name;
    this.core = core;
    this.next = next;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void $bang(Session session) {
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
      return;
    }
    try {
      execute(session);
    } catch (RuntimeException failure) { // such as one of a function of the user
      crash(session, name, String.valueOf(failure));
    }
  }

  /** Reports a request to the statistics of Gatling: a success, or a failure with its message. */
  public static void report(
      StatsEngine engine,
      Session session,
      String request,
      long startMillis,
      long endMillis,
      Option<String> failure) {
    Status status = failure.isEmpty() ? OK : KO;
    engine.logResponse(
        session.scenario(),
        session.groups(),
        request,
        startMillis,
        endMillis,
        status,
        Option.empty(),
        failure);
  }

  /** Reports that a request could not be built, and continues with the next action. */
  protected final void crash(Session session, String request, String why) {
    core.statsEngine().logRequestCrash(session.scenario(), session.groups(), request, why);
    next.$bang(session.markAsFailed());
  }

  @Override
  public final Logger logger() {
    return LOGGER;
  }

  @Override
  public final void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
    // only Scala classes get their logger in this way
  }
}
