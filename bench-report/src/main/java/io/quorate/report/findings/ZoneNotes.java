package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunZones;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Footnotes about zones: those of the members, the measured round trips, and the cost of the relay.
 */
final class ZoneNotes {
  private ZoneNotes() {}

  /** Returns the notes about a database, each a line without a full stop. */
  static List<String> of(DatabaseRun run, Optional<HostAnalysis> host) {
    OptionalDouble relay = host.map(HostAnalysis::relaySeconds).orElseGet(OptionalDouble::empty);
    return run.zones()
        .map(zones -> of(run.manifest().store().id(), zones, relay))
        .orElse(List.of());
  }

  static List<String> of(String database, RunZones zones, OptionalDouble relaySeconds) {
    List<String> notes = new ArrayList<>();
    String id = VisibleText.of(database);
    notes.add("%s: %s".formatted(id, VisibleText.of(members(zones))));
    zones.links().forEach(link -> notes.add(id + ": " + VisibleText.of(link.text())));
    relaySeconds.ifPresent(seconds -> notes.add(id + ": " + relay(seconds)));
    return notes;
  }

  private static String members(RunZones zones) {
    return "topology %s, members in %s%s"
        .formatted(
            zones.topology(),
            String.join(", ", zones.members()),
            zones.loadGenerator().map(zone -> ", the load generator in " + zone).orElse(""));
  }

  private static String relay(double seconds) {
    return "the relay between zones took %s s of CPU in the measured steps, beside servers and load generator"
        .formatted(new BigDecimal(seconds).setScale(2, RoundingMode.HALF_EVEN).toPlainString());
  }
}
