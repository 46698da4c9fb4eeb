// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.cetcd;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.consul.ConsulDriver;
import io.quorate.store.consul.ConsulServers;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.etcd.EtcdShimServers;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** cetcd: Consul's protocol in front of etcd. */
public final class CetcdStore {
  /** The shim, which has no release and no public Go module. */
  public static final Program CETCD =
      Program.builtByHand("cetcd", Program.Licence.APACHE, "https://github.com/etcd-io/cetcd");

  private static final String UNTESTED =
      "cetcd was not available for tests, and is no longer developed";
  private static final Capabilities CAPABILITIES = Capabilities.none(UNTESTED);
  private static final WatchSupport WATCHES = WatchSupport.none(UNTESTED);
  public static final Store STORE =
      new Store(
          "cetcd",
          "cetcd",
          List.of(
              new ClientKind(
                  "http",
                  () -> ConsulDriver.client("cetcd", ConsulDriver.ANY_KEY, CAPABILITIES, WATCHES))),
          CAPABILITIES,
          WATCHES,
          any -> ReadGuarantee.UNKNOWN,
          Optional.empty(),
          Optional.of("cetcd listens in plain text only, and reaches its etcd so"),
          Login.Kind.NONE);
  public static final StoreServers SERVERS =
      new EtcdShimServers(
          STORE,
          CETCD,
          each -> ServerKind.of(each, CetcdStore::launcher, new Protocol(), new ServerLog.Glog()),
          ConsulServers.SERVERS,
          () -> 0xe69f00);

  private CetcdStore() {}

  private static ServerLauncher launcher(Path executable) {
    return (server, peers) ->
        List.of(
            executable.toString(),
            "-consuladdr",
            server.endpoint().toString(),
            "-etcd",
            "http://" + server.behind().orElseThrow());
  }

  /**
   * Checks whether cetcd answers. It does not support Consul's status and agent requests and
   * answers 404 to both, which counts as an answer. So its version and its leader are unknown.
   */
  private static final class Protocol implements ServerProtocol {
    private static final int SERVER_ERROR = 500;

    @Override
    public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
      HttpResponseText answer =
          HttpResponseText.get(endpoint, access, "/v1/status/leader", timeout);
      return new State(
          "", answer.status() < SERVER_ERROR, false, "answers to /v1/status/leader: " + answer);
    }

    @Override
    public boolean tellsLeader() {
      return false;
    }
  }
}
