package io.quorate.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Writes manifests as YAML that kubectl, which reads YAML 1.1, and YAML 1.2 read as the same. */
final class ManifestText {
  private static final int WIDEST = 4096;

  /** Matches text that needs no quotes, unless it is one of {@link #WORDS}. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._-]*");

  /** Words that are no text in YAML 1.1. */
  private static final Pattern WORDS =
      Pattern.compile("y|n|yes|no|on|off|true|false|null", Pattern.CASE_INSENSITIVE);

  private ManifestText() {}

  /** Returns the text of one document for each manifest. */
  static String of(List<KubernetesObject> manifests) {
    DumpSettings settings =
        DumpSettings.builder()
            .setExplicitStart(true)
            .setIndent(2)
            .setIndicatorIndent(2)
            .setIndentWithIndicator(true)
            .setWidth(WIDEST)
            .setSplitLines(false)
            .setUseUnicodeEncoding(true)
            .build();
    StringBuilder text = new StringBuilder();
    for (KubernetesObject manifest : manifests) {
      text.append(
          new Present(settings)
              .emitToString(
                  new Serialize(settings).serializeOne(node(manifest.content())).iterator()));
    }
    return text.toString();
  }

  private static Node node(Object value) {
    if (value instanceof Map<?, ?> map) {
      List<NodeTuple> entries = new ArrayList<>();
      map.forEach((key, each) -> entries.add(new NodeTuple(node(key), node(each))));
      return new MappingNode(Tag.MAP, entries, map.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
    }
    if (value instanceof List<?> list) {
      List<Node> entries = list.stream().map(ManifestText::node).toList();
      return new SequenceNode(Tag.SEQ, entries, list.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
    }
    if (value instanceof String text) {
      return new ScalarNode(Tag.STR, text, style(text));
    }
    Tag tag = value instanceof Boolean ? Tag.BOOL : Tag.INT;
    return new ScalarNode(tag, String.valueOf(value), ScalarStyle.PLAIN);
  }

  private static ScalarStyle style(String text) {
    if (text.indexOf('\n') >= 0) {
      return ScalarStyle.LITERAL;
    }
    boolean plain = PLAIN.matcher(text).matches() && !WORDS.matcher(text).matches();
    return plain ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
  }
}
