// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import com.sun.management.OperatingSystemMXBean;
import io.quorate.FileAction;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The machine and the JVM that generated the load.
 *
 * @param os operating system, such as {@code Debian GNU/Linux 12 (bookworm)}
 * @param cpuModel model of the CPUs, of ARM by numbers; empty if the system does not report it
 * @param memoryBytes memory of the machine or of the JVM's container
 * @param disk file system and device of the working directory, below which local servers keep their
 *     data, such as {@code ext4 on vda}
 * @param container limits of the control groups of this process, such as {@code cpu.max 150000
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
        FileAction.attempt(() -> Files.readAllLines(Path.of("/proc/cpuinfo")))
            .flatMap(HostInfo::modelOfCpus),
        totalMemory(),
        fileSystem(),
        limits(
            Path.of("/sys/fs/cgroup"),
            FileAction.attempt(() -> Files.readAllLines(Path.of("/proc/self/cgroup")))
                .filter(groups -> !groups.isEmpty())
                .orElse(List.of("0::/"))),
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

  /** Returns the model in {@code /proc/cpuinfo}; Linux on ARM only has numbers for it. */
  static Optional<String> modelOfCpus(List<String> lines) {
    return value(lines, "model name")
        .or(
            () ->
                value(lines, "CPU implementer")
                    .map(maker -> "ARM implementer " + maker)
                    .map(text -> text + ", part " + value(lines, "CPU part").orElse("unknown")));
  }

  private static Optional<String> value(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .filter(value -> !value.isEmpty())
        .findFirst();
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

  /**
   * Returns the smallest limits of a process's control groups, version 1 or 2, and of those that
   * contain them, in the words of version 2.
   *
   * @param mount where all groups are
   * @param groups lines of {@code /proc/self/cgroup}: number, controllers of version 1, path
   */
  static Optional<String> limits(Path mount, List<String> groups) {
    List<String> cpu = new ArrayList<>();
    List<String> memory = new ArrayList<>();
    for (String line : groups) {
      String[] parts = line.split(":", 3);
      for (String controller : parts[1].split(",")) {
        Path root = mount.resolve(controller);
        Path own = root.resolve(parts[2].substring(1)).normalize();
        // in a container, the path may be one of the machine
        for (Path each = own.startsWith(root) ? own : root;
            each != null && each.startsWith(root);
            each = each.getParent()) {
          read(cpu, each, "cpu.max");
          read(cpu, each, "cpu.cfs_quota_us", "cpu.cfs_period_us");
          read(memory, each, "memory.max");
          read(memory, each, "memory.limit_in_bytes");
        }
      }
    }
    List<String> limits = new ArrayList<>();
    smallest(cpu).ifPresent(limit -> limits.add("cpu.max " + limit));
    smallest(memory).ifPresent(limit -> limits.add("memory.max " + limit));
    return limits.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", limits));
  }

  private static void read(List<String> into, Path group, String... files) {
    try {
      List<String> words = new ArrayList<>();
      for (String each : files) {
        words.add(Files.readString(group.resolve(each)).strip());
      }
      into.add(String.join(" ", words));
    } catch (IOException noSuchGroup) {
      // the other version, another controller, or the root group of a machine
    }
  }

  /** Returns the smallest number, or part of a period; of no limit, there is a word or 2^63. */
  private static Optional<String> smallest(List<String> limits) {
    return limits.stream()
        .filter(limit -> limit.matches("[0-9]{1,18}( [0-9]{1,18})?"))
        .min(
            Comparator.comparingDouble(
                limit -> {
                  String[] parts = (limit + " 1").split(" ");
                  return Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]);
                }));
  }

  private static OptionalLong totalMemory() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? OptionalLong.of(system.getTotalMemorySize())
        : OptionalLong.empty();
  }
}
