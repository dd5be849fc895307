package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// decode reads the arguments of a call into a struct of texts, numbers and truth values, as
// models send them: keys that it has not are passed over, null is none, a number or a truth value may
// stand in quotes, and so may all of them together.
func decode(raw json.RawMessage, into any) error {
	values, err := objectOf(raw)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if err := set(v.Field(i), values[name]); err != nil {
			return fmt.Errorf("the argument %s: %w", name, err)
		}
	}
	return nil
}

// objectOf returns the values of arguments.
func objectOf(raw json.RawMessage) (values map[string]any, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return nil, errors.New("the arguments are no JSON object")
	}
	return values, nil
}

// set puts a value of JSON into a field.
func set(field reflect.Value, value any) error {
	if value == nil {
		return nil
	}
	text, isText := value.(string)
	number, isNumber := value.(json.Number)
	switch field.Kind() {
	case reflect.String:
		switch {
		case isText:
			field.SetString(text)
		case isNumber:
			field.SetString(number.String())
		default:
			return errors.New("want a text")
		}
	case reflect.Int:
		if isNumber {
			text = number.String()
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || n != float64(int64(n)) || n < 0 || n > 1<<40 {
			return errors.New("want a whole number, not below 0")
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		truth, is := value.(bool)
		if isText {
			parsed, err := strconv.ParseBool(strings.TrimSpace(text))
			truth, is = parsed, err == nil
		}
		if !is {
			return errors.New("want true or false")
		}
		field.SetBool(truth)
	}
	return nil
}
