// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent;

import com.google.protobuf.ByteString;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Secrets;
import io.quorate.cluster.MemberSecrets;
import io.quorate.cluster.RemoteSecrets;
import io.quorate.store.Endpoint;
import io.quorate.store.HostAddress;
import io.quorate.store.Login;
import io.quorate.tls.RequestedKey;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts the secrets of a member to and from the messages of load generator and agent. */
public final class AgentSecrets {
  private static final int SHARED_KEY_BYTES = 32;

  private AgentSecrets() {}

  /** Fails unless all agents are on this machine, as secrets are not sent in plain text. */
  static void requireThisMachine(List<Endpoint> agents) {
    List<String> elsewhere =
        agents.stream()
            .filter(each -> !HostAddress.isLoopback(each.host()))
            .map(
                each ->
                    ("agent %s: security: tls needs agent keys, because secrets are only sent "
                            + "over encrypted connections. Pass the load generator's keys "
                            + "(--agent-keys DIR/client)")
                        .formatted(each))
            .toList();
    QuorateException.throwIfAny(elsewhere);
  }

  /**
   * Returns the message with the secrets of a member.
   *
   * @param index index of the member, from 1
   * @param host address at which it listens
   * @throws QuorateException if the request is damaged
   */
  static Secrets message(RemoteSecrets secrets, int index, String host, ByteString request) {
    Secrets.Builder message =
        Secrets.newBuilder()
            .setAuthority(secrets.cluster().authority())
            .setCertificate(secrets.certificate(index, host, request.toByteArray()))
            .setSharedKey(secrets.cluster().sharedKey());
    if (secrets.cluster().login() instanceof Login.Password known) {
      message.setUser(known.user()).setPassword(known.password());
    } else if (secrets.cluster().login() instanceof Login.Token known) {
      message.setToken(known.token());
    }
    return message.build();
  }

  /**
   * Returns the secrets of a member whose key was made here.
   *
   * @throws QuorateException if the message has other contents; the exception never quotes them
   */
  public static MemberSecrets read(Secrets message, RequestedKey key) {
    Map<String, String> login = new LinkedHashMap<>();
    login.put("user", message.getUser());
    login.put("password", message.getPassword());
    login.put("token", message.getToken());
    login.values().removeIf(String::isEmpty);
    return new MemberSecrets(
        key.issued(message.getAuthority(), message.getCertificate()),
        login.isEmpty() ? Login.NONE : Login.of(login, "the secrets of the load generator:"),
        sharedKey(message));
  }

  private static String sharedKey(Secrets message) {
    try {
      if (Base64.getDecoder().decode(message.getSharedKey()).length == SHARED_KEY_BYTES) {
        return message.getSharedKey();
      }
    } catch (IllegalArgumentException other) {
      // without its text, which quotes the key
    }
    throw new QuorateException("found a shared key that is not 32 bytes in Base64");
  }
}
