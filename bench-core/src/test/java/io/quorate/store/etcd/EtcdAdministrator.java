// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Access;
import io.quorate.store.Administrator;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * @param access that of root
 */
public record EtcdAdministrator(Endpoint server, Access access) implements Administrator {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String RANGE =
      "\"key\": \"%s\", \"range_end\": \"%s\"".formatted(base64("quorate/"), base64("quorate0"));

  @Override
  public Login addUser() throws IOException {
    call("auth/user/add", "{\"name\": \"bench\", \"password\": \"secret\"}");
    call("auth/role/add", "{\"name\": \"runs\"}");
    call(
        "auth/role/grant",
        "{\"name\": \"runs\", \"perm\": {\"permType\": \"READWRITE\", " + RANGE + "}}");
    call("auth/user/grant", "{\"user\": \"bench\", \"role\": \"runs\"}");
    return new Login.Password("bench", "secret");
  }

  @Override
  public List<String> left() throws IOException {
    List<String> left = new ArrayList<>();
    call("kv/range", "{" + RANGE + ", \"keys_only\": true}")
        .json()
        .path("kvs")
        .forEach(each -> left.add(text(each.path("key").asText())));
    call("lease/leases", "{}")
        .json()
        .path("leases")
        .forEach(each -> left.add("lease " + each.path("ID").asText()));
    return left;
  }

  private HttpResponseText call(String path, String body) throws IOException {
    EtcdApi root = new EtcdApi(server, access, LIMIT);
    HttpResponseText answer = root.post(path, body, root.authorization());
    assertThat(answer.isOk()).as(answer.toString()).isTrue();
    return answer;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), UTF_8);
  }
}
