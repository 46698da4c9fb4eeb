package io.quorate.store.server;

import io.quorate.VisibleText;

/**
 * The state that a server reports about itself. Its texts are escaped here, since they are shown on
 * terminals and pages: each is one line of at most 500 characters.
 *
 * @param version such as {@code 3.7.3}; empty if it did not say
 * @param ready whether it serves requests, so has a leader
 * @param leads whether it is the leader, or alone
 * @param said its answer in a few words, for a person
 */
public record ServerState(String version, boolean ready, boolean leads, String said) {
  public ServerState {
    version = VisibleText.line(version);
    said = VisibleText.line(said);
  }
}
