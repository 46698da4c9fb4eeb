// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.Pause;
import io.quorate.store.Login;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A shell process ({@code guard.sh}) that ends the servers and removes their data when this JVM
 * ends. It notices any end of the JVM, because that closes a pipe.
 */
final class Guard {
  private static final long END_SECONDS = 5;
  private static final String READY = "ready\n";

  /**
   * Shell script that becomes the command in the positional parameters, in a new session, so that
   * signals to the process group of this JVM do not reach it. The pid stays the same. Linux has
   * {@code setsid}, macOS has Perl; a system without both leaves it in the process group.
   */
  static final String EXEC_IN_NEW_SESSION =
      """
      command -v setsid >/dev/null 2>&1 && exec setsid "$@"
      command -v perl >/dev/null 2>&1 &&
        exec perl -e 'use POSIX (); POSIX::setsid(); exec { $ARGV[0] } @ARGV' -- "$@"
      exec "$@"
      """;

  private final Process shell;
  private final OutputStream commands;
  private volatile boolean dismissed;

  private Guard(Process shell) {
    this.shell = shell;
    this.commands = shell.getOutputStream();
  }

  /**
   * Starts a guard of the data directory, which need not exist yet, without servers. Returns as
   * soon as signals to the process group of this JVM no longer end the guard.
   */
  static Guard over(Path data) throws IOException {
    Process shell =
        start(
            "guard.sh",
            Redirect.DISCARD,
            Map.of(),
            data.toString(),
            OwnedDataDir.markOf(data).toString());
    shell.getInputStream().close();
    return new Guard(shell);
  }

  /**
   * Starts a script that is a resource, and that prints {@code ready} as soon as signals to the
   * process group of this JVM no longer end it; waits for that.
   */
  static Process start(
      String script, Redirect errors, Map<String, String> environment, String... arguments)
      throws IOException {
    try (InputStream resource = Guard.class.getResourceAsStream(script)) {
      String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      List<String> command = new ArrayList<>();
      command.addAll(List.of("/bin/sh", "-c", EXEC_IN_NEW_SESSION, "quorate-guard"));
      command.addAll(List.of("/bin/sh", "-c", text, "quorate-guard"));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
      builder.environment().keySet().removeAll(Login.VARIABLES);
      builder.environment().putAll(environment);
      Process shell = builder.start();
      if (shell.getInputStream().readNBytes(READY.length()).length < READY.length()) {
        throw new IOException("it ended at once");
      }
      return shell;
    }
  }

  long pid() {
    return shell.pid();
  }

  /** Calls the action, from another thread, if the guard ends before it was dismissed. */
  void onLoss(Runnable action) {
    shell
        .onExit()
        .thenRun(
            () -> {
              if (!dismissed) {
                new Thread(action, "quorate-guard-lost").start();
              }
            });
  }

  void add(long pid) throws IOException {
    tell("+" + pid);
  }

  /** Forgets a server that has ended: another program may soon have its pid. */
  void forget(long pid) {
    try {
      tell("-" + pid);
    } catch (IOException nothing) {
      // it has ended, so it will not signal any process
    }
  }

  /** Ends the guard without stopping servers or removing data. */
  void dismiss() {
    dismissed = true;
    try {
      tell("done");
      commands.close();
    } catch (IOException nothing) {
      // it has ended already
    }
    Pause.until(() -> shell.waitFor(END_SECONDS, TimeUnit.SECONDS));
    shell.destroyForcibly();
  }

  private synchronized void tell(String command) throws IOException {
    if (!shell.isAlive()) {
      throw new IOException("the guard of the servers has ended");
    }
    commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
    commands.flush();
  }
}
