// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gatling.core.session.Session;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One execution of an action by one user. It ends once, on the event loop of the user, with the
 * first outcome; its latency ends when that is known, on whatever thread.
 */
final class Turn implements Completion {
  private final StoreAction action;
  private final Session session;
  private final String name;
  private final Map<String, Object> arguments;
  private long startMillis;
  private volatile boolean ended;
  private volatile String member = "";

  Turn(StoreAction action, Session session, String name, Map<String, Object> arguments) {
    this.action = action;
    this.session = session;
    this.name = name;
    this.arguments = arguments;
  }

  StoreUser user() {
    return action.store.user(session.userId());
  }

  /** Begins the latency, and does what the action is for. */
  void begin(Consumer<Turn> what) {
    startMillis = action.now();
    attempt(() -> what.accept(this));
  }

  /** Runs what may find a wrong argument, which fails the request. A turn has to end. */
  private void attempt(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException wrong) {
      failed(ErrorKind.REJECTED, String.valueOf(wrong.getMessage()));
    }
  }

  boolean has(String argument) {
    return arguments.containsKey(argument);
  }

  Object value(String argument, Object absent) {
    return arguments.getOrDefault(argument, absent);
  }

  /** Returns the rest of the names of arguments that begin in this way. */
  Stream<String> names(String beginning) {
    return arguments.keySet().stream()
        .filter(each -> each.startsWith(beginning))
        .map(each -> each.substring(beginning.length()));
  }

  String text(String argument) {
    return String.valueOf(value(argument, ""));
  }

  /** Returns an argument as bytes: those of a byte array, otherwise of its text. */
  byte[] bytes(String argument) {
    return value(argument, "") instanceof byte[] bytes ? bytes : text(argument).getBytes(UTF_8);
  }

  byte[] key(String argument) {
    String key = text(argument);
    if (key.isEmpty() || key.chars().anyMatch(each -> each < ' ' || each > '~')) {
      throw new IllegalArgumentException(argument + ": expected printable ASCII");
    }
    return key.getBytes(UTF_8);
  }

  long number(String argument, long absent) {
    try {
      return has(argument) ? Long.parseLong(text(argument)) : absent;
    } catch (NumberFormatException text) {
      throw new IllegalArgumentException(argument + ": expected a whole number", text);
    }
  }

  /** Fails if it has not ended within the time limit of a request. */
  void endInTime(String otherwise) {
    later(action.store.protocol.requestTimeout, () -> failed(ErrorKind.TIMEOUT, otherwise));
  }

  /** Sends a request over a connection of the user, whose outcome a completion gets. */
  void submit(Request request, Completion completion) {
    if (!user().isConnected()) {
      endInTime("no connection in time");
    }
    user()
        .connection(
            completion,
            connection -> {
              answeredBy(connection.member().orElse(user().member()));
              attempt(() -> connection.submit(request, completion));
            });
  }

  void answeredBy(Object endpoint) {
    member = endpoint.toString();
  }

  /** Returns whether it has ended, so that what comes later is to be given back. */
  boolean ended() {
    return ended;
  }

  /** Runs work on the event loop of the user; drops it after the end of the simulation. */
  void inLoop(Runnable work) {
    if (session.eventLoop().inEventLoop()) {
      work.run();
      return;
    }
    try {
      session.eventLoop().execute(work);
    } catch (RejectedExecutionException over) {
      ended = true;
    }
  }

  /** Runs work on the event loop of the user after a time, unless the turn has ended. */
  void later(Duration time, Runnable work) {
    Runnable inTime =
        () -> {
          if (!ended) {
            work.run();
          }
        };
    session.eventLoop().schedule(inTime, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void answered(Answer answer) {
    end(Outcome.of(answer));
  }

  @Override
  public void failed(ErrorKind kind, String message) {
    end(Outcome.failed(kind, message));
  }

  void end(Outcome outcome) {
    long endMillis = action.now();
    inLoop(
        () -> {
          if (!ended) {
            ended = true;
            if (!member.isEmpty()) {
              outcome.with(StoreCheck.ANSWERED_BY, member);
            }
            action.end(session, name, startMillis, endMillis, outcome);
          }
        });
  }
}
