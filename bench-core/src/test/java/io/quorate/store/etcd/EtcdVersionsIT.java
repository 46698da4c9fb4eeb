// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Connection;
import io.quorate.store.OperationContract;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.stores.Stores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Servers of an older version keep the contract, too, and refuse what they do not know. */
@Nightly // EtcdOperationsIT is the smaller one
@RequiresDatabase("etcd@3.5.35")
class EtcdVersionsIT {
  @Nested
  final class Operations35 extends OperationContract {
    Operations35() {
      super(Stores.byId("etcd@3.5.35").orElseThrow(), false);
    }

    @Test
    void a_streamed_range_is_an_unknown_method() {
      Connection driver = open();
      var range =
          new Request.Range(freshKey(), 0, ReturnedValue.ENTRIES, ReadConsistency.LINEARIZABLE);
      RecordedCompletion refused = started(done -> driver.submit(range.inChunks(true), done));
      assertThat(refused.outcome()).isEqualTo("failed:OTHER");
      assertThat(refused.message())
          .isEqualTo("UNIMPLEMENTED: unknown method RangeStream for service etcdserverpb.KV");
    }
  }
}
