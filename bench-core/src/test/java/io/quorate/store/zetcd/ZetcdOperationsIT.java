// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;

@RequiresDatabase("zetcd")
final class ZetcdOperationsIT extends OperationContract {
  ZetcdOperationsIT() {
    super(ZetcdStore.STORE, true);
  }

  /** The client then does not know the watch yet, ignores the event, and waits forever. */
  @Override
  protected boolean losesWatches() {
    return true;
  }
}
