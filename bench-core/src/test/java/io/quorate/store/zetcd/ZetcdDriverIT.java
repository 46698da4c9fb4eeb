// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;

@RequiresDatabase("zetcd")
final class ZetcdDriverIT extends NetworkedConnectionContract {
  ZetcdDriverIT() {
    super(ZetcdStore.STORE, true);
  }
}
