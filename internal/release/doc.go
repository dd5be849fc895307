// Release makes the packages of one version out of binaries that are built.
//
//	go run ./internal/release -out dist -describe v1.0.0 -time 1700000000 -share share linux/amd64=PATH linux/arm64=PATH
//
// For each platform it writes an archive, Debian, RPM and Alpine packages (through nfpm), a Python wheel and an npm package; for all of
// them one npm package that chooses, a CycloneDX bill of materials and SHA256SUMS; and with -url, where the archives will lie, a
// Homebrew formula and a Nix flake. Equal binaries give equal bytes: names are sorted, and every time is that of the commit.
//
// No package runs anything when it is installed. .ci/release builds the binaries and calls this program.
package main
