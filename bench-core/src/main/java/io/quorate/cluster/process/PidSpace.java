package io.quorate.cluster.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The scope in which a pid is unique: a machine since its last boot, and one container of it.
 *
 * @param machine the name of the machine
 * @param boot differs after each boot; empty if the system does not tell
 * @param container differs between the pid namespaces of Linux; empty elsewhere
 */
record PidSpace(String machine, String boot, String container) {
  /** Returns the scope of this JVM. */
  static PidSpace here() {
    return new PidSpace(
        machineName(), content(Path.of("/proc/sys/kernel/random/boot_id")), pidNamespace());
  }

  /** Returns whether all processes of this scope have ended because the machine was restarted. */
  boolean hasEnded(PidSpace now) {
    return machine.equals(now.machine) && !boot.isEmpty() && !boot.equals(now.boot);
  }

  private static String machineName() {
    String name = content(Path.of("/proc/sys/kernel/hostname"));
    try {
      return name.isEmpty() ? InetAddress.getLocalHost().getHostName() : name;
    } catch (IOException nameless) {
      return "localhost";
    }
  }

  private static String pidNamespace() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException notLinux) {
      return "";
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException notLinux) {
      return "";
    }
  }
}
