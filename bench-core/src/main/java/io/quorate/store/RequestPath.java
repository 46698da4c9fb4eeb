// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

/**
 * The least round trips between members that a request waits for, in addition to the round trip of
 * the client.
 *
 * @param toLeader number of round trips from the asked member to the leader; none if it leads
 *     itself
 * @param toMajority number of round trips from the leader to a majority; none if it is alone
 * @param syncs whether a member has to sync its log to disk before the answer
 */
public record RequestPath(int toLeader, int toMajority, boolean syncs) {
  /** The path of requests that the asked member answers by itself. */
  public static final RequestPath OWN = new RequestPath(0, 0, false);

  public RequestPath then(RequestPath next) {
    return new RequestPath(
        toLeader + next.toLeader, toMajority + next.toMajority, syncs || next.syncs);
  }
}
