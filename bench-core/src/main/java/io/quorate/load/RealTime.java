package io.quorate.load;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import com.sun.jna.ptr.IntByReference;
import java.io.File;

/**
 * Asks Linux to run every thread of this process before all threads of usual programs ({@code
 * sched(7)}: {@code SCHED_RR}). It is for all threads, so that no store has an advantage: which
 * threads are on the path of a request differs between client libraries. Root may have it, and
 * users with {@code CAP_SYS_NICE} or a limit of real-time priorities ({@code ulimit -r}).
 */
public final class RealTime {
  private static final int ROUND_ROBIN = 2;

  /** Threads and processes that are started later are usual ones, servers above all. */
  private static final int RESET_ON_FORK = 0x40000000;

  private static final int MIN_PRIORITY = 1;

  private static final String[] NONE = {};

  private interface C extends Library {
    C LIBRARY = Native.load("c", C.class);

    int sched_setscheduler(int thread, int policy, IntByReference priority);
  }

  private RealTime() {}

  /**
   * Asks for all threads that there are now. To be called again when threads were started.
   *
   * @return whether the system granted it; it does so for all threads or for none
   */
  public static boolean ask() {
    if (!Platform.isLinux()) {
      return false;
    }
    try {
      boolean granted = ask(0); // this thread, which does not end meanwhile
      String[] threads = new File("/proc/self/task").list();
      for (String thread : granted && threads != null ? threads : NONE) {
        ask(Integer.parseInt(thread)); // fails if it has ended
      }
      return granted;
    } catch (LinkageError withoutNativeCode) { // where no library can be unpacked or loaded
      return false;
    }
  }

  private static boolean ask(int thread) {
    IntByReference priority = new IntByReference(MIN_PRIORITY);
    return C.LIBRARY.sched_setscheduler(thread, ROUND_ROBIN | RESET_ON_FORK, priority) == 0;
  }
}
