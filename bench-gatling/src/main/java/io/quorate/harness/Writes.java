package io.quorate.harness;

import io.quorate.store.Completion;

/** Where a bare loop sends its writes. */
interface Writes {
  /** Creates a key; does not block. The completion is told on another thread. */
  void create(byte[] key, byte[] value, Completion completion);
}
