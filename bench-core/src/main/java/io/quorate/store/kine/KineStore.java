// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.kine;

import io.quorate.store.Access;
import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.etcd.EtcdDriver;
import io.quorate.store.etcd.GrpcStatus;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.Program;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.store.server.ServerLauncher;
import io.quorate.store.server.ServerLog;
import io.quorate.store.server.ServerProtocol;
import io.quorate.store.server.StoreServers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * kine: etcd's protocol in front of a database of SQL, as far as Kubernetes needs it. Quorate
 * starts one with a database of SQLite. The guide, other-servers.md, has the differences from etcd
 * by its source.
 */
public final class KineStore {
  public static final Program KINE =
      new Program(
          "kine",
          "0.17.5",
          Program.Licence.APACHE,
          "kine version \\S+",
          List.of(new Program.GoPackage("kine", "github.com/k3s-io/kine")),
          Optional.empty());

  private static final String TRANSACTIONS =
      "kine accepts only the transactions of Kubernetes: create, update or delete one key";

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Set.of(
              Operation.PUT,
              Operation.GET,
              Operation.EXISTS,
              Operation.RANGE,
              Operation.REVISION,
              Operation.LEASE_GRANT,
              Operation.OPTIMISTIC_CREATE,
              Operation.OPTIMISTIC_UPDATE,
              Operation.OPTIMISTIC_DELETE),
          Capabilities.RangeReads.STREAMED,
          0,
          Map.of(
              Operation.DELETE,
              "kine deletes a key only by its revision, as optimistic-delete does",
              Operation.COMPARE_AND_SET,
              TRANSACTIONS,
              Operation.TXN,
              TRANSACTIONS,
              Operation.STM,
              TRANSACTIONS,
              Operation.COMPACT,
              "kine is an existing cluster, where a compaction discards the history of all keys",
              Operation.LEASE_KEEPALIVE,
              "kine keeps no leases: each key ends after its time to live"));

  private static final WatchSupport WATCHES =
      new WatchSupport(
          WatchSupport.Delivery.EVERY_CHANGE,
          WatchSupport.Delivery.EVERY_CHANGE,
          "",
          false,
          true,
          true);

  public static final Store STORE =
      new Store(
          GrpcStatus.KINE,
          "kine",
          List.of(new ClientKind("http2", EtcdDriver::client)),
          CAPABILITIES,
          WATCHES,
          read ->
              read == ReadConsistency.SERIALIZABLE
                  ? ReadGuarantee.REFUSED
                  : ReadGuarantee.LINEARIZABLE,
          Optional.empty(),
          Optional.empty(),
          Login.Kind.NONE);

  public static final StoreServers SERVERS = new Servers(STORE, server(KINE));

  private KineStore() {}

  private static List<ServerKind> server(Program program) {
    return List.of(ServerKind.of(program, KineStore::launcher, new Protocol(), new Log()));
  }

  /** Runs it in the directory of its data, below which it creates its database. */
  private static ServerLauncher launcher(Path executable) {
    return (server, peers) -> {
      List<String> command = new ArrayList<>(List.of(executable.toString()));
      command.addAll(List.of("--listen-address", server.endpoint().toString()));
      command.addAll(List.of("--metrics-bind-address", "0"));
      server
          .keys()
          .ifPresent(
              keys -> {
                command.addAll(List.of("--server-cert-file", keys.certificate().toString()));
                command.addAll(List.of("--server-key-file", keys.key().toString()));
              });
      return command;
    };
  }

  /** Its metrics are at another address than its clients' requests, so none are read. */
  private record Servers(Store store, List<ServerKind> kinds) implements StoreServers {
    @Override
    public Optional<StoreServers> inVersion(String version) {
      return Optional.of(new Servers(STORE.inVersion(version), server(KINE.inVersion(version))));
    }

    @Override
    public ServerKnowledge knowledge() {
      return () -> 0x000000;
    }

    @Override
    public Optional<String> obstacleToStart(int members) {
      return Optional.of(
              "kine has one member here, with a database of SQLite: set members: 1 (--members 1)")
          .filter(any -> members != 1);
    }
  }

  /** Reads logs of Go's package logrus, with their colors. */
  private static final class Log implements ServerLog {
    private static final Pattern LINE =
        Pattern.compile("(?:\u001b\\[\\d+m)?([A-Z]{4})(?:\u001b\\[0m)?\\[([^]]+)]\\s*(.*?)\\s*");

    private static final Map<String, LogEvent.Severity> ERRORS =
        Map.of(
            "ERRO", LogEvent.Severity.ERROR,
            "FATA", LogEvent.Severity.FATAL,
            "PANI", LogEvent.Severity.FATAL);

    @Override
    public Optional<LogEvent> event(String line) {
      Matcher event = LINE.matcher(line);
      return event.matches()
          ? Optional.of(
              new LogEvent(
                  ERRORS.getOrDefault(event.group(1), LogEvent.Severity.INFO),
                  LogEvent.time(event.group(2)),
                  event.group(3),
                  false))
          : Optional.empty();
    }
  }

  /** Asks for its status over gRPC, as it does not answer over HTTP. It has no members to lead. */
  private static final class Protocol implements ServerProtocol {
    @Override
    public State ask(Endpoint endpoint, Access access, Duration timeout) throws IOException {
      return GrpcStatus.ask(GrpcStatus.KINE, endpoint, access, timeout);
    }

    @Override
    public boolean tellsLeader() {
      return false;
    }
  }
}
