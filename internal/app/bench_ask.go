package app

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"dowse/internal/askbench"
)

// BenchAskOptions say what BenchAsk measures.
type BenchAskOptions struct {
	Queries   int    // titles of the folder that are asked
	Questions string // file of questions to ask instead, one a line; "" for none
}

// BenchAsk measures whole one-shot processes over a folder: this program, in a
// home that it makes and removes.
func BenchAsk(ctx context.Context, dir string, opts BenchAskOptions, progress func(phase string, done, total int)) (*askbench.Report, error) {
	if opts.Queries < 1 {
		return nil, fmt.Errorf("--queries %d: want a number from 1", opts.Queries)
	}
	folders, err := ResolveFolders([]string{dir})
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("this program's own file is not known: %w", err)
	}
	bench := askbench.Options{Program: exe, Folder: folders[0]}
	if opts.Questions != "" {
		bench.Questions, err = readLines(opts.Questions)
	} else {
		bench.Questions, err = askbench.Titles(folders[0], opts.Queries)
	}
	if err != nil {
		return nil, err
	}
	return askbench.Run(ctx, bench, progress)
}

// readLines reads the lines of a file that hold something.
func readLines(path string) (lines []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, scanner.Err()
}
