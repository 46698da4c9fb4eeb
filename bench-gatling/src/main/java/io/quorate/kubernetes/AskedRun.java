package io.quorate.kubernetes;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.scenario.Shard;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The options of {@code quorate kubernetes render}, as they are written; empty where the manifests
 * keep their own value.
 */
record AskedRun(
    String scenario,
    int shards,
    String endpoints,
    Optional<String> database,
    Optional<String> scale,
    Optional<String> name,
    Optional<String> namespace,
    String image,
    Optional<String> claim,
    Optional<String> servers,
    Optional<String> cpus,
    Optional<String> memory,
    Optional<String> tlsSecret,
    Optional<String> clientCertificateSecret,
    Optional<String> credentialsSecret,
    Optional<String> overlay,
    Optional<String> results,
    Optional<String> startAt) {
  static final String ONE_NODE = "one-node";
  static final String NO_SHARED_VOLUME = "no-shared-volume";
  static final List<String> OVERLAYS = List.of(NO_SHARED_VOLUME, ONE_NODE);

  /** Leaves room for what is added to it in the names of Pods, which have 63 characters. */
  private static final Pattern NAME = Pattern.compile("[a-z]([a-z0-9-]{0,38}[a-z0-9])?");

  private static final Pattern OBJECT = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]{0,499}");
  private static final Pattern LABEL =
      Pattern.compile(
          "([a-z0-9][a-z0-9.-]{0,252}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,62}=[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern CPUS = Pattern.compile("[1-9]\\d{0,3}(\\.\\d{1,3})?|[1-9]\\d{0,5}m");
  private static final Pattern MEMORY = Pattern.compile("[1-9]\\d{0,5}(Mi|Gi)");
  private static final Pattern DIRECTORY =
      Pattern.compile("(?=.{2,501}$)(/(?!\\.{1,2}(/|$))[\\w.-]+)+/?");

  /** Adds all that is wrong with it, but for what runs have, too. */
  void addProblems(List<String> problems) {
    if (shards < 1 || shards > Shard.MOST) {
      problems.add("--shards: found %d, expected 1 to %d".formatted(shards, Shard.MOST));
    }
    check("--name", name, NAME, "at most 40 of a-z, 0-9 and -, such as run-17", problems);
    check("--namespace", namespace, NAMESPACE, "the name of a namespace", problems);
    check("--image", Optional.of(image), IMAGE, "an image, such as a/quorate:0.1", problems);
    check("--claim", claim, OBJECT, "the name of a PersistentVolumeClaim", problems);
    check("--servers", servers, LABEL, "a label such as app=etcd", problems);
    check("--cpus", cpus, CPUS, "a number of processors such as 4, 1.5 or 500m", problems);
    check("--memory", memory, MEMORY, "a size such as 512Mi or 6Gi", problems);
    check("--tls-secret", tlsSecret, OBJECT, "the name of a Secret", problems);
    String clients = "--client-certificate-secret";
    check(clients, clientCertificateSecret, OBJECT, "the name of a Secret", problems);
    check("--credentials-secret", credentialsSecret, OBJECT, "the name of a Secret", problems);
    check(
        "--results",
        results,
        DIRECTORY,
        "an absolute path without blanks, '.' and '..', such as /srv/results",
        problems);
    if (clientCertificateSecret.isPresent() && tlsSecret.isEmpty()) {
      problems.add(clients + ": found it without --tls-secret: a certificate is shown over TLS");
    }
    overlayProblems(problems);
  }

  private void overlayProblems(List<String> problems) {
    overlay
        .filter(asked -> !OVERLAYS.contains(asked))
        .ifPresent(
            asked ->
                problems.add(
                    "--overlay: found %s, expected one of %s%s"
                        .formatted(
                            VisibleText.quoted(asked),
                            String.join(", ", OVERLAYS),
                            Spelling.hint(OVERLAYS, asked))));
    if (results.isPresent() && !has(ONE_NODE)) {
      problems.add("--results: found it without --overlay one-node: other results are in a volume");
    }
    if (startAt.isPresent() != has(NO_SHARED_VOLUME)) {
      problems.add(
          startAt.isPresent()
              ? "--start-at: found it without --overlay no-shared-volume: others begin together"
                  + " when all are ready"
              : "--start-at: missing with --overlay no-shared-volume, where load generators cannot"
                  + " wait for each other: expected a time such as 2026-11-22T12:00:00Z");
    }
    if (claim.isPresent() && overlay.isPresent()) {
      problems.add("--claim: found it with --overlay, which needs none: leave out one of both");
    }
  }

  /** Returns whether this overlay is asked for. */
  boolean has(String expected) {
    return overlay.filter(expected::equals).isPresent();
  }

  private static void check(
      String option,
      Optional<String> found,
      Pattern pattern,
      String expected,
      List<String> problems) {
    found
        .filter(text -> !pattern.matcher(text).matches())
        .ifPresent(
            text ->
                problems.add(
                    "%s: found %s, expected %s"
                        .formatted(option, VisibleText.quoted(text), expected)));
  }
}
