package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"dowse/internal/app"
)

// newVersion is dowse version.
func newVersion(s *streams) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which dowse this is",
		Long: `Version says which dowse this is, and for what it was built.

With --check it says as well which programs named dowse the folders of PATH hold, and which
of them runs: two ways to install leave two. It asks nobody whether there is a newer version,
on the network or elsewhere. What installed dowse knows: apt, dnf, apk, pip, uv, npm, brew or nix.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := fmt.Fprintf(s.out, "dowse %s\n%s/%s, %s\n", app.Version(), runtime.GOOS, runtime.GOARCH, runtime.Version()); err != nil || !check {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			for _, line := range installedText(self, installed(os.Getenv("PATH"))) {
				if _, err := fmt.Fprintln(s.out, oneLine(line)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "list the programs named dowse in PATH; asks nobody for newer ones")
	return cmd
}

// installed lists the files named dowse in the folders of a PATH, in its order, each file once.
func installed(path string) (found []string) {
	name := "dowse"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var seen []os.FileInfo
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		file := filepath.Join(folder, name)
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 || isOneOf(info, seen) {
			continue
		}
		seen, found = append(seen, info), append(found, file)
	}
	return found
}

func isOneOf(info os.FileInfo, others []os.FileInfo) bool {
	for _, other := range others {
		if os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// installedText says of each program whether it is self, and which one runs.
func installedText(self string, found []string) (lines []string) {
	own, _ := os.Stat(self)
	for i, file := range found {
		line := file
		if info, err := os.Stat(file); err == nil && own != nil && os.SameFile(info, own) {
			line += ", this one"
		}
		if i == 0 {
			line += ": runs as dowse"
		} else {
			line += ": hidden by the first"
		}
		lines = append(lines, line)
	}
	if len(found) == 0 {
		lines = append(lines, "no folder of PATH holds a dowse; this one is "+self)
	}
	return append(lines, "whether there is a newer version is not asked: dowse calls nobody")
}
