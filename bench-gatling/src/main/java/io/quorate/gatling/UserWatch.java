// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A watch of a user, with the changes that no action has awaited; on the event loop of the user.
 */
final class UserWatch implements WatchListener {
  /** The action that begins the watch, which passes events to the loop of the user. */
  private final Turn beginning;

  private final Subscriptions stream;

  /** The action that waits; null while there is none. */
  private @Nullable Turn waiting;

  private long needed;
  private long events;

  /** The last change, without their number. */
  private Outcome last = noChange();

  private String failure = "";

  private UserWatch(Turn beginning, Subscriptions stream) {
    this.beginning = beginning;
    this.stream = stream;
  }

  private static Outcome noChange() {
    return Outcome.all(0, List.of(), Answer.NO_REVISION);
  }

  static void begin(Turn turn) {
    boolean prefix = turn.has("prefix");
    Watch watch = new Watch(turn.key(prefix ? "prefix" : "key"), prefix, 0);
    String name = turn.text("watchName");
    StoreUser user = turn.user;
    if (user.watches.containsKey(name)) {
      turn.failed(ErrorKind.REJECTED, "the user has such a watch, end it with unwatch first");
      return;
    }
    turn.answeredBy(user.member());
    turn.limit(
        user.store.protocol.requestTimeout,
        () -> {
          UserWatch late = user.watches.remove(name);
          if (late != null) {
            late.end();
          }
          turn.failed(ErrorKind.TIMEOUT, "the store has not confirmed the watch");
        });
    user.stream(
        turn,
        stream -> {
          UserWatch begun = new UserWatch(turn, stream);
          user.watches.put(name, begun);
          stream.watch(watch, begun);
        });
  }

  private static void find(Turn turn, Consumer<UserWatch> use) {
    UserWatch watch = turn.user.watches.get(turn.text("watchName"));
    if (watch == null) {
      turn.failed(ErrorKind.MISSING, "the user has no such watch");
    } else {
      turn.answeredBy(turn.user.member());
      use.accept(watch);
    }
  }

  /** Lets an action wait for a number of changes, or for all within a time. */
  static void await(Turn turn) {
    boolean whole = turn.has("during");
    Duration time = StoreActionKind.within(turn, whole ? "during" : "within");
    long number = whole ? Long.MAX_VALUE : turn.number("events", 1);
    find(
        turn,
        watch -> {
          watch.waiting = turn;
          watch.needed = number;
          turn.limit(time, () -> watch.timeIsOver(turn, whole));
          watch.tellIfEnough();
        });
  }

  static void end(Turn turn) {
    find(
        turn,
        watch -> {
          turn.user.watches.values().remove(watch);
          watch.end();
          turn.answered(Answer.WRITTEN);
        });
  }

  @Override
  public void started() {
    beginning.answered(Answer.WRITTEN);
  }

  @Override
  public void changed(byte[] key, byte[] value, long changedAt) {
    note(Outcome.all(1, List.of(new Answer.Entry(key, value)), changedAt));
  }

  @Override
  public void removed(byte[] key) {
    note(Outcome.removal(key));
  }

  private void note(Outcome change) {
    beginning.inLoop(
        () -> {
          events++;
          last = change;
          tellIfEnough();
        });
  }

  @Override
  public void interrupted(String why) {
    // it continues; what the store leaves out is in the guide
  }

  @Override
  public void failed(String why) {
    beginning.inLoop(
        () -> {
          if (!beginning.ended()) { // it never began, so that the user may begin it again
            beginning.user.watches.values().remove(this);
            end();
          }
          beginning.failed(ErrorKind.REJECTED, why);
          failure = why;
          tellIfEnough();
        });
  }

  private void tellIfEnough() {
    Turn turn = waiting;
    if (turn != null && !failure.isEmpty()) {
      waiting = null;
      turn.failed(ErrorKind.REJECTED, failure);
    } else if (turn != null && events >= needed) {
      timeIsOver(turn, true);
    }
  }

  private void timeIsOver(Turn turn, boolean enough) {
    waiting = null;
    if (enough) {
      Outcome end = last.with(StoreCheck.COUNT, events);
      last = noChange();
      events = 0;
      turn.end(end);
    } else {
      // without numbers, as Gatling groups equal messages
      turn.failed(ErrorKind.TIMEOUT, "not all events arrived in time");
    }
  }

  /** Ends the watch. Does not wait. */
  void end() {
    stream.unwatch(this);
  }
}
