// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * The temporary secrets of a cluster whose members run on other hosts, where their keys stay. The
 * files of clients on this machine are removed at the end, however this JVM ends.
 *
 * @param cluster the secrets of all members
 * @param access access of clients on this machine
 */
public record RemoteSecrets(
    Store database, ClusterSecrets cluster, GuardedProcesses guarded, Access access)
    implements AutoCloseable {
  /**
   * Makes new secrets.
   *
   * @param directory directory of the run: gets {@code data/keys}, which is removed at the end
   * @throws QuorateException if the files of clients cannot be written
   */
  public static RemoteSecrets make(Store database, Path directory) {
    Path data = LocalCluster.absolute(directory).resolve("data");
    ClusterSecrets secrets = ClusterSecrets.make(database, Instant.now());
    GuardedProcesses guarded = GuardedProcesses.in(data, false, Duration.ZERO);
    boolean written = false;
    try {
      Path keys = PrivateFiles.createDirectory(data.resolve(ClusterSecrets.DIRECTORY));
      Access access = secrets.writeClient(keys);
      written = true;
      return new RemoteSecrets(database, secrets, guarded, access);
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot write the keys of clients: " + DiskSpace.reason(directory, failure), failure);
    } finally {
      if (!written) {
        guarded.stop();
      }
    }
  }

  /**
   * Returns the certificate of a member, in PEM.
   *
   * @param member its index, from 1
   * @param host address at which it listens
   * @param request request for the certificate of its key
   * @throws QuorateException if the request is damaged
   */
  public String certificate(int member, String host, byte[] request) {
    return cluster.certificate(database.id() + "-" + member, host, request);
  }

  /** Leaves it to the caller to close this when the JVM is ending. */
  public void leaveRemovingToCaller() {
    guarded.leaveStoppingToCaller();
  }

  /** Removes the files of clients. Idempotent. */
  @Override
  public void close() {
    guarded.stop();
  }

  /** Returns a text without secrets. */
  @Override
  public String toString() {
    return cluster.toString();
  }
}
