// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.server.Restoration;
import io.quorate.store.server.ServerPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Restores a snapshot of etcd by {@code etcdutl}, which is installed next to etcd. */
final class EtcdRestoration implements Restoration {
  /** The file in the directory of a snapshot. */
  static final String FILE = "snapshot.db";

  @Override
  public void save(ServerPlan running, Access access, Path snapshot, Duration timeout)
      throws IOException {
    try (OutputStream file = Files.newOutputStream(snapshot.resolve(FILE))) {
      new EtcdApi(running.endpoint(), access, timeout).snapshot(part -> write(part, file));
    } catch (UncheckedIOException unwritten) {
      throw unwritten.getCause();
    }
  }

  private static void write(ByteString part, OutputStream file) {
    try {
      part.writeTo(file);
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }

  @Override
  public long keys(Endpoint server, Access access, Duration timeout) throws IOException {
    return new EtcdApi(server, access, timeout).keys();
  }
}
