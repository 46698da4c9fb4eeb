// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.OperationContract;
import io.quorate.store.Security;
import io.quorate.store.Session;
import io.quorate.store.SessionContract;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import org.junit.jupiter.api.Nested;

/** Servers of older versions keep the contracts, too. */
@Nightly // ZooKeeperOperationsIT and ZooKeeperSessionsIT are the smaller ones
@RequiresDatabase({"zookeeper@3.5.10", "zookeeper@3.6.4", "zookeeper@3.7.2", "zookeeper@3.8.6"})
class ZooKeeperVersionsIT {
  private static Store store(String version) {
    return Stores.byId("zookeeper@" + version).orElseThrow();
  }

  private abstract static class Operations extends OperationContract {
    private final String version;
    private final Security security;

    Operations(String version, Security security) {
      super(store(version), true);
      this.version = version;
      this.security = security;
    }

    @Override
    protected Security security() {
      return security;
    }

    @Override
    protected boolean watchesPrefixes() {
      return !version.startsWith("3.5.");
    }
  }

  private abstract static class Sessions extends SessionContract {
    Sessions(String version) {
      super(store(version));
    }

    @Override
    protected void endInStore(Session session) {
      ZooKeeperDriverIT.end(((ZooKeeperSessions.Handle) session).connection());
    }
  }

  @Nested
  final class Operations35 extends Operations {
    Operations35() {
      super("3.5.10", Security.NONE);
    }
  }

  @Nested
  final class Operations35OverTls extends Operations {
    Operations35OverTls() {
      super("3.5.10", Security.TLS);
    }
  }

  @Nested
  final class Sessions35 extends Sessions {
    Sessions35() {
      super("3.5.10");
    }
  }

  @Nested
  final class Operations36 extends Operations {
    Operations36() {
      super("3.6.4", Security.NONE);
    }
  }

  @Nested
  final class Operations36OverTls extends Operations {
    Operations36OverTls() {
      super("3.6.4", Security.TLS);
    }
  }

  @Nested
  final class Sessions36 extends Sessions {
    Sessions36() {
      super("3.6.4");
    }
  }

  @Nested
  final class Operations37 extends Operations {
    Operations37() {
      super("3.7.2", Security.NONE);
    }
  }

  @Nested
  final class Operations37OverTls extends Operations {
    Operations37OverTls() {
      super("3.7.2", Security.TLS);
    }
  }

  @Nested
  final class Sessions37 extends Sessions {
    Sessions37() {
      super("3.7.2");
    }
  }

  @Nested
  final class Operations38 extends Operations {
    Operations38() {
      super("3.8.6", Security.NONE);
    }
  }

  @Nested
  final class Operations38OverTls extends Operations {
    Operations38OverTls() {
      super("3.8.6", Security.TLS);
    }
  }

  @Nested
  final class Sessions38 extends Sessions {
    Sessions38() {
      super("3.8.6");
    }
  }
}
