package io.quorate.cli;

import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.store.Database;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A database that has servers, by its id. */
final class DatabaseById implements ITypeConverter<Database> {
  private static Stream<Database> all() {
    return Arrays.stream(Database.values()).filter(database -> database != Database.MEMORY);
  }

  static final class Ids implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all().map(Database::id).iterator();
    }
  }

  @Override
  public Database convert(String id) {
    return all()
        .filter(database -> database.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    VisibleText.quoted(id)
                        + " is no database that has servers; expected one of: "
                        + String.join(", ", new Ids())
                        + Spelling.hint(all().map(Database::id).toList(), id)));
  }
}
