package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// keyParts splits a key as a file has it, such as folders."~/letters".name. A path need not stand in quotes: its
// table ends at the last dot.
func keyParts(key string) ([]string, error) {
	for _, table := range []string{"folders.", "extract.encoding."} {
		rest, is := strings.CutPrefix(key, table)
		if !is || strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
			continue
		}
		parts := splitKey(strings.TrimSuffix(table, "."))
		if dot := strings.LastIndexByte(rest, '.'); table == "folders." && dot > 0 {
			return append(parts, rest[:dot], rest[dot+1:]), nil
		}
		return append(parts, rest), nil
	}
	var p unstable.Parser
	p.Reset([]byte(key + " = 0"))
	var parts []string
	if p.NextExpression() {
		for it := p.Expression().Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
		}
	}
	if p.Error() != nil || len(parts) == 0 {
		return nil, fmt.Errorf("%q is no key; want one such as rerank.time", key)
	}
	return parts, nil
}

// typedValue reads a value as a person types it for a setting of some type.
func typedValue(key, typed string, t reflect.Type) (any, error) {
	wrong := func(want string) error { return fmt.Errorf("%s = %q: want %s", key, typed, want) }
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(typed)
		if err != nil {
			return nil, wrong("a number")
		}
		return n, nil
	case reflect.Float64:
		x, err := strconv.ParseFloat(typed, 64)
		if err != nil {
			return nil, wrong("a number")
		}
		return x, nil
	case reflect.Bool:
		if !slices.Contains([]string{"true", "false"}, typed) {
			return nil, wrong("true or false")
		}
		return typed == "true", nil
	case reflect.Slice:
		return typedList(typed)
	}
	return typed, nil
}

// typedList reads a list: as a file has it, in brackets, or words with commas between them.
func typedList(typed string) ([]string, error) {
	list := []string{}
	if strings.HasPrefix(strings.TrimSpace(typed), "[") {
		var of struct{ List []string }
		if toml.Unmarshal([]byte("List = "+typed), &of) != nil {
			return nil, errors.New("want a list of texts, such as [\"describe\", \"{}\"]")
		}
		return of.List, nil
	}
	for word := range strings.SplitSeq(typed, ",") {
		if word = strings.TrimSpace(word); word != "" {
			list = append(list, word)
		}
	}
	return list, nil
}
