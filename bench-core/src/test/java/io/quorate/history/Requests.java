// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;

/** Requests of tests: client, key, values, invocation, completion. */
final class Requests {
  private Requests() {}

  static RecordedRequest put(int client, long key, long value, long invoked, long completed) {
    return put(client, key, value, invoked, completed, Outcome.OK);
  }

  static RecordedRequest unknownPut(int client, long key, long value, long invoked) {
    return put(client, key, value, invoked, RecordedRequest.NEVER, Outcome.UNKNOWN);
  }

  static RecordedRequest put(
      int client, long key, long value, long invoked, long completed, Outcome outcome) {
    return new RecordedRequest(
        client, Action.PUT, key, value, 0, 0, invoked, completed, outcome, 0);
  }

  static RecordedRequest get(int client, long key, long value, long invoked, long completed) {
    return new RecordedRequest(
        client, Action.GET, key, 0, value, 0, invoked, completed, Outcome.OK, 0);
  }

  static RecordedRequest staleGet(int client, long key, long value, long invoked, long completed) {
    return new RecordedRequest(
        client, Action.STALE_GET, key, 0, value, 0, invoked, completed, Outcome.OK, 0);
  }

  static RecordedRequest compareAndSet(
      int client,
      long key,
      long expected,
      long value,
      long invoked,
      long completed,
      Outcome outcome) {
    return new RecordedRequest(
        client, Action.COMPARE_AND_SET, key, value, 0, expected, invoked, completed, outcome, 0);
  }

  static RecordedRequest delete(
      int client, long key, long invoked, long completed, Outcome outcome) {
    return new RecordedRequest(client, Action.DELETE, key, 0, 0, 0, invoked, completed, outcome, 0);
  }
}
