package io.quorate.store.server;

import io.quorate.VisibleText;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Asks a server of one kind for its state. */
public interface ServerProtocol {
  Duration TIMEOUT = Duration.ofSeconds(3);

  /**
   * Asks one server, without leaving anything in it.
   *
   * @throws IOException if it does not answer, or not as such a server does
   */
  State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException;

  /**
   * Asks a server that we have just started, and which no one else uses yet. May therefore try a
   * write, and undo it.
   *
   * @param peers how many of its kind were started
   * @throws IOException if it does not answer, or not as such a server does
   */
  default State askStarted(Endpoint endpoint, Access access, int peers, Duration timeout)
      throws IOException {
    return ask(endpoint, access, timeout);
  }

  /**
   * Lets only those in from now on who have the login of this access; once for a cluster that we
   * have just started, whose servers are not configured by their settings.
   *
   * @throws IOException if that cannot be done
   */
  default void lock(Endpoint endpoint, Access access, Duration timeout) throws IOException {}

  /**
   * Checks that this access is enough for reading and writing keys.
   *
   * @return what is wrong and what to do about it, a sentence without a full stop; empty if nothing
   *     is
   * @throws IOException if the server does not answer
   */
  default Optional<String> obstacle(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {
    return Optional.empty();
  }

  /**
   * Removes what a store keeps of the history of its keys, for all members, and waits until that is
   * done; nothing to do for a store that keeps current values only.
   *
   * @throws IOException if that cannot be done
   */
  default void forgetHistory(Endpoint endpoint, Access access, Duration timeout)
      throws IOException {}

  default boolean tellsLeader() {
    return true;
  }

  /**
   * The state that a server reports about itself. Its texts are escaped here, since they are shown
   * on terminals and pages: each is one line of at most 500 characters.
   *
   * @param version such as {@code 3.7.3}; empty if it did not say
   * @param ready whether it serves requests, so has a leader
   * @param leads whether it is the leader, or alone
   * @param said its answer in a few words, for a person
   */
  record State(String version, boolean ready, boolean leads, String said) {
    public State {
      version = VisibleText.line(version);
      said = VisibleText.line(said);
    }
  }
}
