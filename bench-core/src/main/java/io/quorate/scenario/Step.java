package io.quorate.scenario;

/**
 * A stage of the load with a fixed number of clients; requests of one step never overlap the next.
 *
 * @param clients how many requests are under way at any time
 * @param connections over how many connections the clients are spread, 1 to {@code clients}
 * @param requests how many requests the clients of the step make together
 */
public record Step(int clients, int connections, long requests) {
  public Step {
    if (connections < 1 || clients < connections || requests < 1) {
      throw new IllegalArgumentException("a step needs clients >= connections >= 1, requests >= 1");
    }
  }
}
