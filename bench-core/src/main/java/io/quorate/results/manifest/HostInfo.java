// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The machine and the JVM that generated the load.
 *
 * @param os operating system, such as {@code Debian GNU/Linux 12 (bookworm)}
 * @param cpuModel model of the CPUs; empty if the system does not report it
 * @param memoryBytes memory of the machine or of the JVM's container
 * @param disk file system and device of the working directory, below which local servers keep their
 *     data, such as {@code ext4 on vda}
 * @param container limits of the control group of this container, such as {@code cpu.max 150000
 *     100000, memory.max 4294967296}; empty without any
 * @param jvmFlags flags on its command line; the values of system properties that may be secrets
 *     are replaced by {@code ***}
 * @param process process of the load generator; empty when the run has ended
 */
public record HostInfo(
    Optional<String> host,
    String os,
    String kernel,
    int cores,
    Optional<String> cpuModel,
    OptionalLong memoryBytes,
    Optional<String> disk,
    Optional<String> container,
    String jvmVersion,
    String jvmVendor,
    List<String> jvmFlags,
    Optional<LoadProcess> process) {
  /** Replacement for a value that may be a secret. */
  public static final String MASK = "***";

  private static final Pattern SECRET =
      Pattern.compile(
          "(-D[^=]*(?:password|secret|token|key)[^=]*=).*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern PATH = Pattern.compile("([=:,])/.*", Pattern.DOTALL);

  public HostInfo {
    jvmFlags = List.copyOf(jvmFlags);
  }

  public static HostInfo ofThisMachine() {
    return new HostInfo(
        hostName(),
        operatingSystem(),
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        modelOfCpus(),
        totalMemory(),
        fileSystem(),
        limits(Path.of("/sys/fs/cgroup")),
        System.getProperty("java.runtime.version"),
        System.getProperty("java.vendor"),
        masked(ManagementFactory.getRuntimeMXBean().getInputArguments()),
        LoadProcess.current());
  }

  /** The process of a load generator, while it runs. */
  public record LoadProcess(long pid, Instant start) {
    /** Java derives the start from the time of the boot, which moves when the clock is set. */
    private static final Duration CLOCK = Duration.ofSeconds(2);

    private static Optional<LoadProcess> current() {
      ProcessHandle own = ProcessHandle.current();
      return own.info().startInstant().map(start -> new LoadProcess(own.pid(), start));
    }

    /** Returns whether it runs on this machine, where another process may have its number. */
    boolean isAlive() {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .flatMap(found -> found.info().startInstant())
          .filter(found -> Duration.between(start, found).abs().compareTo(CLOCK) < 0)
          .isPresent();
    }
  }

  HostInfo withoutProcess() {
    return ended(host, jvmFlags);
  }

  /** Returns this machine without its name, and without the absolute paths in its flags. */
  public HostInfo withoutNames() {
    return ended(
        Optional.empty(),
        jvmFlags.stream().map(flag -> PATH.matcher(flag).replaceFirst("$1" + MASK)).toList());
  }

  /** Returns this machine, whose servers keep their data on a file system above its own. */
  public HostInfo withDisk(String above) {
    return new HostInfo(
        host,
        os,
        kernel,
        cores,
        cpuModel,
        memoryBytes,
        Optional.of(above + ", above " + disk.orElse("an unknown one")),
        container,
        jvmVersion,
        jvmVendor,
        jvmFlags,
        process);
  }

  private HostInfo ended(Optional<String> itsHost, List<String> flags) {
    return new HostInfo(
        itsHost,
        os,
        kernel,
        cores,
        cpuModel,
        memoryBytes,
        disk,
        container,
        jvmVersion,
        jvmVendor,
        flags,
        Optional.empty());
  }

  static List<String> masked(List<String> flags) {
    return flags.stream().map(flag -> SECRET.matcher(flag).replaceFirst("$1" + MASK)).toList();
  }

  private static Optional<String> hostName() {
    try {
      return Optional.of(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException unresolved) {
      return Optional.ofNullable(System.getenv("HOSTNAME"));
    }
  }

  private static String operatingSystem() {
    String family = System.getProperty("os.name");
    try {
      return Files.readAllLines(Path.of("/etc/os-release")).stream()
          .filter(line -> line.startsWith("PRETTY_NAME="))
          .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
          .findFirst()
          .orElse(family);
    } catch (IOException notLinux) {
      return family;
    }
  }

  private static Optional<String> modelOfCpus() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .filter(model -> !model.isEmpty())
          .findFirst();
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }

  private static Optional<String> fileSystem() {
    try {
      FileStore store = Files.getFileStore(Path.of("").toAbsolutePath());
      String device = store.name().replaceFirst("^/dev/", "");
      return Optional.of(
          device.equals(store.type()) ? device : "%s on %s".formatted(store.type(), device));
    } catch (IOException | SecurityException unknown) {
      return Optional.empty();
    }
  }

  /** Returns the limits in the files of a control group, version 2. */
  static Optional<String> limits(Path group) {
    List<String> limits = new ArrayList<>();
    for (String name : List.of("cpu.max", "memory.max")) {
      try {
        String text = Files.readString(group.resolve(name)).strip();
        if (!text.startsWith("max")) {
          limits.add(name + " " + text);
        }
      } catch (IOException noSuchGroup) {
        // the root group of a machine has no such files
        continue;
      }
    }
    return limits.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", limits));
  }

  private static OptionalLong totalMemory() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? OptionalLong.of(system.getTotalMemorySize())
        : OptionalLong.empty();
  }
}
