package io.quorate.cluster.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells whether processes that are not children of this JVM are running. */
public final class ProcessState {
  private ProcessState() {}

  /**
   * Returns whether a process runs; false for a zombie, which has ended but whose parent has not
   * waited for it: where the first process of a container never does, it keeps its pid for ever.
   */
  public static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isZombie(process.pid());
  }

  private static boolean isZombie(long pid) {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.exists(stat)) {
      return false;
    }
    try {
      // PID (NAME) STATE ..., and a name may contain anything
      String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
      int name = text.lastIndexOf(") ");
      return name >= 0 && "ZX".indexOf(text.charAt(name + 2)) >= 0;
    } catch (IOException justEnded) {
      return true;
    }
  }
}
