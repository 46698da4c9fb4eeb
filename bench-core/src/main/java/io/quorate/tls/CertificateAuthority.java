// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.netty.util.NetUtil;
import io.quorate.QuorateException;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Issues certificates with their private keys. Its own key is only in this object, so that no
 * certificate can be issued later.
 */
public final class CertificateAuthority {
  /** The connections that a certificate is good for. */
  public enum Purpose {
    /** Only connections to its owner. */
    SERVER,
    /** Only connections from its owner. */
    CLIENT,
    /** Both, as required by members of a cluster that connect to each other. */
    MEMBER
  }

  /** Time by which the validity begins earlier, since the clocks of hosts differ. */
  private static final Duration EARLIER = Duration.ofHours(1);

  private static final int SERIAL_BITS = 120;

  private final SecureRandom random = new SecureRandom();
  private final X500Name name;
  private final Date from;
  private final Date until;
  private final KeyPair keys = keyPair();
  private final X509CertificateHolder certificate;

  /** Creates an authority; all of its certificates are valid from now on. */
  public CertificateAuthority(String name, Instant now, Duration validity) {
    this.name = new X500Name("CN=" + name);
    this.from = Date.from(now.minus(EARLIER));
    this.until = Date.from(now.plus(validity));
    try {
      X509v3CertificateBuilder builder = builder("CN=" + name, keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      this.certificate = signed(builder);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public String certificate() {
    return pem(certificate);
  }

  /**
   * Issues a certificate.
   *
   * @param subject distinguished name, such as {@code CN=db1}
   * @param hosts names and addresses of its owner; empty for a client
   */
  public IssuedKey issue(String subject, Purpose purpose, List<String> hosts) {
    KeyPair pair = keyPair();
    String issued = pem(signed(builder(subject, pair.getPublic(), purpose, hosts)));
    return new IssuedKey(certificate(), issued, pem(pair.getPrivate()));
  }

  /**
   * Issues the certificate of a key that stays with its owner, in PEM. Other parts of the request
   * are ignored.
   *
   * @param request request of the owner, see {@link RequestedKey}
   * @throws QuorateException if the request is damaged, or not signed with the key
   */
  public String issue(byte[] request, String subject, Purpose purpose, List<String> hosts) {
    return pem(signed(builder(subject, RequestedKey.publicKey(request), purpose, hosts)));
  }

  private X509v3CertificateBuilder builder(
      String subject, PublicKey key, Purpose purpose, List<String> hosts) {
    X509v3CertificateBuilder builder = builder(subject, key);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, true, usage(purpose));
      if (!hosts.isEmpty()) {
        GeneralName[] names =
            hosts.stream().map(CertificateAuthority::name).toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return builder;
  }

  private static ExtendedKeyUsage usage(Purpose purpose) {
    KeyPurposeId server = KeyPurposeId.id_kp_serverAuth;
    KeyPurposeId client = KeyPurposeId.id_kp_clientAuth;
    return switch (purpose) {
      case SERVER -> new ExtendedKeyUsage(server);
      case CLIENT -> new ExtendedKeyUsage(client);
      case MEMBER -> new ExtendedKeyUsage(new KeyPurposeId[] {server, client});
    };
  }

  private static GeneralName name(String host) {
    boolean address = NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  static String pem(Object content) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
      pem.writeObject(
          content instanceof PrivateKey key ? new JcaPKCS8Generator(key, null) : content);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }

  private X509v3CertificateBuilder builder(String subject, PublicKey key) {
    return new JcaX509v3CertificateBuilder(
        name,
        new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
        from,
        until,
        new X500Name(subject),
        key);
  }

  private X509CertificateHolder signed(X509v3CertificateBuilder builder) {
    try {
      return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    } catch (OperatorCreationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
