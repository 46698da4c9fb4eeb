// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.memory;

import io.quorate.store.OperationContract;

final class MemoryOperationsTest extends OperationContract {
  MemoryOperationsTest() {
    super(MemoryStore.STORE, true);
  }
}
