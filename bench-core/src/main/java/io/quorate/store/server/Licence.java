package io.quorate.store.server;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The licence of a program.
 *
 * @param id the SPDX identifier of the licence of the version that is installed
 * @param earlier the licence that earlier versions had, if it was another
 * @param note what else there is to say, in one sentence without a full stop
 */
public record Licence(String id, Optional<Earlier> earlier, Optional<String> note) {
  /**
   * Another licence of earlier versions.
   *
   * @param versions whether it is the licence of a version, as the program reports that
   */
  public record Earlier(String id, Predicate<String> versions) {}

  /** The Apache License 2.0, for all versions. */
  public static final Licence APACHE =
      new Licence("Apache-2.0", Optional.empty(), Optional.empty());

  /** Returns the SPDX identifier of the licence of a version, as the program reports it. */
  public String of(String reported) {
    return earlier.filter(other -> other.versions().test(reported)).map(Earlier::id).orElse(id);
  }
}
