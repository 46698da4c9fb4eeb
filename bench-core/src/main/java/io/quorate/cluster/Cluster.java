package io.quorate.cluster;

import io.quorate.store.Store;
import java.util.List;
import java.util.Optional;

/**
 * Servers of one store that are ready for requests, however they came to be. Methods may be called
 * from any thread and may block for as long as a server takes to answer.
 */
public interface Cluster extends AutoCloseable {
  Store database();

  /** In the order of their index, at least one. */
  List<Member> members();

  /**
   * Asks the members which of them leads now; empty when none says so or the store has no notion.
   */
  Optional<Member> leader();

  /**
   * The version that the first member reports, such as {@code 3.6.16}; empty if there is no such
   * thing.
   */
  String version();

  /** One line about each member of ours that has ended by itself since the start; else empty. */
  List<String> failures();

  /** Stops what was started and removes its data; leaves logs. Idempotent. */
  @Override
  void close();
}
