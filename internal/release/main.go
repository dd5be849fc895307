package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// about is the sentence that every package says of dowse.
const about = "Search your own files by words and meaning, and ask them questions, in the terminal"

// release is one version in the making.
type release struct {
	out     string
	version version
	time    time.Time // of the commit; all that is packed has it
	share   []file    // what goes beside each binary
	nfpm    string    // the program
	kinds   []string  // of packages
	url     string    // folder of the archives; "": nobody said

	mu   sync.Mutex
	sums map[string]string
}

// build is the program for one platform.
type build struct{ os, arch, path string }

// file is one of a package: its bytes lie at path, or in data where path is "".
type file struct {
	name string // slash-separated
	path string
	data []byte
	mode int64
}

func (f file) read() ([]byte, error) {
	if f.path == "" {
		return f.data, nil
	}
	return os.ReadFile(f.path)
}

func main() {
	r := &release{sums: map[string]string{}}
	flag.StringVar(&r.out, "out", "dist", "folder for the packages")
	flag.StringVar(&r.nfpm, "nfpm", "nfpm", "path of nfpm, which makes .deb and .rpm")
	flag.StringVar(&r.url, "url", "", "address of the folder that the archives will lie in; with it, a formula and a flake are written")
	kinds := flag.String("kinds", "tar deb rpm apk wheel npm", "packages to make")
	describe := flag.String("describe", "", "what git describe --tags --always says")
	seconds := flag.Int64("time", 0, "time of the commit, in seconds since 1970")
	share := flag.String("share", "", "folder with man1 and completions")
	small := flag.String("pack", "", "folder for the named files, made small, and an overlay.json for go build; nothing else is made")
	flag.Parse()
	if *small != "" {
		if err := pack(*small, flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "release:", err)
			os.Exit(1)
		}
		return
	}
	r.version, r.time, r.kinds = versionOf(*describe), time.Unix(*seconds, 0).UTC(), strings.Fields(*kinds)
	if err := r.run(*share, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(share string, args []string) (err error) {
	if r.share, err = shared(share); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var builds []build
	for _, arg := range args {
		platform, path, _ := strings.Cut(arg, "=")
		system, arch, ok := strings.Cut(platform, "/")
		if !ok || path == "" {
			return fmt.Errorf("%q: want GOOS/GOARCH=PATH", arg)
		}
		builds = append(builds, build{system, arch, path})
	}
	if err := r.platforms(builds); err != nil {
		return err
	}
	if slices.Contains(r.kinds, "npm") {
		if err := r.npmChooser(builds); err != nil {
			return err
		}
	}
	if r.url != "" && slices.Contains(r.kinds, "tar") {
		if err := r.recipes(builds); err != nil {
			return err
		}
	}
	return r.writeSums()
}

// platforms makes the packages of all builds, as many at a time as there are processors.
func (r *release) platforms(builds []build) error {
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for _, b := range builds {
		if err := standsAlone(b); err != nil {
			return fmt.Errorf("%s/%s: %w", b.os, b.arch, err)
		}
		for _, kind := range append([]string{"bill"}, r.kinds...) {
			work.Go(func() error {
				if err := r.make(b, kind); err != nil {
					return fmt.Errorf("%s/%s: %s: %w", b.os, b.arch, kind, err)
				}
				return nil
			})
		}
	}
	return work.Wait()
}

// make makes one package of a build.
func (r *release) make(b build, kind string) error {
	switch kind {
	case "bill":
		return r.bill(b)
	case "tar":
		return r.archive(b)
	case "wheel":
		return r.wheel(b)
	case "npm":
		return r.npmPlatform(b)
	case "deb", "rpm", "apk":
		return r.system(b, kind)
	}
	return errors.New("no such kind; there are tar, deb, rpm, apk, wheel and npm")
}

// shared lists what lies beside a binary, by its place below /usr.
func shared(folder string) (files []file, err error) {
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md"} {
		files = append(files, file{name: "share/doc/dowse/" + name, path: name, mode: 0o644})
	}
	pages, err := filepath.Glob(filepath.Join(folder, "man1", "*.1"))
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s holds no man1/*.1", folder)
	}
	for _, page := range pages {
		files = append(files, file{name: "share/man/man1/" + filepath.Base(page), path: page, mode: 0o644})
	}
	for shell, place := range map[string]string{
		"bash": "share/bash-completion/completions/dowse", "zsh": "share/zsh/vendor-completions/_dowse", "fish": "share/fish/vendor_completions.d/dowse.fish",
	} {
		files = append(files, file{name: place, path: filepath.Join(folder, "completions", "dowse."+shell), mode: 0o644})
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return files, nil
}

// write puts a package into the folder and notes its sum.
func (r *release) write(name string, data []byte) error {
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	r.mu.Lock()
	r.sums[name] = sum
	r.mu.Unlock()
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// writeSums writes what sha256sum -c reads.
func (r *release) writeSums() error {
	var lines strings.Builder
	names := make([]string, 0, len(r.sums))
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&lines, "%s  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(lines.String()), 0o644)
}
