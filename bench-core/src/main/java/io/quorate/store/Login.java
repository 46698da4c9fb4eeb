package io.quorate.store;

import io.quorate.Named;

/** The identity that a client shows the servers of a store, in addition to its certificate. */
public sealed interface Login {
  /** The login of a client that says nothing. */
  Login NONE = new Nobody();

  /** The kinds of logins, of which a store may take one. */
  enum Kind implements Named {
    NONE("no user and no token"),
    PASSWORD("a user and a password"),
    TOKEN("a token");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    /** Returns the credentials that a person has to give. */
    @Override
    public String toString() {
      return description;
    }
  }

  Kind kind();

  /** Says nothing. */
  record Nobody() implements Login {
    @Override
    public Kind kind() {
      return Kind.NONE;
    }
  }

  /** Says a name, and proves it with a password. */
  record Password(String user, String password) implements Login {
    @Override
    public Kind kind() {
      return Kind.PASSWORD;
    }

    @Override
    public String toString() {
      return Kind.PASSWORD.toString();
    }
  }

  /** Shows a token. */
  record Token(String token) implements Login {
    @Override
    public Kind kind() {
      return Kind.TOKEN;
    }

    @Override
    public String toString() {
      return Kind.TOKEN.toString();
    }
  }
}
