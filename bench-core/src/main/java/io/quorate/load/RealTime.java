package io.quorate.load;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.ptr.IntByReference;

/**
 * Asks Linux to run a thread as soon as it has something to do, before all threads of usual
 * programs ({@code sched(7)}: {@code SCHED_FIFO}). Root may have that, and users with {@code
 * CAP_SYS_NICE} or a limit of real-time priorities ({@code ulimit -r}).
 */
final class RealTime {
  private static final int THIS_THREAD = 0;
  private static final int USUAL = 0;
  private static final int FIRST_IN_FIRST_OUT = 1;

  /** Threads that this thread starts are usual ones. Only a privileged user may take it back. */
  private static final int RESET_ON_FORK = 0x40000000;

  private static final int LOWEST_PRIORITY = 1;

  private interface C extends Library {
    int sched_setscheduler(int thread, int policy, IntByReference priority);
  }

  private RealTime() {}

  /**
   * Asks for the current thread.
   *
   * @return whether it has it; if not, it waits for a processor as every thread does
   */
  static boolean ask() {
    return schedule(FIRST_IN_FIRST_OUT, LOWEST_PRIORITY);
  }

  /** Makes the current thread a usual one again. */
  static void end() {
    schedule(USUAL, 0);
  }

  private static boolean schedule(int policy, int priority) {
    if (!Platform.isLinux()) {
      return false;
    }
    try {
      return Native.load("c", C.class)
              .sched_setscheduler(THIS_THREAD, policy | RESET_ON_FORK, new IntByReference(priority))
          == 0;
    } catch (LinkageError withoutNativeCode) { // where no library can be unpacked or loaded
      return false;
    }
  }
}
