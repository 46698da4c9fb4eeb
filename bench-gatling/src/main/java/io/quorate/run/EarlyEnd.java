// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The request to end a run early, by the first Ctrl-C, TERM or end of the terminal. What is running
 * then ends in good order and has results; nothing else begins. Safe for several threads.
 */
public final class EarlyEnd {
  /** Exit code of a process that a signal ended, minus the number of the signal. */
  static final int SIGNALLED = 128;

  /** The last signal to this process that was handled, if there was one. */
  private static volatile Optional<Cause> received = Optional.empty();

  private final List<Runnable> actions = new ArrayList<>();
  private final Set<Cause> seen = new HashSet<>();
  private String continuation = "";
  private boolean listens;
  private Optional<Cause> cause = Optional.empty();

  /** A signal by which an operator, a shell or a scheduler ends a process. */
  public enum Cause {
    HUP(1, "the terminal was closed"),
    INT(2, "Ctrl-C"),
    TERM(15, "TERM");

    private final int number;
    private final String text;

    Cause(int number, String text) {
      this.number = number;
      this.text = text;
    }

    /** Returns the exit code of a process that this signal ended, by the convention of shells. */
    public int exitCode() {
      return SIGNALLED + number;
    }

    /** Sends this process the signal. */
    void raise() {
      try {
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal
            .getMethod("raise", signal)
            .invoke(null, signal.getConstructor(String.class).newInstance(name()));
      } catch (ReflectiveOperationException without) {
        System.exit(exitCode());
      }
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * Handles the signals to this process from now on. Idempotent. A signal that the process ignores,
   * as one in the background does, stays ignored; without the module of the JDK that handles
   * signals, the first one ends the process.
   *
   * @param isInChargeOfEnd whether the second signal of a kind ends the process; otherwise its
   *     parent decides
   */
  public synchronized void listen(boolean isInChargeOfEnd) {
    if (listens) {
      return;
    }
    listens = true;
    try {
      // by reflection, as javac has a warning for this class that cannot be suppressed
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      for (Cause each : Cause.values()) {
        Object handling =
            Proxy.newProxyInstance(
                handler.getClassLoader(),
                new Class<?>[] {handler},
                (proxy, method, arguments) -> {
                  received(each, isInChargeOfEnd);
                  return null;
                });
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(each.name()), handling);
      }
    } catch (ReflectiveOperationException without) {
      // the first signal ends the process, which removes its keys, too
    }
  }

  /** Returns the last signal to this process that was handled, in any of its runs. */
  public static Optional<Cause> ofProcess() {
    return received;
  }

  private void received(Cause signal, boolean isInChargeOfEnd) {
    received = Optional.of(signal);
    boolean again;
    synchronized (this) {
      again = !seen.add(signal);
    }
    if (again && isInChargeOfEnd && signal != Cause.HUP) {
      System.exit(signal.exitCode());
    }
    if (request(signal) && isInChargeOfEnd) {
      Console.lines(
          "ending early (%s): verifies, removes its keys and writes the page%s"
              .formatted(
                  signal, signal == Cause.HUP ? "" : "; another " + signal + " ends it at once"));
    }
  }

  /** Requests the end; returns whether that is the first request. */
  public boolean request(Cause by) {
    List<Runnable> told;
    synchronized (this) {
      if (cause.isPresent()) {
        return false;
      }
      cause = Optional.of(by);
      told = List.copyOf(actions);
    }
    told.forEach(Runnable::run);
    return true;
  }

  /** Runs an action once the end is requested, at once if it was. */
  public void whenRequested(Runnable action) {
    boolean before;
    synchronized (this) {
      actions.add(action);
      before = cause.isPresent();
    }
    if (before) {
      action.run();
    }
  }

  /** Removes an action that was added. */
  synchronized void forget(Runnable action) {
    actions.remove(action);
  }

  public synchronized Optional<Cause> cause() {
    return cause;
  }

  /** Sets what a user can do with the results of a run that ends at once. */
  synchronized void continueBy(String text) {
    continuation = text;
  }

  synchronized String continuation() {
    return continuation;
  }
}
