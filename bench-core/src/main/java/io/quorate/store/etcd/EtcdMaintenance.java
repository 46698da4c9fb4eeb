// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.format.NumberFormats;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Maintenance;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerProtocol.MaintenanceResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Maintenance of an etcd server, over the gateway from HTTP to gRPC; snapshots over gRPC.
 *
 * @param begins runs just before the request that does it
 */
record EtcdMaintenance(Endpoint endpoint, Access access, Duration timeout, Runnable begins) {
  private static final double BYTES_PER_MB = 1e6;

  /** Counts defragmentations that are done; etcd 3.4 and newer have it. */
  private static final String DEFRAGMENTATIONS = "etcd_disk_backend_defrag_duration_seconds_count";

  /** A key that is read at an earlier revision; it does not have to exist. */
  private static final String KEY = "cXVvcmF0ZQ==";

  private EtcdApi api() {
    return new EtcdApi(endpoint, access, timeout);
  }

  MaintenanceResult done(Maintenance work) throws IOException {
    Map<String, String> user = api().authorization();
    JsonNode status = status(user);
    return switch (work) {
      case DEFRAGMENT -> defragment(status, user);
      case COMPACT -> compact(status, user);
      case SNAPSHOT -> snapshot(status);
    };
  }

  private JsonNode status(Map<String, String> user) throws IOException {
    return api()
        .post("maintenance/status", "{}", user)
        .requireOk("does not report its status")
        .json();
  }

  private static long bytes(JsonNode status) {
    return status.path("dbSize").asLong();
  }

  static String megabytes(long bytes) {
    return NumberFormats.fixed(bytes / BYTES_PER_MB, 1) + " MB";
  }

  private long defragmentations() throws IOException {
    return Figure.sum(
        HttpResponseText.content(endpoint, access, "/metrics", Map.of(), timeout),
        DEFRAGMENTATIONS + " ");
  }

  private MaintenanceResult defragment(JsonNode before, Map<String, String> user)
      throws IOException {
    long earlier = defragmentations();
    begins.run();
    api().post("maintenance/defragment", "{}", user).requireOk("does not defragment");
    return new MaintenanceResult(
        defragmentations() > earlier,
        "database %s, of which %s in use; %s afterwards"
            .formatted(
                megabytes(bytes(before)),
                megabytes(before.path("dbSizeInUse").asLong()),
                megabytes(bytes(status(user)))));
  }

  private MaintenanceResult compact(JsonNode before, Map<String, String> user) throws IOException {
    long revision = before.at("/header/revision").asLong();
    String compaction = "{\"revision\": \"" + revision + "\", \"physical\": true}";
    begins.run();
    api().post("kv/compaction", compaction, user).requireOk("does not compact its history");
    String earlier = "{\"key\": \"" + KEY + "\", \"revision\": \"" + (revision - 1) + "\"}";
    HttpResponseText read = api().post("kv/range", earlier, user);
    return new MaintenanceResult(
        !read.isOk() && read.body().contains(Compaction.DONE),
        "compacted up to revision %s; database %s, of which %s in use; %s in use afterwards"
            .formatted(
                NumberFormats.commas(revision),
                megabytes(bytes(before)),
                megabytes(before.path("dbSizeInUse").asLong()),
                megabytes(status(user).path("dbSizeInUse").asLong())));
  }

  private MaintenanceResult snapshot(JsonNode before) throws IOException {
    AtomicLong bytes = new AtomicLong();
    begins.run();
    api().snapshot(part -> bytes.addAndGet(part.size()));
    return new MaintenanceResult(
        bytes.get() >= bytes(before),
        "database %s; %s received".formatted(megabytes(bytes(before)), megabytes(bytes.get())));
  }
}
