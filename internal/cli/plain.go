package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"dowse/engine"
)

const plainHelp = `Type a question and press enter: the best passages follow, line by line.
"? QUESTION" gets an answer too, "more" further passages, "help" this text, "quit" leaves.`

// plainPassages is how many passages are printed for a question.
const plainPassages = 5

// runPlain asks and answers line by line, for screen readers and terminals that
// understand no escape sequences. It writes none.
func runPlain(ctx context.Context, s *streams, q queryFlags, dirs []string, service engine.Service) error {
	s.colour = colourNever
	q.k = plainPassages
	fmt.Fprintln(s.out, plainHelp)
	lines := readLines(s.in)
	for {
		fmt.Fprint(s.out, "question: ")
		var line string
		select {
		case <-ctx.Done():
			fmt.Fprintln(s.out)
			return nil
		case read, more := <-lines:
			if !more {
				fmt.Fprintln(s.out)
				return nil
			}
			line = strings.TrimSpace(read)
		}
		switch word, rest, _ := strings.Cut(line, " "); {
		case line == "":
			continue
		case line == "quit" || line == "exit":
			return nil
		case line == "help" || line == "?":
			fmt.Fprintln(s.out, plainHelp)
			continue
		case line == "more" && q.query == "":
			fmt.Fprintln(s.out, "ask a question first")
			continue
		case line == "more":
			q.k *= 2
		case word == "?":
			q.query, q.answer, q.k = strings.TrimSpace(rest), true, plainPassages
		default:
			q.query, q.answer, q.k = line, false, plainPassages
		}
		err := checkQuery(q.query)
		if err == nil {
			err = askPlain(ctx, s, q, dirs, service)
		}
		if err != nil && !errors.Is(err, errNothing) && ctx.Err() == nil {
			s.fail(err)
		}
	}
}

// askPlain searches and prints what is found.
func askPlain(ctx context.Context, s *streams, q queryFlags, dirs []string, service engine.Service) error {
	req, err := q.request(dirs)
	if err != nil {
		return err
	}
	page, err := q.page(&req)
	if err != nil {
		return err
	}
	report := newReporter(s, q)
	result, err := service.Search(ctx, req, report.event)
	if err != nil {
		report.abandon(ctx.Err() != nil)
		return err
	}
	return q.tellResult(s, report, result, page, &req)
}

// readLines reads lines until the input ends.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines
}
