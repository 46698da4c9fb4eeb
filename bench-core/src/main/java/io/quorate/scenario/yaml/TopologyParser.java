// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.Spelling;
import io.quorate.network.Link;
import io.quorate.network.NamedTopology;
import io.quorate.network.Topology;
import io.quorate.network.ZonePair;
import io.quorate.store.Store;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the topology: the zones of the members, and the links between them. */
record TopologyParser(Section top) {
  static final String KEY = "topology";

  private static final Set<Integer> SIZES = Set.of(1, 3, 5);
  private static final ScenarioSchema SCHEMA = ScenarioSchema.SCENARIO.property(KEY);
  private static final ScenarioSchema NAMED = SCHEMA.alternative(1);
  private static final ScenarioSchema OWN = SCHEMA.alternative(2);
  private static final ScenarioSchema LINK = ScenarioSchema.definition("link");
  private static final ScenarioSchema ZONE = ScenarioSchema.definition("zone");
  private static final ValueType<String> ZONES =
      ValueType.text(
          ZONE.expected(), text -> Optional.of(text).filter(ZONE.alternative(0)::allows));
  private static final String MEMBERS = OWN.property("members").expected();

  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final long MIN_ROUND_TRIP = MILLI / 10;
  private static final long MAX_COUNT = 10 * SECOND;
  private static final long MIN_BANDWIDTH = 64_000;
  private static final long MAX_BANDWIDTH = 100 * SECOND;

  private static final Pattern TIME =
      Pattern.compile("(0|[1-9][0-9]{0,7})(\\.[0-9]{1,3})?(us|ms|s)");
  private static final Pattern BANDWIDTH =
      Pattern.compile("(0|[1-9][0-9]{0,7})(\\.[0-9]{1,3})?(kbit|Mbit|Gbit)/s");

  static Field<Topology> read(Section top) {
    Optional<Node> node = top.node(KEY);
    return top.field(node.flatMap(new TopologyParser(top)::read), node);
  }

  private Optional<Topology> read(Node node) {
    if (node instanceof ScalarNode scalar) {
      Optional<NamedTopology> named = NamedTopology.byId(scalar.getValue());
      if (named.isEmpty()) {
        String hint = Spelling.hint(SCHEMA.alternative(0).names(), scalar.getValue());
        top.report(node, Messages.of(node), SCHEMA.expected() + hint);
      }
      return named.map(each -> each.with(each.link()));
    }
    return isOwn(node)
        ? top.map(node, OWN, OWN.expected()).flatMap(this::own)
        : top.map(node, NAMED, SCHEMA.expected()).flatMap(this::named);
  }

  private static boolean isOwn(Node node) {
    return node instanceof MappingNode map
        && map.getValue().stream()
            .map(NodeTuple::getKeyNode)
            .anyMatch(key -> Messages.isText(key, "members") || Messages.isText(key, "links"));
  }

  private Optional<Topology> named(Section map) {
    Field<NamedTopology> name = map.oneOf("name", NamedTopology.values(), NamedTopology::id);
    Link standard = name.value().orElse(NamedTopology.MN_MZ).link();
    Optional<Link> link = link(map, Optional.of(standard));
    if (name.value().filter(each -> !each.hasLinks()).isPresent() && map.keys().size() > 1) {
      name.report("a link of 'sn-sz', whose one member has none", "'sn-sz' alone, mn-sz or mn-mz");
      return Optional.empty();
    }
    return name.value().flatMap(each -> link.map(each::with));
  }

  private Optional<Topology> own(Section map) {
    int before = top.problemCount();
    List<String> members = members(map);
    Field<String> loadGenerator = map.field("load-generator", ZONES);
    Set<String> zones = new TreeSet<>(members);
    loadGenerator.value().ifPresent(zones::add);
    Map<ZonePair, Link> links = new LinkedHashMap<>();
    map.items("links").ifPresent(list -> list.getValue().forEach(each -> link(each, zones, links)));
    if (top.problemCount() > before || !map.has("members")) {
      return Optional.empty();
    }
    Topology topology = new Topology(Topology.OWN, members, loadGenerator.value(), links);
    requireAllLinks(topology, map);
    return top.problemCount() > before ? Optional.empty() : Optional.of(topology);
  }

  private List<String> members(Section map) {
    List<String> members = new ArrayList<>();
    Optional<SequenceNode> items = map.items("members");
    if (items.isPresent()) {
      List<Node> zones = items.get().getValue();
      zones.forEach(each -> top.read(each, ZONES).ifPresent(members::add));
      if (!SIZES.contains(zones.size())) {
        top.report(items.get(), "the zones of " + zones.size() + " members", MEMBERS);
      }
    }
    return members;
  }

  private void link(Node node, Set<String> zones, Map<ZonePair, Link> links) {
    Optional<Section> section = top.map(node, LINK, LINK.expected());
    Optional<ZonePair> pair = section.flatMap(given -> pair(given, zones));
    Optional<Link> link = section.flatMap(given -> link(given, Optional.empty()));
    if (pair.isPresent() && link.isPresent() && links.put(pair.get(), link.get()) != null) {
      top.report(node, "the link " + pair.get() + " again", "each link once");
    }
  }

