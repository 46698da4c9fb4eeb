// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.report.PublishedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AsciiTableTest {
  static List<JsonNode> golden() throws IOException {
    JsonNode cases = new ObjectMapper().readTree(PublishedTable.resource("table-render.json"));
    List<JsonNode> list = new ArrayList<>();
    cases.forEach(list::add);
    return list;
  }

  @ParameterizedTest
  @MethodSource("golden")
  void isDrawnAsTheReferenceDrawsIt(JsonNode golden) {
    List<List<String>> rows = new ArrayList<>();
    golden.get("Rows").forEach(row -> rows.add(texts(row)));
    assertThat(ResultTable.AsciiTable.text(texts(golden.get("Header")), rows))
        .isEqualTo(golden.get("Out").textValue());
  }

  @Test
  void linesAreWrappedAsEvenlyAsPossible() {
    assertThat(ResultTable.AsciiTable.wrapped("aaa bb cc ddddd", 6))
        .containsExactly("aaa", "bb cc", "ddddd");
    assertThat(ResultTable.AsciiTable.wrapped("a longer-than-that b", 4))
        .containsExactly("a longer-than-that b".split(" "));
    assertThat(ResultTable.AsciiTable.wrapped("", 4)).containsExactly("");
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(element -> texts.add(element.textValue()));
    return texts;
  }
}
