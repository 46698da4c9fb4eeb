package io.quorate.store.zetcd;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.etcd.EtcdShimServers;
import io.quorate.store.server.GlogLog;
import io.quorate.store.server.Licence;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ShimLauncher;
import io.quorate.store.server.StoreServers;
import io.quorate.store.zookeeper.NodeLayout;
import io.quorate.store.zookeeper.ZooKeeperDriver;
import io.quorate.store.zookeeper.ZooKeeperServers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** zetcd: ZooKeeper's protocol in front of etcd. */
public final class ZetcdStore extends Store {
  /** The shim. It cannot say its version. */
  public static final Program ZETCD =
      new Program(
          "zetcd",
          "0.0.5",
          Licence.APACHE,
          "Usage of \\S*zetcd:",
          List.of(new Program.GoPackage("zetcd", "github.com/coreos/zetcd/cmd/zetcd")),
          Optional.empty());

  private static final String PINGS =
      "a session of zetcd is kept alive by pings, which ZooKeeper's client library sends and hides";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          ZooKeeperDriver.OPERATIONS.stream()
              .filter(each -> each != Operation.TXN)
              .collect(Collectors.toSet()),
          Capabilities.RangeReads.NONE,
          0,
          Map.of(
              Operation.RANGE,
              "zetcd lists the children of a node, and has no read of several values by"
                  + " prefix",
              Operation.TXN,
              "zetcd writes several keys of etcd for each node and breaks the session of a"
                  + " transaction that becomes too long for etcd",
              Operation.COMPACT,
              "ZooKeeper's protocol has no compaction",
              Operation.LEASE_GRANT,
              PINGS,
              Operation.LEASE_KEEPALIVE,
              PINGS));

  private static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.LATEST,
          WatchSupport.Delivery.NONE,
          "zetcd has the one-shot watches of ZooKeeper 3.4 only, each of one node");

  public static final Store STORE = new ZetcdStore();

  public static final StoreServers SERVERS =
      new EtcdShimServers(
          STORE,
          ServerKind.of(ZETCD, ZetcdStore::launcher, new ZetcdProtocol(), new GlogLog()),
          (server, access, prefix) -> ZooKeeperServers.removalCommand(server, prefix));

  private ZetcdStore() {
    super("zetcd", "zetcd");
  }

  @Override
  public List<ClientKind> clients() {
    return List.of(
        ZooKeeperDriver.kind(
            () ->
                ZooKeeperDriver.client(id(), new NodeLayout.Directories(), CAPABILITIES, WATCHES)));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public WatchSupport watches() {
    return WATCHES;
  }

  @Override
  public ReadGuarantee guarantee(ReadConsistency consistency) {
    return ReadGuarantee.LINEARIZABLE;
  }

  @Override
  public Optional<String> obstacleToTls() {
    return Optional.of("zetcd listens in plain text only");
  }

  /**
   * Runs it in front of one endpoint of etcd: with several it would answer "required revision is a
   * future revision" and end at some requests. Its log would otherwise go to files in the directory
   * for temporary ones.
   */
  private static ServerLauncher launcher(Path executable) {
    return new ShimLauncher(
        (clients, etcd) ->
            List.of(
                executable.toString(),
                "--logtostderr",
                "--zkaddr",
                clients.toString(),
                "--endpoints",
                etcd.toString()));
  }
}
