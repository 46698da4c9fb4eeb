// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.quorate.QuorateException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A private key that does not leave this machine; an authority on another machine issues its
 * certificate.
 */
public final class RequestedKey {
  private static final String CURVE = "EC";

  private final KeyPair pair = CertificateAuthority.keyPair();

  /** Returns the request for the certificate: PKCS 10, signed with the key. */
  public byte[] request() {
    try {
      return new JcaPKCS10CertificationRequestBuilder(new X500Name(""), pair.getPublic())
          .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
          .getEncoded();
    } catch (OperatorCreationException | IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the key with the certificate that was issued; it is checked when it is loaded. */
  public IssuedKey issued(String authority, String certificate) {
    return new IssuedKey(authority, certificate, CertificateAuthority.pem(pair.getPrivate()));
  }

  /** Returns the public key in a request; fails if it is damaged, or not signed with the key. */
  static PublicKey publicKey(byte[] request) {
    try {
      JcaPKCS10CertificationRequest read = new JcaPKCS10CertificationRequest(request);
      PublicKey key = read.getPublicKey();
      if (key.getAlgorithm().equals(CURVE)
          && read.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        return key;
      }
    } catch (IOException
        | GeneralSecurityException
        | OperatorCreationException
        | PKCSException
        | RuntimeException damaged) {
      throw new QuorateException("found a damaged request for a certificate", damaged);
    }
    throw new QuorateException("found a request for a certificate that its key has not signed");
  }

  @Override
  public String toString() {
    return "a private key without a certificate";
  }
}
