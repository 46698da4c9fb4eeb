// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.hardware.VirtualMemory;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;
import oshi.spi.SystemInfoProvider;
import oshi.util.GlobalConfig;

/**
 * Reads values of this machine from OSHI, and the disk values that OSHI does not have. Values of
 * the whole machine are read once per second, however many targets use them. Not for several
 * threads.
 *
 * <p>On Linux OSHI reads {@code /proc} and {@code /sys} itself, without JNA. This needs a third of
 * the time, and no native code in the load generator, about which new JDKs warn.
 */
final class Machine {
  private static final String GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

  private static final List<TickType> BUSY =
      List.of(TickType.USER, TickType.NICE, TickType.SYSTEM, TickType.IRQ, TickType.SOFTIRQ);

  static {
    if (isLinux()) {
      // milliseconds; by default, values at the ends of steps would be up to 0.3 s old
      GlobalConfig.set(GlobalConfig.OSHI_UTIL_MEMOIZER_EXPIRATION, 10);
    }
  }

  private final OperatingSystem system;
  private final HardwareAbstractionLayer hardware;
  private final Map<String, NetworkIF> interfaces = new HashMap<>();
  private final Map<String, NetworkReading> networks = new HashMap<>();
  private Map<String, DiskReading> disks = Map.of();
  private final KernelText kernel = new KernelText();
  private MachineReading reading = MachineReading.UNKNOWN;

  Machine(List<String> interfaceNames) {
    SystemInfoProvider info = systemInfo();
    this.system = info.getOperatingSystem();
    this.hardware = info.getHardware();
    for (NetworkIF each : hardware.getNetworkIFs(true)) {
      if (interfaceNames.contains(each.getName())) {
        interfaces.put(each.getName(), each);
      }
    }
  }

  static SystemInfoProvider systemInfo() {
    return isLinux() ? new oshi.nativefree.SystemInfo() : new oshi.SystemInfo();
  }

  static boolean isLinux() {
    return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
  }

  /** Reads the values of the whole machine again. */
  void refresh() {
    reading = MachineReading.UNKNOWN;
    networks.clear();
    interfaces.forEach(
        (name, each) -> {
          if (each.updateAttributes()) {
            networks.put(name, reading(each));
          }
        });
    // OSHI has no separate milliseconds of reads and writes, and no values of partitions
    disks = DiskReading.all();
    reading = measured();
  }

  private MachineReading measured() {
    CentralProcessor processor = hardware.getProcessor();
    GlobalMemory memory = hardware.getMemory();
    VirtualMemory swap = memory.getVirtualMemory();
    long[] ticks = processor.getSystemCpuLoadTicks();
    return new MachineReading(
        Arrays.stream(processor.getSystemLoadAverage(3)).boxed().toList(),
        processor.getLogicalProcessorCount(),
        LongStream.of(ticks).sum(),
        BUSY.stream().mapToLong(type -> ticks[type.getIndex()]).sum(),
        ticks[TickType.STEAL.getIndex()],
        Pressure.CPU.millis(kernel),
        Pressure.IO.millis(kernel),
        Pressure.MEMORY.millis(kernel),
        system.getInternetProtocolStats().getTCPv4Stats().getSegmentsRetransmitted(),
        swap.getSwapPagesIn() + swap.getSwapPagesOut(),
        memory.getAvailable(),
        memory.getTotal(),
        kernel.of(GOVERNOR).map(String::strip).orElse(""));
  }

  private static NetworkReading reading(NetworkIF each) {
    return new NetworkReading(
        each.getName(),
        each.getBytesRecv(),
        each.getPacketsRecv(),
        each.getBytesSent(),
        each.getPacketsSent());
  }

  /** Returns a running process; empty if it has ended. */
  Optional<OSProcess> process(long pid) {
    return pid > Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.ofNullable(system.getProcess((int) pid));
  }

  /** Returns the values of the whole machine. */
  MachineReading reading() {
    return reading;
  }

  Optional<NetworkReading> network(String name) {
    return Optional.ofNullable(networks.get(name));
  }

  Optional<DiskReading> disk(String device) {
    return Optional.ofNullable(disks.get(device));
  }

  /**
   * A resource of the machine that threads wait for, as Linux counts it in {@code /proc/pressure}.
   */
  enum Pressure {
    CPU,
    IO,
    MEMORY;

    private static final Pattern SOME = Pattern.compile("(?m)^some .*\\btotal=(\\d{1,18})$");

    /**
     * Returns the time in which a thread or more waited for the resource; negative where Linux does
     * not count it.
     */
    long millis(KernelText kernel) {
      return kernel
          .of("/proc/pressure/" + name().toLowerCase(Locale.ROOT))
          .map(Pressure::millis)
          .orElse(-1L);
    }

    /** Parses the total of the line {@code some}, in microseconds; negative if there is none. */
    static long millis(String text) {
      Matcher some = SOME.matcher(text);
      return some.find() ? TimeUnit.MICROSECONDS.toMillis(Long.parseLong(some.group(1))) : -1;
    }
  }
}
