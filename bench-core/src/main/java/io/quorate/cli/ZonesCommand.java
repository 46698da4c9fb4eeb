package io.quorate.cli;

import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.ZoneCheck;
import io.quorate.install.Installation;
import io.quorate.network.Link;
import io.quorate.network.RoundTrip;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "zones",
    description = {
      "Measures how accurately this machine simulates round trips between zones: pings a "
          + "byte over TCP through a relay.",
      "Takes up to a minute. Exits with 1 if a round trip deviates by more than 0.1 ms at "
          + "the median or 0.5 ms at the 99th percentile: the machine is then too busy or too slow."
    })
final class ZonesCommand extends QuorateCommand implements Callable<Integer> {
  private static final List<Duration> ROUND_TRIPS =
      List.of(
          Duration.ofNanos(300_000),
          Duration.ofNanos(500_000),
          Duration.ofNanos(1_500_000),
          Duration.ofMillis(5),
          Duration.ofMillis(50));
  private static final long MEDIAN_TOLERANCE_NANOS = 100_000;
  private static final long P99_TOLERANCE_NANOS = 500_000;
  private static final String ROW = "%-12s %12s %12s %7s  %s";

  private final Installation installation;

  ZonesCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public Integer call() {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    double before = machine.getSystemLoadAverage();
    ZoneCheck.Result result =
        new ZoneCheck(ClusterSettings.defaults(installation))
            .measure(ROUND_TRIPS.stream().map(Link::of).toList());
    out()
        .printf(
            Locale.ROOT,
            "%s CPUs, load average %.2f before and %.2f after%n",
            machine.getAvailableProcessors(),
            before,
            machine.getSystemLoadAverage());
    return print(result, out()) ? 0 : Quorate.FAILED;
  }

  /** Prints the table, and returns whether all round trips were kept. */
  static boolean print(ZoneCheck.Result result, PrintWriter out) {
    out.println(row("ROUND TRIP", "MEDIAN", "P99", "PINGS", ""));
    out.println(row("no relay", result.direct(), ""));
    boolean kept = true;
    for (int i = 0; i < ROUND_TRIPS.size(); i++) {
      long wanted = ROUND_TRIPS.get(i).toNanos();
      RoundTrip found = result.relayed().get(i);
      boolean near = isNear(wanted, found);
      out.println(row(millis(wanted, 1), found, near ? "kept" : "missed"));
      kept &= near;
    }
    return kept;
  }

  private static boolean isNear(long wantedNanos, RoundTrip found) {
    return Math.abs(found.medianNanos() - wantedNanos) <= MEDIAN_TOLERANCE_NANOS
        && Math.abs(found.p99Nanos() - wantedNanos) <= P99_TOLERANCE_NANOS;
  }

  private static String row(String name, RoundTrip found, String verdict) {
    return row(
        name,
        millis(found.medianNanos(), 3),
        millis(found.p99Nanos(), 3),
        Integer.toString(found.pings()),
        verdict);
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, ROW, cells).stripTrailing();
  }

  private static String millis(long nanos, int digits) {
    return BigDecimal.valueOf(nanos, 6).setScale(digits, RoundingMode.HALF_EVEN).toPlainString()
        + " ms";
  }
}
