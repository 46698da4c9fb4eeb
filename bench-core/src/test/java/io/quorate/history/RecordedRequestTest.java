// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import static io.quorate.history.Requests.compareAndSet;
import static io.quorate.history.Requests.delete;
import static io.quorate.history.Requests.get;
import static io.quorate.history.Requests.put;
import static io.quorate.history.Requests.unknownPut;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import org.junit.jupiter.api.Test;

class RecordedRequestTest {
  @Test
  void a_request_is_shown_in_words() {
    assertThat(put(3, 17, 42, 1_201_000_000, 1_203_000_400).text())
        .isEqualTo("put 17 = v42 by client 3 from 1.201000 s, acknowledged at 1.203000 s");
    assertThat(
            new RecordedRequest(3, 2, Action.GET, 17, 0, 0, 0, 0, 0, 1_000, Outcome.OK, 0).text())
        .isEqualTo("get 17 by client 3 to member 2 from 0.000000 s, returned absent at 0.000001 s");
    assertThat(get(7, 17, 0, 0, 1_000).text())
        .isEqualTo("get 17 by client 7 from 0.000000 s, returned absent at 0.000001 s");
    assertThat(unknownPut(3, 17, 42, 0).text())
        .isEqualTo("put 17 = v42 by client 3 from 0.000000 s, outcome unknown");
    assertThat(delete(3, 17, 0, 5_000_000, Outcome.FAILED).text())
        .isEqualTo("delete 17 by client 3 from 0.000000 s, failed at 0.005000 s");
    assertThat(compareAndSet(3, 17, 0, 42, 0, 5_000_000, Outcome.MISMATCH).text())
        .isEqualTo(
            "compare-and-set 17 from absent to v42 by client 3 from 0.000000 s, "
                + "refused because of another value at 0.005000 s");
  }

  @Test
  void a_request_that_cannot_be_is_refused() {
    assertThatThrownBy(() -> put(1, 17, 42, 10, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> put(1, 17, 0, 0, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> get(-1, 17, 0, 0, 5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> put(1, 17, 42, 0, 5, Outcome.MISMATCH))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> get(1, 17, 42, 0, RecordedRequest.NEVER))
        .hasMessage(
            "found get, OK by client 1 with values 0, 42, 0 and transaction 0 from 0 to -1 ns");
  }
}
