# {{jreleaserCreationStamp}}
class {{brewFormulaName}} < Formula
  desc "{{projectDescription}}"
  homepage "{{projectLinkHomepage}}"
  url "{{distributionUrl}}"
  version "{{projectVersion}}"
  sha256 "{{distributionChecksumSha256}}"
  license "{{projectLicense}}"
  {{#brewDependencies}}

  depends_on {{.}}
  {{/brewDependencies}}

  def install
    libexec.install Dir["*"]
    bash_completion.install libexec/"completion/quorate.sh" => "quorate"
    (bin/"quorate").write_env_script libexec/"bin/quorate", Language::Java.overridable_java_home_env("17")
  end

  test do
    assert_match "quorate #{version}", shell_output("#{bin}/quorate --version")
  end
end
