// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.measure.WatchRecorder;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Operation;

/** Carries out the operations of sessions, such as locks. Safe for several threads. */
public interface Recipes {
  /**
   * Begins an operation; does not wait.
   *
   * @param index number of the request
   * @param connection connection for requests that need no session
   * @param completion is notified once how it ended
   */
  void begin(Operation operation, long index, Connection connection, Completion completion);

  /**
   * Sets the recorder of the watchers of a step, which has to be notified of what they are told of;
   * to be called before its requests.
   */
  void watchedBy(WatchRecorder watchers);
}
