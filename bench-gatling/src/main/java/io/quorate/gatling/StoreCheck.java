// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gatling.commons.validation.Success;
import io.gatling.commons.validation.Validation;
import io.gatling.core.check.Check;
import io.gatling.core.check.CheckMaterializer;
import io.gatling.core.check.FindExtractor;
import io.gatling.javaapi.core.CheckBuilder;
import io.quorate.QuorateException;
import java.util.function.Function;
import scala.Function1;
import scala.Option;

/** The parts of an outcome that checks look at, and their types. */
enum StoreCheck implements CheckBuilder.CheckType {
  OUTCOME("outcome", String.class),
  EXISTS("exists", Boolean.class),
  VALUE("value", String.class),
  BYTES("bytes", byte[].class),
  KEY("key", String.class),
  KEYS("keys", java.util.List.class),
  REVISION("revision", Long.class),
  COUNT("count", Long.class),
  ANSWERED_BY("answeredBy", String.class);

  private final String id;
  private final Class<?> type;

  StoreCheck(String id, Class<?> type) {
    this.id = id;
    this.type = type;
  }

  /** Returns the beginning of a check of this part, to be continued by the user. */
  @SuppressWarnings("unchecked") // the part is of this type
  <X> CheckBuilder.Find<X> find() {
    var extractor =
        new FindExtractor<Outcome, X>(
            id, outcome -> new Success<>(Option.apply((X) outcome.parts().get(this))));
    // javac has no other name for a class in an object of Scala that is in another one
    var find =
        new io.gatling.core.check.CheckBuilder$Find$Default<StoreCheck, Outcome, X>(
            any -> new Success<>(extractor), true);
    return new CheckBuilder.Find.Default<>(find, this, type, Function.identity());
  }

  /** Returns a check that a user has described. */
  @SuppressWarnings("unchecked") // the type of the check tells what it looks at
  static Check<Outcome> of(CheckBuilder described) {
    if (!(described.type() instanceof StoreCheck)) {
      throw new QuorateException(
          "found a check of %s, expected one of QuorateDsl".formatted(described.type()));
    }
    var check = (io.gatling.core.check.CheckBuilder<Object, Outcome>) described.asScala();
    return check.build(
        new CheckMaterializer<Object, Check<Outcome>, Outcome, Outcome>(any -> any) {
          @Override
          public Function1<Outcome, Validation<Outcome>> preparer() {
            return Success::new;
          }
        });
  }

  static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
