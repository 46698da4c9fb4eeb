package io.quorate.cli;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an id to a database that has servers. */
final class DatabaseById implements ITypeConverter<Store> {
  private static Stream<Store> all() {
    return Stores.withServers().stream();
  }

  static final class Ids implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all().map(Store::id).iterator();
    }
  }

  @Override
  public Store convert(String id) {
    return Stores.byId(id)
        .filter(Store::hasServers)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    VisibleText.quoted(id)
                        + " is no database that has servers; expected one of: "
                        + String.join(", ", new Ids())
                        + Spelling.hint(all().map(Store::id).toList(), id)));
  }
}
