package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.base, "base", "main", "the `branch` that changes are counted from")
	flag.DurationVar(&o.within, "within", 50*time.Second, "stop after this `time`")
	flag.StringVar(&o.lint, "lint", "golangci-lint", "the `program` that lints")
	flag.StringVar(&o.report, "report", "bin/testreport", "the `program` that reports tests")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1) //nolint:gocritic // exitAfterDefer: nothing waits for a signal any more
	}
}

type options struct {
	base, lint, report string
	within             time.Duration
}

// run checks what has changed. It succeeds if the changed packages pass, and what
// imports them as far as there was time.
func run(ctx context.Context, o options) error {
	start := time.Now()
	ctx, cancel := context.WithTimeout(ctx, o.within)
	defer cancel()
	root, files, err := changedFiles(o.base)
	if err != nil {
		return err
	}
	packages, err := list(ctx)
	if err != nil {
		return err
	}
	rings := byDistance(packages, changed(root, packages, files))
	if len(rings) == 0 {
		fmt.Println("no package has changed")
		return nil
	}
	all := slices.Concat(rings...)
	fmt.Printf("%d packages changed: %s\n%d more can break\n", len(rings[0]), strings.Join(rings[0], " "), len(all)-len(rings[0]))
	left := all
	if err = static(ctx, root, files, rings[0], o.lint); err == nil {
		left, err = test(ctx, all, o.report)
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return err
	case len(left) > 0:
		fmt.Printf("out of time after %s; make test is for the %d packages that were not tested:\n  %s\n", o.within, len(left), strings.Join(left, "\n  "))
	}
	if slices.ContainsFunc(rings[0], func(path string) bool { return slices.Contains(left, path) }) {
		return errors.New("not all changed packages were tested")
	}
	if err != nil {
		return err
	}
	fmt.Printf("%d of %d packages passed in %.0fs\n", len(all)-len(left), len(all), time.Since(start).Seconds())
	return nil
}
