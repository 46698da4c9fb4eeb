package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.requests.AttemptCounts;
import java.util.List;

/** Footnotes of requests that are repeated until no other client has interfered. */
final class AttemptNotes {
  private AttemptNotes() {}

  /** Returns the notes of a run by step; none if it has no such requests. */
  static List<String> of(DatabaseRun run) {
    String id = VisibleText.of(run.manifest().store().id());
    return run.clients().stream()
        .flatMap(results -> results.attempts().stream())
        .map(counts -> id + ": " + note(counts))
        .toList();
  }

  private static String note(AttemptCounts counts) {
    return "%s %s requests took %s attempts, of which %s met another client's write (step %d)"
        .formatted(
            NumberFormats.commas(counts.requests()),
            counts.operation(),
            NumberFormats.commas(counts.attempts()),
            NumberFormats.commas(counts.conflicts()),
            counts.step());
  }
}
