// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.ptr.IntByReference;
import java.io.File;

/**
 * Asks Linux to give every thread of this process priority over normal threads ({@code sched(7)}:
 * {@code SCHED_RR}). It applies to all threads, so that no store has an advantage: client libraries
 * use different threads for requests. It needs root, {@code CAP_SYS_NICE} or a limit of real-time
 * priorities ({@code ulimit -r}).
 */
public final class RealTime {
  private static final int ROUND_ROBIN = 2;

  /** Flag that gives later threads and processes, especially servers, normal priority. */
  private static final int RESET_ON_FORK = 0x40000000;

  private static final int MIN_PRIORITY = 1;

  private static final String[] NONE = {};

  private interface C extends Library {
    C LIBRARY = Native.load("c", C.class);

    int sched_setscheduler(int thread, int policy, IntByReference priority);
  }

  private RealTime() {}

  /**
   * Sets the priority of all current threads. To be called again after threads were started.
   *
   * @return whether the system granted it, for all threads or for none
   */
  public static boolean ask() {
    if (!Platform.isLinux()) {
      return false;
    }
    try {
      boolean granted = ask(0); // this thread, which does not end meanwhile
      String[] threads = new File("/proc/self/task").list();
      for (String thread : granted && threads != null ? threads : NONE) {
        ask(Integer.parseInt(thread)); // fails if the thread has ended
      }
      return granted;
    } catch (
        LinkageError withoutNativeCode) { // on systems where no library can be unpacked or loaded
      return false;
    }
  }

  private static boolean ask(int thread) {
    IntByReference priority = new IntByReference(MIN_PRIORITY);
    return C.LIBRARY.sched_setscheduler(thread, ROUND_ROBIN | RESET_ON_FORK, priority) == 0;
  }
}
