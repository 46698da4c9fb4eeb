package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.measure.EventCounts;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.WatchRow;
import java.util.ArrayList;
import java.util.List;

/** Footnotes of watchers: events that were lost, coalesced, duplicated or out of order. */
final class WatchNotes {
  private WatchNotes() {}

  /** Returns the notes of a run by step; none if it had no watchers, or all they should have. */
  static List<String> of(DatabaseRun run) {
    String id = VisibleText.of(run.manifest().store().id());
    return run.watches().stream().flatMap(row -> note(id, row).stream()).toList();
  }

  private static List<String> note(String id, WatchRow row) {
    EventCounts counts = row.counts();
    List<String> parts = new ArrayList<>();
    add(parts, counts.lost(), "were lost");
    add(parts, counts.coalesced(), "were coalesced with later ones of the same key");
    add(parts, counts.duplicated(), "came again");
    add(parts, counts.reordered(), "came out of order");
    if (parts.isEmpty()) {
      return List.of();
    }
    String cut =
        counts.interruptions() == 0
            ? ""
            : "; watches were cut " + NumberFormats.commas(counts.interruptions()) + " times";
    return List.of(
        "%s: of %s events of watchers %s were delivered; %s%s (step %d)"
            .formatted(
                id,
                NumberFormats.commas(counts.expected()),
                NumberFormats.commas(counts.delivered()),
                String.join(", ", parts),
                cut,
                row.step()));
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(NumberFormats.commas(count) + " " + what);
    }
  }
}
