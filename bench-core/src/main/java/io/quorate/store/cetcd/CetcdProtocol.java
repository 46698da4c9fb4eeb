package io.quorate.store.cetcd;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpAnswer;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.ServerState;
import java.io.IOException;
import java.time.Duration;

/**
 * Checks whether cetcd answers at all. It knows nothing of Consul's status and agent and says 404
 * to both, which is an answer; so neither its version nor a leader is known.
 */
public final class CetcdProtocol implements ServerProtocol {
  private static final int SERVER_ERROR = 500;

  @Override
  public ServerState ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
    HttpAnswer answer = HttpAnswer.get(endpoint, access, "/v1/status/leader", timeout);
    return new ServerState(
        "", answer.status() < SERVER_ERROR, false, "answers to /v1/status/leader: " + answer);
  }

  @Override
  public boolean tellsLeader() {
    return false;
  }
}
