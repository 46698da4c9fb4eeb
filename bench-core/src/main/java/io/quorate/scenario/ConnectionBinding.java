// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;

/** What a connection of the load does when its member fails. */
public enum ConnectionBinding implements Named {
  /** It waits for its member, and reconnects to it. */
  PINNED,
  /** It moves to another of the members that the routing chose. */
  FAILOVER
}
