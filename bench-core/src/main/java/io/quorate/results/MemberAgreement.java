// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether all members had the same values after a run with faults: {@code agreement.json}.
 *
 * @param keys number of keys that were read from every member
 * @param ofKeys number of keys of the load; empty in older files
 * @param differences sentences about keys whose values differ, at most {@value #MOST}
 * @param differing number of keys whose values differ
 * @param problem why the members could not be compared; empty if they were
 */
@FormatVersion(1)
public record MemberAgreement(
    int keys,
    OptionalLong ofKeys,
    int differing,
    List<String> differences,
    Optional<String> problem) {
  /** Most differences that are kept. */
  public static final int MOST = 20;

  public MemberAgreement {
    differences = List.copyOf(differences.subList(0, Math.min(MOST, differences.size())));
  }

  static Path file(DatabaseDirectory directory) {
    return directory.path().resolve("agreement.json");
  }

  public void write(DatabaseDirectory directory) {
    AtomicFile.write(file(directory), StrictJson.text(this));
  }

  /**
   * Reads the file; empty if there is none.
   *
   * @throws QuorateException with file, line and column if it is wrong
   */
  public static Optional<MemberAgreement> read(DatabaseDirectory directory) {
    return Files.exists(file(directory))
        ? Optional.of(StrictJson.read(file(directory), MemberAgreement.class))
        : Optional.empty();
  }
}
