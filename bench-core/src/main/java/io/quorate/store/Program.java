package io.quorate.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A program that a database needs. {@code ./quorate install} takes it from the vendor's archive or
 * builds it from {@code src/databases/<id>/go.mod}; a new one is one constant and that directory.
 */
public enum Program {
  ETCD(
      "etcd",
      "3.6.16",
      "Apache-2.0",
      "etcd Version: (\\S+)",
      List.of(
          new GoPackage("etcd", "go.etcd.io/etcd/server/v3"),
          new GoPackage("etcdctl", "go.etcd.io/etcd/etcdctl/v3")),
      Optional.of(
          new Vendor(
              "https://github.com/etcd-io/etcd/releases/download",
              "v{version}",
              "etcd-v{version}-{os}-{arch}",
              "tar.gz"))),
  CONSUL(
      "consul",
      "1.22.7",
      "BUSL-1.1",
      "Consul v(\\S+)",
      List.of(new GoPackage("consul", "github.com/hashicorp/consul")),
      Optional.of(
          new Vendor(
              "https://releases.hashicorp.com/consul",
              "{version}",
              "consul_{version}_{os}_{arch}",
              "zip"))),
  /** etcd's own load tool, to measure ours against. It cannot say its version. */
  ETCD_BENCHMARK(
      "etcd-benchmark",
      "3.6.8",
      "Apache-2.0",
      "Usage:\\s+benchmark",
      List.of(new GoPackage("etcd-benchmark", "go.etcd.io/etcd/v3/tools/benchmark")),
      Optional.empty()),
  /** Speaks ZooKeeper's protocol in front of etcd. It cannot say its version. */
  ZETCD(
      "zetcd",
      "0.0.5",
      "Apache-2.0",
      "Usage of \\S*zetcd:",
      List.of(new GoPackage("zetcd", "github.com/coreos/zetcd/cmd/zetcd")),
      Optional.empty()),
  /** Speaks Consul's protocol in front of etcd. It has no release and no module that is served. */
  CETCD("cetcd", "", "Apache-2.0", "", List.of(), Optional.empty());

  /** An executable and the Go package that it is built from. */
  public record GoPackage(String executable, String path) {}

  /**
   * Where a vendor keeps its release archives. In the texts, {@code {version}}, {@code {os}} and
   * {@code {arch}} stand for themselves.
   *
   * @param base the address, without a slash at the end
   * @param directory of one version, below the base
   * @param name of the archive, without its ending
   * @param linuxEnding what the archive for Linux ends with; the others are {@code zip}
   */
  public record Vendor(String base, String directory, String name, String linuxEnding) {}

  private static final int[] CONSUL_BUSL = {1, 16, 4};
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})");
  private static final String CETCD_SOURCE = "https://github.com/etcd-io/cetcd";

  private final String id;
  private final String version;
  private final String licence;
  private final String answer;
  private final List<GoPackage> packages;
  private final Optional<Vendor> vendor;

  Program(
      String id,
      String version,
      String licence,
      String answer,
      List<GoPackage> packages,
      Optional<Vendor> vendor) {
    this.id = id;
    this.version = version;
    this.licence = licence;
    this.answer = answer;
    this.packages = packages;
    this.vendor = vendor;
  }

  /** The name on the command line, and of the executable. */
  public String id() {
    return id;
  }

  /** The version that is installed; empty if {@link #isInstallable()} is false. */
  public String version() {
    return version;
  }

  /** The SPDX identifier of the licence of {@link #version()}. */
  public String licence() {
    return licence;
  }

  /** That of another version, as the program reports it. */
  public String licence(String reported) {
    return this == CONSUL && isOlder(reported, CONSUL_BUSL) ? "MPL-2.0" : licence;
  }

  /** What else there is to say about the licence, in one sentence without a full stop. */
  public Optional<String> licenceNote() {
    return this == CONSUL
        ? Optional.of(
            "Business Source License 1.1 from Consul 1.16.4 on, which is not open source;"
                + " 1.16.3 is the last release under MPL-2.0")
        : Optional.empty();
  }

  /** Whether {@code ./quorate install} knows a source of it. */
  public boolean isInstallable() {
    return !packages.isEmpty();
  }

  /** What to build; the first is the program itself, the others are installed beside it. */
  public List<GoPackage> packages() {
    return packages;
  }

  /** The names of all executables that are installed; the first is the program itself. */
  public List<String> executables() {
    return packages.stream().map(GoPackage::executable).toList();
  }

  /** Who releases archives of it. */
  public Optional<Vendor> vendor() {
    return vendor;
  }

  /**
   * Finds what it prints when it is asked for {@code --version}; the first group, if there is one,
   * is the version.
   */
  public Pattern answer() {
    return Pattern.compile(answer);
  }

  /** The environment variable that names an executable to use instead. */
  public String variable() {
    return "QUORATE_" + name();
  }

  /** What a person reads wherever the program is needed and not there. */
  public String missing() {
    return isInstallable()
        ? format(
            "%s is not installed: run ./quorate install %s (or put %s on PATH, or set %s)",
            id, id, id, variable())
        : format("%s is not there: %s", id, howToGet());
  }

  /** How to get the program, in one sentence without a full stop. */
  public String howToGet() {
    return isInstallable()
        ? format("run ./quorate install %s", id)
        : format(
            "Quorate cannot install it; build it from %s, then put it on PATH or set %s",
            CETCD_SOURCE, variable());
  }

  public static Optional<Program> byId(String id) {
    return Arrays.stream(values()).filter(program -> program.id.equals(id)).findFirst();
  }

  /** Those that {@code ./quorate install} knows a source of. */
  public static List<Program> installable() {
    return Arrays.stream(values()).filter(Program::isInstallable).toList();
  }

  /**
   * The programs that local servers of a database consist of, the database's own last; empty when
   * Quorate brings them along.
   */
  public static List<Program> programs(Database database) {
    return byId(database.id()).map(Program::withWhatItNeeds).orElse(List.of());
  }

  /**
   * What must be there for it to run, itself last: a shim needs the etcd that it stands in front
   * of.
   */
  public List<Program> withWhatItNeeds() {
    return this == ZETCD || this == CETCD ? List.of(ETCD, this) : List.of(this);
  }

  /** Why a database that needs these programs cannot be run; not to be asked for none. */
  public static String missing(List<Program> programs) {
    List<Program> installable = programs.stream().filter(Program::isInstallable).toList();
    if (installable.size() < 2) {
      return programs.stream().map(Program::missing).collect(Collectors.joining("; "));
    }
    String ids = installable.stream().map(Program::id).collect(Collectors.joining(" "));
    return format(
        "%s are not installed: run ./quorate install %s (or put them on PATH, or set %s)",
        ids.replace(" ", " and "),
        ids,
        installable.stream().map(Program::variable).collect(Collectors.joining(" and ")));
  }

  /** Whether three numbers, such as {@code 1.16.3+ent}, are those of an older version. */
  private static boolean isOlder(String version, int... than) {
    Matcher numbers = NUMBERS.matcher(version);
    return numbers.lookingAt()
        && Arrays.compare(
                IntStream.rangeClosed(1, than.length)
                    .map(each -> Integer.parseInt(numbers.group(each)))
                    .toArray(),
                than)
            < 0;
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