  private Optional<ZonePair> pair(Section link, Set<String> zones) {
    Optional<Node> between = link.node("between");
    Optional<Node> within = link.node("within");
    if (between.isPresent() == within.isPresent()) {
      top.report(
          link.node(),
          (between.isPresent() ? "both of" : "none of") + " the keys 'between' and 'within'",
          "one of them: between: [a, b], or within: a");
      return Optional.empty();
    }
    List<Node> nodes = within.map(List::of).orElseGet(() -> twoZones(between.get()));
    List<String> names =
        nodes.stream().map(each -> zone(each, zones)).flatMap(Optional::stream).toList();
    if (nodes.isEmpty() || names.size() < nodes.size()) {
      return Optional.empty();
    }
    return Optional.of(new ZonePair(names.get(0), names.get(names.size() - 1)));
  }

  private List<Node> twoZones(Node node) {
    if (node instanceof SequenceNode list && list.getValue().size() == 2) {
      String first = Messages.text(list.getValue().get(0));
      if (!Messages.isText(list.getValue().get(1), first)) {
        return list.getValue();
      }
    }
    top.report(node, Messages.of(node), "two different zones, such as [a, b]");
    return List.of();
  }

  private Optional<String> zone(Node node, Set<String> zones) {
    Optional<String> name = top.read(node, ZONES);
    Optional<String> unknown = name.filter(each -> !zones.contains(each));
    unknown.ifPresent(
        each ->
            top.report(
                node,
                "the zone " + Messages.of(node) + ", where nothing is",
                Messages.oneOf(List.copyOf(zones), each)));
    return unknown.isPresent() ? Optional.empty() : name;
  }

  private void requireAllLinks(Topology topology, Section map) {
    List<String> all =
        Stream.concat(topology.zones().stream(), topology.loadGenerator().stream())
            .distinct()
            .toList();
    List<String> missing = new ArrayList<>();
    for (int first = 0; first < all.size(); first++) {
      for (String second : all.subList(first + 1, all.size())) {
        ZonePair pair = new ZonePair(all.get(first), second);
        if (!topology.links().containsKey(pair)) {
          missing.add("[" + pair.first() + ", " + pair.second() + "]");
        }
      }
    }
    if (!missing.isEmpty()) {
      Node at = map.has("links") ? map.key("links") : map.node();
      top.report(
          at,
          "no link between " + String.join(", ", missing),
          "one for each two zones, such as {between: %s, round-trip: 1.5ms}"
              .formatted(missing.get(0)));
    }
  }

  static void check(
      Field<Topology> topology, Field<Integer> members, Section top, DatabasesParser databases) {
    if (topology.node().isEmpty()) {
      return;
    }
    if (top.has("agents")) {
      top.report(
          KEY,
          "the key 'topology' together with 'agents', whose machines have a real network",
          "one of them");
    }
    for (Store database : databases.named()) {
      if (!database.hasServers()) {
        top.report(
            KEY,
            "the key 'topology' with " + database + ", which is in the load generator",
            "no 'topology', or no " + database);
      }
    }
    Optional<Integer> count = topology.value().map(Topology::members);
    if (count.isPresent()
        && members.value().filter(given -> !given.equals(count.get())).isPresent()) {
      members.report(
          members.get() + " members with a topology of " + count.get(),
          "as many as the topology has, or no 'members'");
    }
  }

  private static Optional<Link> link(Section section, Optional<Link> standard) {
    Field<Long> roundTrip = section.text("round-trip", TopologyParser::roundTripNanos);
    Field<Long> jitter = section.text("jitter", TopologyParser::nanos);
    Field<Long> bandwidth = section.text("bandwidth", TopologyParser::bitsPerSecond);
    Field<Duration> life = section.duration("connection-life");
    if (roundTrip.wrong() || jitter.wrong() || bandwidth.wrong() || life.wrong()) {
      return Optional.empty();
    }
    return Optional.of(
        new Link(
            roundTrip.value().or(() -> standard.map(Link::roundTripNanos)).orElseThrow(),
            jitter.effective(),
            bandwidth.value().map(OptionalLong::of).orElse(OptionalLong.empty()),
            life.value()));
  }

  private static Optional<Long> roundTripNanos(String text) {
    return nanos(text).filter(time -> time == 0 || time >= MIN_ROUND_TRIP);
  }

  private static Optional<Long> nanos(String text) {
    return amount(TIME.matcher(text)).filter(time -> time <= MAX_COUNT);
  }

  private static Optional<Long> bitsPerSecond(String text) {
    return amount(BANDWIDTH.matcher(text))
        .filter(bits -> MIN_BANDWIDTH <= bits && bits <= MAX_BANDWIDTH);
  }

  private static Optional<Long> amount(Matcher matcher) {
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String fraction = matcher.group(2) == null ? "" : matcher.group(2);
    long unit =
        switch (matcher.group(3)) {
          case "us", "kbit" -> MICRO;
          case "ms", "Mbit" -> MILLI;
          default -> SECOND;
        };
    return Optional.of(
        new BigDecimal(matcher.group(1) + fraction)
            .multiply(BigDecimal.valueOf(unit))
            .longValueExact());
  }
}
