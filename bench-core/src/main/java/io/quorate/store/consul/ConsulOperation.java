// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.handler.codec.http.HttpMethod;
import io.quorate.store.Answer;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * An operation for Consul: its HTTP message, and the meaning of the answer.
 *
 * @param path path and query of its message
 * @param body body of its message; empty if it has none
 * @param success ends a successful request with the body of the answer
 * @param ofMissing answer to a request for a missing key, if Consul reports that
 */
record ConsulOperation(
    HttpMethod method,
    Function<Request, String> path,
    Function<Request, byte[]> body,
    Success success,
    Optional<Answer> ofMissing) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] NO_BODY = new byte[0];

  private static final ConsulOperation LEADER =
      new ConsulOperation(
          HttpMethod.GET, asked -> "/v1/status/leader", asked -> NO_BODY, ConsulOperation::leader);

  private static final Map<Operation, ConsulOperation> ALL =
      new EnumMap<>(
          Map.of(
              Operation.PUT,
              new ConsulOperation(
                  HttpMethod.PUT,
                  ConsulOperation::put,
                  ConsulOperation::content,
                  ConsulOperation::endPut),
              Operation.GET,
              new ConsulOperation(
                      HttpMethod.GET,
                      asked -> get((Request.Get) asked),
                      asked -> NO_BODY,
                      (request, body) -> ConsulAnswer.endGet(request, ConsulEntries.ofRead(body)))
                  .orMissing(Answer.MISSING),
              Operation.EXISTS,
              new ConsulOperation(
                      HttpMethod.GET,
                      asked -> exists((Request.Exists) asked),
                      asked -> NO_BODY,
                      (request, body) ->
                          ConsulAnswer.endExists(request, ConsulEntries.ofNames(body)))
                  .orMissing(Answer.MISSING),
              Operation.DELETE,
              new ConsulOperation(
                  HttpMethod.DELETE,
                  asked -> path(((Request.Delete) asked).key()),
                  asked -> NO_BODY,
                  ConsulOperation::written),
              Operation.RANGE,
              new ConsulOperation(
                      HttpMethod.GET,
                      asked -> range((Request.Range) asked),
                      asked -> NO_BODY,
                      ConsulOperation::entries)
                  .orMissing(new Answer.Entries(0, List.of())),
              Operation.COMPARE_AND_SET,
              new ConsulOperation(
                  HttpMethod.PUT,
                  asked -> compareAndSet((Request.CompareAndSet) asked),
                  asked -> ((Request.CompareAndSet) asked).value(),
                  ConsulOperation::written),
              Operation.TXN,
              new ConsulOperation(
                  HttpMethod.PUT,
                  asked -> "/v1/txn",
                  asked -> json((Request.Txn) asked),
                  (request, body) -> ConsulAnswer.endTxn(request, ConsulEntries.ofTxn(body))),
              Operation.LEASE_GRANT,
              new ConsulOperation(
                  HttpMethod.PUT,
                  asked -> "/v1/session/create",
                  asked -> session(((Request.GrantLease) asked).ttlSeconds()).getBytes(ISO_8859_1),
                  (request, body) ->
                      ConsulAnswer.answer(
                          request, new Answer.Granted(ConsulEntries.ofSession(body)))),
              Operation.LEASE_KEEPALIVE,
              new ConsulOperation(
                      HttpMethod.PUT,
                      asked -> "/v1/session/renew/" + ((Request.KeepAlive) asked).lease(),
                      asked -> NO_BODY,
                      (request, body) -> ConsulAnswer.answer(request, Answer.RENEWED))
                  .orMissing(Answer.MISSING)));

  interface Success {
    void end(ConsulRequest request, byte[] body) throws IOException;
  }

  private ConsulOperation(
      HttpMethod method,
      Function<Request, String> path,
      Function<Request, byte[]> body,
      Success success) {
    this(method, path, body, success, Optional.empty());
  }

  private ConsulOperation orMissing(Answer answer) {
    return new ConsulOperation(method, path, body, success, Optional.of(answer));
  }

  static Set<Operation> all() {
    return ALL.keySet();
  }

  /** Returns the operation of a request, one of {@link #all} or the search for the leader. */
  static ConsulOperation of(ConsulRequest request) {
    return request.isForLeader()
        ? LEADER
        : Objects.requireNonNull(ALL.get(request.asked().operation()));
  }

  String path(Request asked) {
    return path.apply(asked);
  }

  byte[] body(Request asked) {
    return body.apply(asked);
  }

  private static void leader(ConsulRequest request, byte[] body) {
    String address = new String(body, UTF_8).strip().replace("\"", "");
    ConsulAnswer.answer(request, new Answer.Found(address.getBytes(UTF_8), Answer.NO_REVISION));
  }

  /** Returns the path of a put; a key of another session is removed and created at once. */
  private static String put(Request asked) {
    if (asked instanceof Request.LeasedPut leased) {
      return leased.creates() ? path(leased.key()) + "?acquire=" + leased.lease() : "/v1/txn";
    }
    return path(((Request.Put) asked).key());
  }

  private static byte[] content(Request asked) {
    if (asked instanceof Request.LeasedPut leased) {
      return leased.creates() ? leased.value() : json(leased);
    }
    return ((Request.Put) asked).value();
  }

  private static void endPut(ConsulRequest request, byte[] body) throws IOException {
    if (request.asked() instanceof Request.LeasedPut leased && !leased.creates()) {
      ConsulAnswer.answer(request, new Answer.Written(ConsulEntries.ofTxn(body).get(0).revision()));
    } else {
      written(request, body);
    }
  }

  private static void written(ConsulRequest request, byte[] body) {
    ConsulAnswer.endWrite(request, new String(body, UTF_8).strip());
  }

  private static void entries(ConsulRequest request, byte[] body) throws IOException {
    boolean names = ((Request.Range) request.asked()).returned() == ReturnedValue.KEYS;
    ConsulAnswer.endRange(
        request, names ? ConsulEntries.ofNames(body) : ConsulEntries.ofRead(body));
  }

  private static String get(Request.Get get) {
    String query = get.consistency() == ReadConsistency.DEFAULT ? "" : "?";
    return path(get.key()) + query + consistency(get.consistency());
  }

  private static String range(Request.Range range) {
    String what = range.returned() == ReturnedValue.KEYS ? "?keys" : "?recurse";
    String query = range.consistency() == ReadConsistency.DEFAULT ? what : what + "&";
    return path(range.prefix()) + query + consistency(range.consistency());
  }

  /** Returns the list of the names that begin with a key, which has no value in the answer. */
  private static String exists(Request.Exists asked) {
    String query = asked.consistency() == ReadConsistency.DEFAULT ? "?keys" : "?keys&";
    return path(asked.key()) + query + consistency(asked.consistency());
  }

  private static String compareAndSet(Request.CompareAndSet compared) {
    return path(compared.key()) + "?cas=" + compared.revision();
  }

  private static String path(byte[] key) {
    return "/v1/kv/" + escaped(key);
  }

  /** Returns a key as a part of a path, in which a question mark, for example, would end it. */
  static String escaped(byte[] key) {
    for (byte each : key) {
      if (!isPlain(each)) {
        var path = new StringBuilder();
        for (byte one : key) {
          path.append(isPlain(one) ? Character.toString(one) : "%%%02X".formatted(one));
        }
        return path.toString();
      }
    }
    return new String(key, ISO_8859_1);
  }

  private static boolean isPlain(byte character) {
    return character >= 'a' && character <= 'z'
        || character >= '-' && character <= '9' // also a dot and a slash
        || character >= 'A' && character <= 'Z'
        || character == '_';
  }

  private static String consistency(ReadConsistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> "consistent";
      case SERIALIZABLE -> "stale";
      case DEFAULT -> "";
    };
  }

  /** Returns the description of a session that only its time to live can end, with its keys. */
  static String session(long ttlSeconds) {
    return "{\"TTL\":\"%ds\",\"LockDelay\":\"0s\",\"Behavior\":\"delete\",\"NodeChecks\":[]}"
        .formatted(ttlSeconds);
  }

  private interface Parts {
    void write(JsonGenerator json) throws IOException;
  }

  private static byte[] json(Request.Txn txn) {
    return json(
        json -> {
          for (Request.Put put : txn.puts()) {
            part(json, "set", put.key(), put.value(), "");
          }
          for (byte[] key : txn.deletes()) {
            part(json, "delete", key, NO_BODY, "");
          }
          for (byte[] key : txn.gets()) {
            part(json, "get", key, NO_BODY, "");
          }
        });
  }

  private static byte[] json(Request.LeasedPut put) {
    return json(
        json -> {
          part(json, "delete", put.key(), NO_BODY, "");
          part(json, "lock", put.key(), put.value(), put.lease());
        });
  }

  private static byte[] json(Parts parts) {
    var bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartArray();
      parts.write(json);
      json.writeEndArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static void part(
      JsonGenerator json, String verb, byte[] key, byte[] value, String session)
      throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("KV");
    json.writeStringField("Verb", verb);
    json.writeStringField("Key", new String(key, ISO_8859_1));
    if (verb.equals("set") || verb.equals("lock")) {
      json.writeBinaryField("Value", value);
    }
    if (!session.isEmpty()) {
      json.writeStringField("Session", session);
    }
    json.writeEndObject();
    json.writeEndObject();
  }
}
