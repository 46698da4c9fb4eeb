package io.quorate.store;

/**
 * The round trips between members that a request waits for at least, in addition to the round trip
 * of the client.
 *
 * @param toLeader from the asked member to the leader and back; none if it leads itself
 * @param toMajority from the leader to as many others as it needs for a majority, and back; none if
 *     it is alone
 * @param syncs whether a member has to sync its log to disk before the answer
 */
public record RequestPath(int toLeader, int toMajority, boolean syncs) {
  /** The path of what the asked member answers by itself. */
  public static final RequestPath OWN = new RequestPath(0, 0, false);

  public RequestPath then(RequestPath next) {
    return new RequestPath(
        toLeader + next.toLeader, toMajority + next.toMajority, syncs || next.syncs);
  }
}
