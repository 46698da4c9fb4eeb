// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.Access;
import io.quorate.store.Administrator;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.HttpResponseText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * @param access that of the token for management
 */
public record ConsulAdministrator(Endpoint server, Access access) implements Administrator {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int NO_KEYS = 404;

  @Override
  public Login addUser() throws IOException {
    String policy =
        new ObjectMapper().writeValueAsString(Map.of("Name", "runs", "Rules", policy()));
    requireOk(call("PUT", "acl/policy", policy));
    HttpResponseText token = call("PUT", "acl/token", "{\"Policies\": [{\"Name\": \"runs\"}]}");
    return new Login.Token(requireOk(token).json().path("SecretID").asText());
  }

  /** Returns the policy that the guide gives to a user. */
  private static String policy() throws IOException {
    Path page =
        Path.of(System.getProperty("quorate.home"), "src/site/markdown/how-to/least-rights.md");
    return Files.readString(page).replaceAll("(?s).*```hcl\n(.*?)```.*", "$1");
  }

  @Override
  public List<String> left() throws IOException {
    List<String> left = new ArrayList<>();
    HttpResponseText keys = call("GET", "kv/quorate/?keys", "");
    if (keys.status() != NO_KEYS) {
      requireOk(keys).json().forEach(each -> left.add(each.asText()));
    }
    requireOk(call("GET", "session/list", ""))
        .json()
        .forEach(each -> left.add("session " + each.path("ID").asText()));
    return left;
  }

  private HttpResponseText call(String method, String path, String body) throws IOException {
    return HttpResponseText.to(
        method, server, access, "/v1/" + path, body, ConsulRequest.headers(access), LIMIT);
  }

  private static HttpResponseText requireOk(HttpResponseText answer) {
    assertThat(answer.isOk()).as(answer.toString()).isTrue();
    return answer;
  }
}
