// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.tls.ClientTls;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How clients connect and authenticate to the servers of a store. Safe for several threads.
 *
 * <p>Each access has one HTTP client, which is created when it is first needed and ends when the
 * access is not used any more; its threads are daemons.
 */
public final class Access {
  /** Access in plain text, without credentials. */
  public static final Access PLAIN = new Access(Optional.empty(), Login.NONE);

  /** The authentication by a certificate, as {@link #authentication} names it. */
  public static final String CERTIFICATE = "certificate";

  private final Optional<ClientTls> tls;
  private final Login login;

  /** The HTTP client; null before the first request. */
  private @Nullable HttpClient http;

  public Access(Optional<ClientTls> tls, Login login) {
    this.tls = tls;
    this.login = login;
  }

  public static Access over(ClientTls tls, Login login) {
    return new Access(Optional.of(tls), login);
  }

  /** Returns the TLS settings; empty for plain text. */
  public Optional<ClientTls> tls() {
    return tls;
  }

  /** Returns the identity of the client, in addition to its certificate. */
  public Login login() {
    return login;
  }

  public Security security() {
    return tls.isPresent() ? Security.TLS : Security.NONE;
  }

  /** Returns the kinds of credentials that the client shows: certificate, password, token. */
  public List<String> authentication() {
    List<String> shown = new ArrayList<>();
    if (tls.filter(ClientTls::hasIdentity).isPresent()) {
      shown.add(CERTIFICATE);
    }
    if (login != Login.NONE) {
      shown.add(login.kind().id());
    }
    return shown;
  }

  public String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /**
   * Returns the HTTP client, always the same. It uses no proxy, no redirection and no compression.
   * It does not use HTTP/2 either, whose long answers have other limits.
   */
  public synchronized HttpClient http() {
    if (http == null) {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .proxy(HttpClient.Builder.NO_PROXY);
      tls.ifPresent(known -> builder.sslContext(known.context()).sslParameters(known.parameters()));
      http = builder.build();
    }
    return http;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Access access && tls.equals(access.tls) && login.equals(access.login);
  }

  @Override
  public int hashCode() {
    return Objects.hash(tls, login);
  }

  @Override
  public String toString() {
    return security() + ", " + login;
  }
}
