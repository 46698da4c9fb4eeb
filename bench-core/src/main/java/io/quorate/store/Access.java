package io.quorate.store;

import io.quorate.tls.ClientTls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way in which clients get in to the servers of a store.
 *
 * @param tls empty for plain text
 */
public record Access(Optional<ClientTls> tls, Login login) {
  /** Access in plain text, of a client that says nothing about itself. */
  public static final Access PLAIN = new Access(Optional.empty(), Login.NONE);

  /** Returns access over TLS. */
  public static Access over(ClientTls tls, Login login) {
    return new Access(Optional.of(tls), login);
  }

  /** Returns whether what is sent is encrypted. */
  public Security security() {
    return tls.isPresent() ? Security.TLS : Security.NONE;
  }

  /** Returns what the client shows of itself: certificate, password, token. */
  public List<String> authentication() {
    List<String> shown = new ArrayList<>();
    if (tls.filter(ClientTls::hasIdentity).isPresent()) {
      shown.add("certificate");
    }
    if (login != Login.NONE) {
      shown.add(login.kind().id());
    }
    return shown;
  }

  /** Returns the scheme of URLs: http or https. */
  public String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /** Returns a text without secrets. */
  @Override
  public String toString() {
    return security() + ", " + login;
  }
}
