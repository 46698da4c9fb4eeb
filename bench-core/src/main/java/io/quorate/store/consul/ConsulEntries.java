// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the JSON in which Consul describes keys. */
final class ConsulEntries {
  private static final JsonFactory JSON = new JsonFactory();
  private static final ObjectMapper TREE = new ObjectMapper();
  private static final byte[] EMPTY = new byte[0];

  private static final Pattern ID = Pattern.compile("[0-9a-zA-Z-]{1,64}");

  /**
   * A key as Consul describes it.
   *
   * @param key key; empty if it is not reported
   * @param value value; null if there is none, or if it is empty
   * @param revision revision; {@link Answer#NO_REVISION} if it is not reported
   */
  record Described(String key, byte @Nullable [] value, long revision) {
    static Described ofName(String key) {
      return new Described(key, null, Answer.NO_REVISION);
    }

    Answer.Found found() {
      return new Answer.Found(value == null ? EMPTY : value, revision);
    }

    Answer.Entry entry() {
      return new Answer.Entry(key.getBytes(ISO_8859_1), value == null ? EMPTY : value);
    }
  }

  /** Thrown if the answer is well-formed, but the value in it is not. */
  static final class NotBase64Exception extends IOException {
    private static final long serialVersionUID = 1;
  }

  private ConsulEntries() {}

  static List<Described> ofRead(byte[] body) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      require(json.nextToken() == JsonToken.START_ARRAY);
      List<Described> keys = new ArrayList<>(1);
      while (json.nextToken() != JsonToken.END_ARRAY) {
        keys.add(described(json, true));
      }
      return keys;
    }
  }

  /** Returns the keys from the answer to a read of keys without values: a list of names. */
  static List<Described> ofNames(byte[] body) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      require(json.nextToken() == JsonToken.START_ARRAY);
      List<Described> keys = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        require(json.currentToken() == JsonToken.VALUE_STRING);
        keys.add(Described.ofName(json.getText()));
      }
      return keys;
    }
  }

  static List<Described> ofTxn(byte[] body) throws IOException {
    List<Described> keys = new ArrayList<>();
    try (JsonParser json = JSON.createParser(body)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        if (field.equals("Results") && json.currentToken() == JsonToken.START_ARRAY) {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            keys.add(result(json));
          }
        } else {
          require(!field.equals("Errors") || json.currentToken() == JsonToken.VALUE_NULL);
          json.skipChildren();
        }
      }
      require(json.currentToken() == JsonToken.END_OBJECT);
    }
    return keys;
  }

  static String ofSession(byte[] body) throws IOException {
    String id = TREE.readTree(body).path("ID").asText();
    require(ID.matcher(id).matches());
    return id;
  }

  private static Described result(JsonParser json) throws IOException {
    require(json.currentToken() == JsonToken.START_OBJECT);
    require(json.nextToken() == JsonToken.FIELD_NAME && json.currentName().equals("KV"));
    json.nextToken();
    Described key = described(json, false);
    require(json.nextToken() == JsonToken.END_OBJECT);
    return key;
  }

  private static Described described(JsonParser json, boolean withValue) throws IOException {
    require(json.currentToken() == JsonToken.START_OBJECT);
    String key = "";
    byte[] value = null;
    long revision = Answer.NO_REVISION;
    boolean valued = !withValue;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken token = json.nextToken();
      switch (field) {
        case "Key" -> key = json.getText();
        case "ModifyIndex" -> revision = json.getLongValue();
        case "Value" -> {
          valued = true;
          value = token == JsonToken.VALUE_NULL ? null : decoded(json.getText());
        }
        default -> json.skipChildren();
      }
    }
    require(valued && json.currentToken() == JsonToken.END_OBJECT);
    return new Described(key, value, revision);
  }

  private static byte[] decoded(String text) throws NotBase64Exception {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      throw new NotBase64Exception();
    }
  }

  private static void require(boolean expected) throws IOException {
    if (!expected) {
      throw new IOException("not what Consul answers");
    }
  }
}
