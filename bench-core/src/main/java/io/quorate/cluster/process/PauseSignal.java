// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.quorate.QuorateException;
import java.util.Optional;

/** Sends the signals that pause and resume a process, which Java cannot, without a program. */
public final class PauseSignal {
  private static final int STOP = Platform.isLinux() ? 19 : 17;
  private static final int CONT = Platform.isLinux() ? 18 : 19;

  private interface C extends Library {
    C LIBRARY = Native.load("c", C.class);

    int kill(int pid, int signal) throws LastErrorException;
  }

  private PauseSignal() {}

  /** Returns why no signal can be sent on this machine; empty if it can. */
  public static Optional<String> obstacle() {
    try {
      send(ProcessHandle.current().pid(), CONT);
      return Optional.empty();
    } catch (QuorateException impossible) {
      return Optional.of(impossible.getMessage());
    }
  }

  static void pause(long pid) {
    send(pid, STOP);
  }

  static void resume(long pid) {
    send(pid, CONT);
  }

  private static void send(long pid, int signal) {
    try {
      C.LIBRARY.kill(Math.toIntExact(pid), signal);
    } catch (LastErrorException refused) {
      throw new QuorateException(
          "the signal %s cannot be sent to process %d: error %d of the system"
              .formatted(signal == STOP ? "STOP" : "CONT", pid, refused.getErrorCode()),
          refused);
    } catch (LinkageError withoutNativeCode) {
      throw new QuorateException(
          "signals cannot be sent, as JNA's native code cannot be loaded: name a directory where"
              + " files may be executed with JAVA_TOOL_OPTIONS=-Djna.tmpdir=DIR",
          withoutNativeCode);
    }
  }
}
