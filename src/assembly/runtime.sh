#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links a Java runtime with the modules that Quorate needs, for the platform of the JDK, into an empty directory.
#
#   runtime.sh JDK DIRECTORY
set -eu

jdk=$1
directory=$2

# What classes in lib/ refer to, by jdeps:
modules=java.base,java.compiler,java.desktop,java.net.http,java.prefs,java.scripting,java.security.jgss,java.security.sasl
modules=$modules,java.sql,jdk.httpserver,jdk.jfr,jdk.management,jdk.security.auth,jdk.unsupported
# What is found at run time: elliptic curves of TLS, which JDK 22 moved into java.base.
modules=$modules,jdk.crypto.ec

rm -rf "$directory"
"$jdk/bin/jlink" --module-path "$jdk/jmods" --add-modules "$modules" --output "$directory" \
  --strip-java-debug-attributes --no-header-files --no-man-pages --compress 2
# the links lead to the same texts in java.base
find "$directory/legal" -type l -delete
"$directory/bin/java" -version
