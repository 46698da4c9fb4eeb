// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.format.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a run recorded one by one: faults, sessions, locks, and writes that watchers awaited. Each
 * list is in the order of its file, and empty without one.
 *
 * @param agreement whether all members had the same keys in the end; empty if they were not asked
 */
public record Journals(
    List<FaultRecord> faults,
    List<SessionRecord> sessions,
    List<LockRecord> locks,
    List<WatchedWrite> writes,
    Optional<MemberAgreement> agreement) {
  static Journals read(DatabaseDirectory directory, Problems problems) {
    return new Journals(
        lines(FaultRecord.file(directory), () -> FaultRecord.read(directory), "faults", problems),
        lines(
            SessionRecord.file(directory),
            () -> SessionRecord.read(directory),
            "sessions",
            problems),
        lines(LockRecord.file(directory), () -> LockRecord.read(directory), "locks", problems),
        lines(
            WatchedWrite.file(directory),
            () -> WatchedWrite.read(directory),
            "writes that watchers awaited",
            problems),
        problems
            .attempt(
                MemberAgreement.file(directory),
                "whether members had the same keys is left out",
                () -> MemberAgreement.read(directory))
            .flatMap(known -> known));
  }

  private static <T> List<T> lines(
      Path file, Supplier<List<T>> lines, String what, Problems problems) {
    return problems.attempt(file, "the " + what + " are left out", lines).orElse(List.of());
  }
}
