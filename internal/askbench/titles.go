package askbench

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Titles returns the first headings of n Markdown files below a folder, spread
// evenly over them by path. It fails where there are none.
func Titles(dir string, n int) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		title, err := titleOf(path)
		if title != "" {
			all = append(all, title)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no Markdown file below %s begins with a heading; name questions by --questions FILE, one a line", dir)
	}
	n = min(n, len(all))
	picked := make([]string, n)
	for i := range picked {
		picked[i] = all[i*len(all)/n]
	}
	return picked, nil
}

// titleOf is the first line of a file if that is a heading of the first level.
func titleOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read from
	line, _ := bufio.NewReader(file).ReadString('\n')
	title, ok := strings.CutPrefix(line, "# ")
	if !ok {
		return "", nil
	}
	return strings.TrimSpace(title), nil
}
