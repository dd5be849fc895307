package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"dowse/internal/testenv"
)

// changedFiles returns the root of the repository and the files in it, relative to that,
// that differ from where the branch left base, or that git does not know yet.
func changedFiles(base string) (root string, files []string, err error) {
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", nil, fmt.Errorf("git rev-parse: %w", err)
	}
	root = strings.TrimSpace(string(top))
	from := "HEAD"
	if out, err := exec.Command("git", "merge-base", "HEAD", base).Output(); err == nil { // it fails where there is no such branch
		from = strings.TrimSpace(string(out))
	}
	for _, args := range [][]string{{"diff", "--name-only", "-z", from}, {"ls-files", "--others", "--exclude-standard", "-z"}} {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		if err != nil {
			return "", nil, fmt.Errorf("git %s: %w", args[0], err)
		}
		files = append(files, strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })...)
	}
	return root, files, nil
}

// list returns the packages of the module.
func list(ctx context.Context) (packages []goPackage, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-json=ImportPath,Dir,Imports,TestImports,XTestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// command is a command that prints, and that ends with all that it started when ctx does.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	endTogether(cmd)
	return cmd
}

// static checks the format of the files and lints their packages, which vets them too.
func static(ctx context.Context, root string, files, changed []string, lint string) error {
	gofmt := exec.CommandContext(ctx, "gofmt", "-l")
	for _, file := range files {
		path := filepath.Join(root, file)
		if _, err := os.Stat(path); err == nil && strings.HasSuffix(file, ".go") {
			gofmt.Args = append(gofmt.Args, path)
		}
	}
	if len(gofmt.Args) > 2 { // without files it reads its input
		if out, err := gofmt.Output(); err != nil || len(out) > 0 {
			return errors.Join(fmt.Errorf("gofmt would change %s", out), err)
		}
	}
	args := []string{"run", "--allow-parallel-runners"}
	for _, path := range changed {
		args = append(args, "./"+strings.TrimPrefix(strings.TrimPrefix(path, "dowse"), "/"))
	}
	if err := command(ctx, lint, args...).Run(); err != nil {
		return fmt.Errorf("%s: %w", lint, err)
	}
	return nil
}

// test vets and tests packages in their order, and returns those that have not ended when
// ctx does.
func test(ctx context.Context, packages []string, report string) (left []string, err error) {
	tests := command(ctx, "go", append([]string{"test", "-json", "-short"}, packages...)...)
	tests.Stdout, tests.Env = nil, append(os.Environ(), testenv.CacheVariable+"="+testenv.NoCache)
	events, err := tests.StdoutPipe()
	if err != nil {
		return packages, err
	}
	reporter := exec.Command(report, "-brief")
	reporter.Stdout, reporter.Stderr = os.Stdout, os.Stderr
	lines, err := reporter.StdinPipe()
	if err != nil {
		return packages, err
	}
	if err := reporter.Start(); err != nil {
		return packages, err
	}
	if err := tests.Start(); err != nil {
		return packages, err
	}
	ended := forward(ctx, events, lines)
	tests.Wait() //nolint:errcheck // the reporter says what failed
	err = errors.Join(lines.Close(), reporter.Wait())
	return slices.DeleteFunc(slices.Clone(packages), func(path string) bool { return ended[path] }), err
}

// forward copies what go test -json writes until ctx ends, and returns the packages that
// ended before.
func forward(ctx context.Context, from io.Reader, to io.Writer) (ended map[string]bool) {
	ended = map[string]bool{}
	for lines := bufio.NewReader(from); ; {
		line, err := lines.ReadBytes('\n')
		if ctx.Err() != nil || err != nil {
			return ended
		}
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(line, &e) == nil && e.Test == "" && slices.Contains([]string{"pass", "fail", "skip"}, e.Action) {
			ended[e.Package] = true
		}
		if _, err := to.Write(line); err != nil {
			return ended
		}
	}
}
