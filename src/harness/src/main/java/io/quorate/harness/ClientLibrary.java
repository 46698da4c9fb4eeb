// SPDX-License-Identifier: Apache-2.0
package io.quorate.harness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Writes through the asynchronous client library of a store, without Quorate's driver: no deadlines
 * of requests, no reconnection, no kinds of errors.
 */
final class ClientLibrary {
  /** Stores whose client library is supported here. */
  static final Set<Store> STORES = Set.of(ZooKeeperStore.STORE, ConsulStore.STORE);

  private static final int TIMEOUT_SECONDS = 30;

  private ClientLibrary() {}

  static List<Writes> open(Store database, Endpoint server, int connections)
      throws IOException, InterruptedException {
    return database == ZooKeeperStore.STORE
        ? sessions(server, connections)
        : List.of(okHttp(server, connections));
  }

  private static List<Writes> sessions(Endpoint server, int connections)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(connections);
    List<Writes> sessions = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      ZooKeeper handle =
          new ZooKeeper(
              server.toString(),
              (int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS),
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              });
      sessions.add((key, value, completion) -> create(handle, key, value, completion));
    }
    if (!connected.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("no session within " + TIMEOUT_SECONDS + " s");
    }
    return sessions;
  }

  private static void create(ZooKeeper handle, byte[] key, byte[] value, Completion completion) {
    handle.create(
        "/" + new String(key, US_ASCII),
        value,
        ZooDefs.Ids.OPEN_ACL_UNSAFE,
        CreateMode.PERSISTENT,
        (code, path, nothing, name) -> end(code, completion),
        null);
  }

  /** Returns writes through clients of Curator, each with a session. */
  static List<Writes> curators(Endpoint server, int connections)
      throws IOException, InterruptedException {
    List<Writes> curators = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      CuratorFramework curator =
          CuratorFrameworkFactory.newClient(server.toString(), new RetryOneTime(1));
      curator.start();
      if (!curator.blockUntilConnected(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("no session within " + TIMEOUT_SECONDS + " s");
      }
      curators.add((key, value, completion) -> create(curator, key, value, completion));
    }
    return curators;
  }

  private static void create(
      CuratorFramework curator, byte[] key, byte[] value, Completion completion) {
    try {
      curator
          .create()
          .inBackground((any, event) -> end(event.getResultCode(), completion))
          .forPath("/" + new String(key, US_ASCII), value);
    } catch (Exception refused) {
      completion.failed(ErrorKind.OTHER, refused.toString());
    }
  }

  private static void end(int code, Completion completion) {
    if (code == Code.OK.intValue()) {
      completion.answered(Answer.WRITTEN);
    } else {
      completion.failed(ErrorKind.OTHER, "code " + code);
    }
  }

  /** Returns writes through one HTTP client, which shares its connections between all requests. */
  private static Writes okHttp(Endpoint server, int connections) {
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(connections);
    dispatcher.setMaxRequestsPerHost(connections);
    OkHttpClient client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .connectionPool(new ConnectionPool(connections, 5, TimeUnit.MINUTES))
            .callTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .build();
    String keys = "http://" + server + "/v1/kv/";
    return (key, value, completion) ->
        client
            .newCall(
                new Request.Builder()
                    .url(keys + new String(key, US_ASCII))
                    .put(RequestBody.create(value))
                    .build())
            .enqueue(new EndOfCall(completion));
  }

  private record EndOfCall(Completion completion) implements Callback {
    @Override
    public void onResponse(Call call, Response response) {
      String body;
      try (response) {
        body = response.body().string();
      } catch (IOException cut) { // OkHttp would only log it
        onFailure(call, cut);
        return;
      }
      if (response.isSuccessful() && body.startsWith("true")) {
        completion.answered(Answer.WRITTEN);
      } else {
        completion.failed(ErrorKind.REJECTED, response.code() + " " + body);
      }
    }

    @Override
    public void onFailure(Call call, IOException failure) {
      completion.failed(ErrorKind.CONNECTION, failure.toString());
    }
  }
}
