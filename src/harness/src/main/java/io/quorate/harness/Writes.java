// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import io.quorate.store.Completion;

/** Sends the writes of a bare loop. */
interface Writes {
  /** Creates a key, without blocking. The completion is notified on another thread. */
  void create(byte[] key, byte[] value, Completion completion);
}
