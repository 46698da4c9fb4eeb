// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpFile;
import io.quorate.store.driver.HttpResponseSize;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Restores a snapshot of Consul into a server that serves, as {@code consul snapshot restore}. */
final class ConsulRestoration implements Restoration {
  private static final String FILE = "snapshot.tgz";
  private static final String PATH = "/v1/snapshot";
  private static final int OK = 200;

  @Override
  public void save(ServerPlan running, Access access, Path snapshot, Duration timeout)
      throws IOException {
    int status =
        HttpFile.read(
            running.endpoint(),
            access,
            PATH,
            ConsulRequest.headers(access),
            snapshot.resolve(FILE),
            timeout);
    if (status != OK) {
      throw new IOException("does not send a snapshot: HTTP status " + status);
    }
  }

  @Override
  public void load(Endpoint restored, Access access, Path snapshot, Duration timeout)
      throws IOException {
    HttpFile.write(
            restored, access, PATH, ConsulRequest.headers(access), snapshot.resolve(FILE), timeout)
        .requireOk("does not load a snapshot");
  }

  /** Counts the keys in a list of all of them, in which each has two quotes. */
  @Override
  public long keys(Endpoint server, Access access, Duration timeout) throws IOException {
    HttpResponseSize list =
        HttpResponseSize.get(
            (byte) '"', server, access, "/v1/kv/?keys", ConsulRequest.headers(access), timeout);
    if (!list.isOk()) {
      throw new IOException("does not list its keys: HTTP status " + list.status());
    }
    return list.bytes() / 2;
  }
}
