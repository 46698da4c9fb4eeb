// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.util.AsciiString;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.driver.PendingRequests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConsulMessagesTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = "one".getBytes(UTF_8);

  @Test
  void reads_say_their_consistency() {
    assertThat(sent(new Request.Get(KEY, ReadConsistency.LINEARIZABLE)))
        .isEqualTo("GET /v1/kv/key?consistent ");
    assertThat(sent(new Request.Get(KEY, ReadConsistency.SERIALIZABLE)))
        .isEqualTo("GET /v1/kv/key?stale ");
    assertThat(sent(new Request.Get(KEY, ReadConsistency.DEFAULT))).isEqualTo("GET /v1/kv/key ");
    assertThat(sent(range(ReadConsistency.LINEARIZABLE)))
        .isEqualTo("GET /v1/kv/key?recurse&consistent ");
    assertThat(sent(range(ReadConsistency.SERIALIZABLE)))
        .isEqualTo("GET /v1/kv/key?recurse&stale ");
    assertThat(sent(range(ReadConsistency.DEFAULT))).isEqualTo("GET /v1/kv/key?recurse ");
    assertThat(sent(new Request.Range(KEY, 0, ReturnedValue.KEYS, ReadConsistency.SERIALIZABLE)))
        .isEqualTo("GET /v1/kv/key?keys&stale ");
    assertThat(sent(new Request.Range(KEY, 0, ReturnedValue.KEYS, ReadConsistency.DEFAULT)))
        .isEqualTo("GET /v1/kv/key?keys ");
    assertThat(sent(ConsulRequest.LEADER)).isEqualTo("GET /v1/status/leader ");
  }

  @Test
  void writes_carry_the_value() {
    assertThat(sent(Request.create(KEY, VALUE))).isEqualTo("PUT /v1/kv/key one");
    assertThat(sent(Request.update(KEY, new byte[0]))).isEqualTo("PUT /v1/kv/key ");
    assertThat(sent(new Request.Delete(KEY))).isEqualTo("DELETE /v1/kv/key ");
    assertThat(sent(new Request.CompareAndSet(KEY, VALUE, 7)))
        .isEqualTo("PUT /v1/kv/key?cas=7 one");
  }

  @Test
  void a_transaction_carries_keys_and_values_in_base64() {
    assertThat(
            sent(
                new Request.Txn(
                    List.of(
                        Request.create(KEY, VALUE),
                        Request.update("\"k\"".getBytes(UTF_8), new byte[0])))))
        .isEqualTo(
            "PUT /v1/txn [{\"KV\":{\"Verb\":\"set\",\"Key\":\"key\",\"Value\":\"b25l\"}},"
                + "{\"KV\":{\"Verb\":\"set\",\"Key\":\"\\\"k\\\"\",\"Value\":\"\"}}]");
  }

  private static Request.Range range(ReadConsistency consistency) {
    return new Request.Range(KEY, 0, ReturnedValue.ENTRIES, consistency);
  }

  private static String sent(Request request) {
    var pending = new PendingRequests(Duration.ofSeconds(20));
    DefaultFullHttpRequest message =
        new ConsulHttpConnection.Messages(
                AsciiString.of("127.0.0.1:8500"), AsciiString.EMPTY_STRING)
            .of(new ConsulRequest(request, pending.add(new RecordedCompletion())));
    assertThat(message.headers().get("host")).isEqualTo("127.0.0.1:8500");
    return message.method() + " " + message.uri() + " " + message.content().toString(UTF_8);
  }
}
