// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.DaemonThreads;
import io.quorate.FileAction;
import io.quorate.cluster.MemberControl.Impairment;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The pipe that takes the output of a server. A thread copies it to the log; while it does not, the
 * pipe becomes full (64 KiB on Linux), and every thread of the server that logs has to wait. Safe
 * for several threads.
 */
final class LogPipe implements Impairment {
  private static final int PIECE = 8192;

  /** What a thread waits in, as Linux names it: {@code anon_pipe_write}, or the like. */
  private static final String WAITS = "pipe_write";

  private final Process server;
  private boolean blocked;

  private LogPipe(Process server) {
    this.server = server;
  }

  /**
   * Begins to copy the output of a server, until it ends.
   *
   * @param append whether to keep what the file contains
   */
  static LogPipe of(Process server, File log, boolean append) throws IOException {
    LogPipe pipe = new LogPipe(server);
    OutputStream file = new FileOutputStream(log, append);
    DaemonThreads.start("log-pipe", () -> pipe.copy(file));
    server.onExit().thenRun(pipe::close);
    return pipe;
  }

  private void copy(OutputStream file) {
    byte[] piece = new byte[PIECE];
    try (InputStream from = server.getInputStream();
        OutputStream to = file) {
      for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
        awaitUnblocked();
        to.write(piece, 0, read);
      }
    } catch (IOException ended) {
      // the server has ended, or finds the pipe closed when it logs next
      return;
    }
  }

  private synchronized void awaitUnblocked() throws IOException {
    while (blocked) {
      try {
        wait();
      } catch (InterruptedException stop) {
        throw new IOException("interrupted", stop);
      }
    }
  }

  synchronized void block() {
    blocked = true;
  }

  /** Returns whether a thread of the server waits in a write to the pipe now. */
  @Override
  public boolean isObserved() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", "" + server.pid(), "task"))) {
      return threads.anyMatch(LogPipe::waits);
    } catch (IOException ended) {
      return false;
    }
  }

  private static boolean waits(Path thread) {
    return FileAction.attempt(() -> Files.readString(thread.resolve("wchan")).contains(WAITS))
        .orElse(false);
  }

  /** Reads the pipe again. Idempotent. */
  @Override
  public synchronized void close() {
    blocked = false;
    notifyAll();
  }
}
