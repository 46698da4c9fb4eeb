// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;

@RequiresDatabase("zetcd")
final class ZetcdOperationsIT extends OperationContract {
  ZetcdOperationsIT() {
    super(ZetcdStore.STORE, true);
  }
}
