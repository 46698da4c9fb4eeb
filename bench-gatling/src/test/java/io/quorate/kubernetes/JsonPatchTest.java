package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonPatchTest {
  private final Map<String, Object> manifest = new LinkedHashMap<>();

  private Map<String, Object> changed(String operation, String path, Object value) {
    manifest.put("name", "a");
    manifest.put("args", new ArrayList<>(List.of("run", "x", "y")));
    manifest.put("a/b", new LinkedHashMap<>(Map.of("c", 1)));
    new JsonPatch(operation, path, value).applyTo(manifest);
    return manifest;
  }

  @Test
  void values_are_added_replaced_and_removed() {
    assertThat(changed("add", "/args/-", "z")).containsEntry("args", List.of("run", "x", "y", "z"));
    assertThat(changed("add", "/args/0", "z")).containsEntry("args", List.of("z", "run", "x", "y"));
    assertThat(changed("replace", "/args/1", "z")).containsEntry("args", List.of("run", "z", "y"));
    assertThat(changed("remove", "/args/0", null)).containsEntry("args", List.of("x", "y"));
    assertThat(changed("add", "/a~1b/d", 2)).containsEntry("a/b", Map.of("c", 1, "d", 2));
    assertThat(changed("replace", "/name", "b")).containsEntry("name", "b");
    assertThat(changed("remove", "/name", null)).doesNotContainKey("name");
    assertThat(changed("test", "/args/0", "run")).containsEntry("name", "a");
  }

  @Test
  void what_is_not_there_is_told() {
    assertThatThrownBy(() -> changed("replace", "/args/3", "z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("replace /args/3: the list is shorter");
    assertThatThrownBy(() -> changed("remove", "/spec/args", null))
        .hasMessage("remove /spec/args: nothing is there");
    assertThatThrownBy(() -> changed("test", "/args/0", "merge"))
        .hasMessage("test /args/0: found run");
    assertThatThrownBy(() -> changed("add", "/args/x", "z"))
        .hasMessage("add /args/x: expected a number in a list");
    assertThatThrownBy(() -> changed("move", "/name", "z")).hasMessage("no operation: move");
  }
}
