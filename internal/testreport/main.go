package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	skipped := flag.String("skipped", "", "append the list of skipped tests to this `file`")
	brief := flag.Bool("brief", false, "count the skipped tests alone")
	verbose := flag.Bool("v", false, "print what tests log")
	flag.Parse()
	ok, err := run(os.Stdin, os.Stdout, *skipped, *verbose, *brief)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// run reports, and says whether everything passed.
func run(in io.Reader, out io.Writer, skipped string, verbose, brief bool) (ok bool, err error) {
	r := newReport(out, verbose)
	if err := r.read(in); err != nil {
		return false, err
	}
	list := r.skippedList()
	fmt.Fprint(out, r.summary())
	if !brief {
		fmt.Fprint(out, list)
	}
	if skipped != "" && list != "" {
		file, err := os.OpenFile(skipped, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return false, err
		}
		_, err = file.WriteString(list)
		if err := errors.Join(err, file.Close()); err != nil {
			return false, err
		}
	}
	return r.failed == 0, nil
}
