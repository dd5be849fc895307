package main

import (
	"fmt"
	"strings"
)

// recipes writes a Homebrew formula and a Nix flake that install the archives from where they lie.
func (r *release) recipes(builds []build) error {
	var formula, flake strings.Builder
	fmt.Fprintf(&formula, "class Dowse < Formula\n  desc %q\n  version %q\n  license \"Apache-2.0\"\n", about, r.version.semver)
	fmt.Fprintf(&flake, "{\n  description = %q;\n  inputs.nixpkgs.url = \"github:NixOS/nixpkgs/nixos-unstable\";\n  outputs = { self, nixpkgs }: let\n    archives = {\n", about)
	for _, b := range builds {
		archive := r.name(b) + ".tar.gz"
		fmt.Fprintf(&formula, "  on_%s do\n    on_%s do\n      url %q\n      sha256 %q\n    end\n  end\n",
			b.os, map[string]string{"amd64": "intel", "arm64": "arm"}[b.arch], r.url+"/"+archive, r.sums[archive])
		fmt.Fprintf(&flake, "      %s-%s = { url = %q; sha256 = %q; };\n",
			map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[b.arch], b.os, r.url+"/"+archive, r.sums[archive])
	}
	formula.WriteString(`
  def install
    prefix.install "bin", "share"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dowse --version")
  end
end
`)
	fmt.Fprintf(&flake, `    };
    package = system: with nixpkgs.legacyPackages.${system}; stdenv.mkDerivation {
      pname = "dowse";
      version = %q;
      src = fetchurl archives.${system};
      dontStrip = true;
      installPhase = "mkdir $out && cp -r bin share $out/";
    };
  in {
    packages = builtins.mapAttrs (system: _: { default = package system; }) archives;
  };
}
`, r.version.semver)
	if err := r.write("dowse.rb", []byte(formula.String())); err != nil {
		return err
	}
	return r.write("flake.nix", []byte(flake.String()))
}
