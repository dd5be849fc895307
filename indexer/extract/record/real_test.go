package record_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"dowse/indexer/document"
	"dowse/indexer/extract"

	"go.yaml.in/yaml/v3"
)

// filesVariable names a folder of real files. The test that reads them is skipped
// without it.
const filesVariable = "DOWSE_RECORD_FILES"

// TestEachValueOfRealFilesIsInItsRecord compares with what encoding/csv and encoding/json read: as many
// lines of text as there are records with a value, each with all of its values.
func TestEachValueOfRealFilesIsInItsRecord(t *testing.T) {
	folder := os.Getenv(filesVariable)
	if folder == "" {
		t.Skipf("%s names no folder of files", filesVariable)
	}
	files, values, left := 0, 0, map[string]int{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || e.IsDir() || ext != ".csv" && ext != ".tsv" && ext != ".json" && ext != ".jsonl" && ext != ".yaml" && ext != ".yml" {
			return err
		}
		d, err := extract.File(path, extract.Options{})
		if err != nil || d.Kind != document.Converted || len(d.Text) >= document.DefaultLimits.Text {
			left[fmt.Sprint(err == nil)]++
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(string(data), "<<: *") { // what is merged stands where its anchor is
			left["true"]++
			return nil
		}
		records := recordsOf(t, ext, data, d.Format)
		lines := strings.Split(d.Text, "\n")
		if d.Format == "csv" && len(lines) == len(records)-1 {
			records = records[1:] // the header
		}
		if len(lines) != len(records) {
			t.Errorf("%s: %d lines of %d records", path, len(lines), len(records))
			return nil
		}
		for i, record := range records {
			line := spaced(lines[i])
			for _, value := range record {
				if value = spaced(value); !strings.Contains(line, value) {
					t.Errorf("%s: record %d lacks %q", path, i+1, value)
				}
				values++
			}
		}
		files++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d values; left out %d, as text or code %d", files, values, left["false"], left["true"])
}

// spaced makes white space and what the builder takes for it single spaces.
func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' }), " ")
}

// recordsOf returns the values of the records of a file, those without any left out.
func recordsOf(t *testing.T, ext string, data []byte, format string) [][]string {
	t.Helper()
	var records [][]string
	if format == "csv" {
		r := csv.NewReader(strings.NewReader(string(data)))
		r.LazyQuotes, r.FieldsPerRecord = true, -1
		if ext == ".tsv" {
			r.Comma = '\t'
		}
		all, err := r.ReadAll()
		if err != nil || len(all) < 2 {
			t.Fatal(err, len(all))
		}
		return all
	}
	var values []any
	if format == "json" || format == "yaml" {
		var root any
		decode := json.Unmarshal
		if format == "yaml" {
			decode = yaml.Unmarshal
		}
		if err := decode(data, &root); err != nil {
			t.Fatal(err)
		}
		if values, _ = root.([]any); values == nil {
			values = unwrapped(root.(map[string]any))
		}
	} else {
		for d := json.NewDecoder(strings.NewReader(string(data))); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
	}
	for _, v := range values {
		if record := stringsOf(v, nil); len(record) > 0 {
			records = append(records, record)
		}
	}
	return records
}

// unwrapped returns the records of an object, behind its other values.
func unwrapped(root map[string]any) []any {
	key, longest := "", 0
	for k, v := range root {
		if list, ok := v.([]any); ok && len(fmt.Sprint(list...)) > longest {
			key, longest = k, len(fmt.Sprint(list...))
		}
	}
	list := root[key].([]any)
	delete(root, key)
	return append([]any{root}, list...)
}

// stringsOf collects the strings and truth values of a value; numbers are written in other ways by what reads them.
func stringsOf(v any, list []string) []string {
	switch v := v.(type) {
	case string:
		if v != "" {
			list = append(list, v)
		}
	case bool:
		list = append(list, fmt.Sprint(v))
	case float64, int, time.Time:
		list = append(list, "")
	case []any:
		for _, e := range v {
			list = stringsOf(e, list)
		}
	case map[string]any:
		for _, e := range v {
			list = stringsOf(e, list)
		}
	}
	return list
}
