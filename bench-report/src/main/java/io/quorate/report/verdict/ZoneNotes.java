package io.quorate.report.verdict;

import io.quorate.QuorateException;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.DatabaseRun;
import io.quorate.run.GoText;
import io.quorate.run.HostTimeline;
import io.quorate.run.RunZones;
import io.quorate.run.Unreadable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Footnotes about zones: those of the members, the measured round trips, and the cost of the relay.
 */
final class ZoneNotes {
  private static final String RELAY = "relay-system-metrics-interpolated.csv";
  private static final String CPU = "CPU-MILLISECONDS";

  private ZoneNotes() {}

  /** Returns the notes about a database, each a line without a full stop. */
  static List<String> of(DatabaseRun run) {
    return run.zones()
        .map(zones -> of(run.manifest().store().id(), zones, run.directory()))
        .orElse(List.of());
  }

  static List<String> of(String database, RunZones zones, DatabaseDirectory directory) {
    List<String> notes = new ArrayList<>();
    String id = GoText.visible(database);
    notes.add("%s: %s".formatted(id, GoText.visible(members(zones))));
    zones.links().forEach(link -> notes.add(id + ": " + GoText.visible(link.text())));
    relay(directory).ifPresent(cpu -> notes.add(id + ": " + cpu));
    return notes;
  }

  private static String members(RunZones zones) {
    return "topology %s, members in %s%s"
        .formatted(
            zones.topology(),
            String.join(", ", zones.members()),
            zones.loadGenerator().map(zone -> ", the load generator in " + zone).orElse(""));
  }

  private static Optional<String> relay(DatabaseDirectory directory) {
    try {
      return relay(directory.path().resolve(RELAY));
    } catch (QuorateException problem) {
      return Optional.of(
          new Unreadable(directory.manifest(), problem.getMessage(), "its CPU time is left out")
              .text());
    }
  }

  private static Optional<String> relay(Path file) {
    return HostTimeline.beside(file, List.of(CPU))
        .filter(timeline -> !timeline.steps().isEmpty())
        .map(
            timeline ->
                timeline.steps().stream().mapToDouble(step -> step.growth(CPU)).sum() / 1000)
        .filter(seconds -> !seconds.isNaN())
        .map(
            seconds ->
                "the relay between zones took %s s of CPU in the measured steps, beside servers and load generator"
                    .formatted(
                        new BigDecimal(seconds)
                            .setScale(2, RoundingMode.HALF_EVEN)
                            .toPlainString()));
  }
}
