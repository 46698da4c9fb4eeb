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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One execution of an action by one user. It ends once, on the event loop of the user, with the
 * first outcome; its latency ends when that is known, on whatever thread.
 */
final class Turn implements Completion {
  final StoreUser user;
  private final StoreAction action;
  private final Session session;
  private final String name;
  private final Map<String, Object> arguments;
  private long startMillis;
  private boolean sent;
  private volatile boolean ended;
  private volatile String member = "";

  /** The end of its time; null without a limit. */
  private @Nullable Future<?> limit;

  Turn(StoreAction action, Session session, String name, Map<String, Object> arguments) {
    this.user = action.store.user(session.userId());
    this.action = action;
    this.session = session;
    this.name = name;
    this.arguments = arguments;
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

  /** Fails if it has not ended within the time limit of a request, from its beginning on. */
  void endInTime(String otherwise) {
    Duration left = user.store.protocol.requestTimeout.minusMillis(action.now() - startMillis);
    limit(left, () -> failed(ErrorKind.TIMEOUT, otherwise));
  }

  /**
   * Sends a request over a connection of the user, whose outcome a completion gets. The first one
   * has the time limit of the connection.
   */
  void submit(Request request, Completion completion) {
    inLoop(
        () -> {
          if (sent) {
            endInTime("no answer to all its requests in time");
          } else if (!user.isConnected()) {
            endInTime("no connection in time");
          }
          sent = true;
          user.connection(
              this,
              connection -> {
                answeredBy(connection.member().orElseGet(user::member));
                connection.submit(request, completion);
              });
        });
  }

  /** Uses what is open, or will be; what comes too late is passed on. */
  <T> void use(CompletableFuture<T> opening, Consumer<T> use, Consumer<T> late) {
    opening.whenComplete(
        (opened, failure) ->
            inLoop(
                () -> {
                  if (failure != null) {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    failed(ErrorKind.CONNECTION, String.valueOf(cause.getMessage()));
                  } else if (ended) {
                    late.accept(opened);
                  } else {
                    attempt(() -> use.accept(opened));
                  }
                }));
  }

  void answeredBy(Object endpoint) {
    member = endpoint.toString();
  }

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

  /**
   * Runs work on the event loop of the user after a time, unless it has ended. It has one limit.
   */
  void limit(Duration time, Runnable work) {
    if (limit == null) {
      limit = session.eventLoop().schedule(work, time.toNanos(), TimeUnit.NANOSECONDS);
    }
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
            if (limit != null) {
              limit.cancel(false);
            }
            if (!member.isEmpty() && outcome.isAnswered()) {
              outcome.with(StoreCheck.ANSWERED_BY, member);
            }
            action.end(session, name, startMillis, endMillis, outcome);
          }
        });
  }
}
