// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.commons.validation.Failure;
import io.gatling.commons.validation.Success;
import io.gatling.commons.validation.Validation;
import io.gatling.core.action.Action;
import io.gatling.core.check.Check;
import io.gatling.core.check.Check$;
import io.gatling.core.session.Session;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.internal.Converters;
import io.gatling.javaapi.core.internal.Expressions;
import io.quorate.store.ErrorKind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.List;
import scala.runtime.BoxedUnit;

/** The action of a builder: evaluates expressions, takes turns, checks and reports outcomes. */
final class StoreAction extends EventLoopAction {
  private final StoreActionBuilder described;
  final StoreComponents store;
  private final Function1<Session, Validation<String>> name;
  private final List<Check<Outcome>> checks;
  private final Set<Object> checked;
  private final boolean throttled;

  StoreAction(
      StoreActionBuilder described, StoreComponents store, ScenarioContext context, Action next) {
    super(described.kind.toString(), context.coreComponents(), next);
    this.described = described;
    this.store = store;
    this.name = Expressions.toStringExpression(described.name);
    this.checks =
        Converters.toScalaSeq(described.checks.stream().map(StoreCheck::of).toList()).toList();
    this.checked = described.checks.stream().map(each -> each.type()).collect(Collectors.toSet());
    this.throttled = context.throttled() && described.kind.isRequest();
  }

  long now() {
    return core.clock().nowMillis();
  }

  @Override
  public void execute(Session session) {
    Map<String, Object> arguments = new LinkedHashMap<>();
    String request = name();
    try {
      request = (String) evaluated("name", name.apply(session));
      for (var each : described.arguments.entrySet()) {
        arguments.put(each.getKey(), evaluated(each.getKey(), each.getValue().apply(session)));
      }
    } catch (IllegalArgumentException wrong) {
      crash(session, request, String.valueOf(wrong.getMessage()));
      return;
    }
    Turn turn = new Turn(this, session, request, arguments);
    if (throttled) {
      // javac has no other name for a class in an object of Scala that is in another one
      core.throttler()
          .get()
          .$bang(
              new io.gatling.core.controller.throttle.Throttler$Command$ThrottledRequest(
                  session.scenario(),
                  () -> {
                    turn.inLoop(() -> turn.begin(described.kind::send));
                    return BoxedUnit.UNIT;
                  }));
    } else {
      turn.begin(described.kind::send);
    }
  }

  private static Object evaluated(String what, Object validation) {
    if (validation instanceof Failure failure) {
      throw new IllegalArgumentException(what + ": " + failure.message());
    }
    Object value = ((Success<?>) validation).value();
    if (value == null) {
      throw new IllegalArgumentException(what + ": the function returned null");
    }
    return value;
  }

  /** Checks an outcome, reports it, and continues with the next action. */
  void end(Session session, String request, long startMillis, long endMillis, Outcome outcome) {
    Session after = session;
    String failure = outcome.message();
    Option<String> problem = Option.apply(failure);
    if (outcome.failure().filter(kind -> !isExpected(kind)).isEmpty()) {
      var result = Check$.MODULE$.check(outcome, session, checks);
      after = result._1();
      String words = failure.isEmpty() ? failure : failure + "; ";
      problem = result._2().map(check -> words + check.message());
    }
    report(core.statsEngine(), session, request, startMillis, endMillis, problem);
    after = after.logGroupRequestTimings(startMillis, endMillis);
    next.$bang(problem.isEmpty() ? after : after.markAsFailed());
  }

  /** Returns whether checks decide about a failure of this kind. */
  private boolean isExpected(ErrorKind kind) {
    return checked.contains(StoreCheck.OUTCOME)
        || kind == ErrorKind.MISSING && checked.contains(StoreCheck.EXISTS);
  }
}
