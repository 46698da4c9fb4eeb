// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.scenario.FaultPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A fault that a run caused: a line of {@code faults.jsonl}. Times are nanoseconds since the
 * beginning of the history in {@code history.bin}.
 *
 * @param number number from 1, in the order of time
 * @param members names of the members that it affected
 * @param startUnixNanos the start, in nanoseconds since 1970
 * @param startNanos clock read just before the first signal, order to the relay, command or
 *     request; of slow syncs, when strace has attached
 * @param endNanos when the members were resumed or started again, or their network was restored
 * @param electedNanos when another member first reported that it leads; empty if none did, or if
 *     the leader was not affected
 * @param servingNanos when all members answered and had a leader again; empty if they did not
 * @param caughtUpNanos when the affected members had applied what the leader had applied at the end
 *     of the fault (a further member: before its start), or when a restored server served all keys;
 *     empty if they had not, or if no other member led then
 * @param untilNanos end of the time in which its effects are measured
 * @param problem why it was not caused, or had no effect; empty if it took effect
 * @param observed what maintenance did or a power cut discarded, in words; empty for other faults
 * @param notStarted which members did not start again after a power cut, with what they logged last
 */
public record FaultRecord(
    int number,
    FaultPlan.Kind kind,
    List<String> members,
    long startUnixNanos,
    long startNanos,
    long endNanos,
    long untilNanos,
    Optional<String> leaderBefore,
    Optional<String> leaderAfter,
    OptionalLong electedNanos,
    OptionalLong servingNanos,
    OptionalLong caughtUpNanos,
    Optional<String> problem,
    Optional<String> observed,
    Optional<List<String>> notStarted) {
  public static final JsonLines<FaultRecord> FILE =
      new JsonLines<>("faults.jsonl", FaultRecord.class);

  /** Name of the file with all requests of a run with faults. */
  public static final String HISTORY = "history.bin";

  public FaultRecord {
    members = List.copyOf(members);
    if (endNanos < startNanos || untilNanos < startNanos) {
      throw new IllegalArgumentException("found an end before the start of the fault");
    }
  }

  public boolean tookEffect() {
    return problem.isEmpty();
  }

  /** Returns the file with all requests of a run with faults. */
  public static Path history(DatabaseDirectory directory) {
    return directory.path().resolve(HISTORY);
  }
}
