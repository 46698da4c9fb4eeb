#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds what Maven Central publishes of the Gatling DSL, and checks it by Central's rules, without a network:
#   src/release/central.sh VERSION REPOSITORY_URL [GPG_KEY]
# The result, target/central.zip, can be uploaded. Central refuses it without signatures, so pass a key for a release.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=${1:?a version, such as 0.1.0} repository=${2:?the address of the repository} key=${3-}
target=$PWD/target/central
rm -rf "$target" "$target.zip"
mvn -B -ntp -q deploy -Pcentral -DskipTests -Drevision="$version" -Drepository="$repository" \
  -DaltDeploymentRepository="central::file://$target"
find "$target" -name 'maven-metadata.xml*' -delete

problems=0
problem() {
  echo "$1" >&2
  problems=1
}
for pom in "$target"/io/quorate/*/"$version"/*.pom; do
  base=${pom%.pom}
  for element in name description url licenses developers scm; do
    grep -q "^  <$element[ >]" "$pom" || problem "$pom: has no <$element>"
  done
  if grep -q 'SNAPSHOT\|\${' "$pom"; then
    problem "$pom: has a snapshot or an unresolved property"
  fi
  for classifier in '' -sources -javadoc; do
    if ! grep -q '<packaging>pom' "$pom" && ! [ -s "$base$classifier.jar" ]; then
      problem "$base$classifier.jar: is missing"
    fi
  done
done
[ "$problems" = 0 ] || exit 1
if [ -n "$key" ]; then
  find "$target" -type f \( -name '*.jar' -o -name '*.pom' \) -exec gpg --batch --yes -u "$key" -ab {} \;
fi
(cd "$target" && zip -q -r ../central.zip io)
echo "$target.zip: $(find "$target" -name '*.pom' | wc -l) artifacts, complete${key:+ and signed}"
