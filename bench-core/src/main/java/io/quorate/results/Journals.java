// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.Problems;
import io.quorate.history.HistoryFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a run recorded one by one: faults, sessions, locks, writes that watchers awaited, and bytes
 * between zones. Each list is in the order of its file, and empty without one.
 *
 * @param agreement whether all members had the same keys in the end; empty if they were not asked
 * @param history file of all requests of a run with faults, which was read once as a check: it may
 *     be too large to be kept; empty if there is none, or it cannot be read
 */
public record Journals(
    List<FaultRecord> faults,
    List<SessionRecord> sessions,
    List<LockRecord> locks,
    List<WatchedWrite> writes,
    List<ZoneTraffic> traffic,
    Optional<MemberAgreement> agreement,
    Optional<Path> history) {
  static Journals read(DatabaseDirectory directory, Problems problems) {
    return new Journals(
        lines(FaultRecord.FILE, directory, "faults", problems),
        lines(SessionRecord.FILE, directory, "sessions", problems),
        lines(LockRecord.FILE, directory, "locks", problems),
        lines(WatchedWrite.FILE, directory, "writes that watchers awaited", problems),
        lines(ZoneTraffic.FILE, directory, "bytes between zones", problems),
        problems
            .attempt(
                MemberAgreement.file(directory),
                "whether members had the same keys is left out",
                () -> MemberAgreement.read(directory))
            .flatMap(known -> known),
        problems
            .attempt(
                FaultRecord.history(directory),
                "outages and the check of all requests are left out",
                () -> history(directory))
            .flatMap(known -> known));
  }

  private static Optional<Path> history(DatabaseDirectory directory) {
    Path file = FaultRecord.history(directory);
    if (!Files.exists(file) && !Files.exists(FaultRecord.FILE.file(directory))) {
      return Optional.empty();
    }
    HistoryFile.read(file, any -> {});
    return Optional.of(file);
  }

  private static <T> List<T> lines(
      JsonLines<T> file, DatabaseDirectory directory, String what, Problems problems) {
    return problems
        .attempt(file.file(directory), "the " + what + " are left out", () -> file.read(directory))
        .orElse(List.of());
  }
}
