// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.cetcd;

import io.quorate.store.Endpoint;
import io.quorate.store.OperationContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterAll;

/** Against a double, as {@link CetcdDriverIT}. */
final class CetcdOperationsIT extends OperationContract {
  private CetcdDouble cetcd;

  CetcdOperationsIT() {
    super(CetcdStore.STORE, false);
  }

  @Override
  protected Endpoint startServer() {
    try {
      cetcd = new CetcdDouble(0);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
    return cetcd.endpoint();
  }

  @AfterAll
  void stopCetcd() {
    cetcd.close();
  }
}
