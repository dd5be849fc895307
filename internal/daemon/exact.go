package daemon

import (
	"reflect"
	"strings"
	"unicode/utf8"
)

// JSON holds text, and a path may be any bytes. So a byte that is no part of a
// letter crosses the socket as the character byteBase plus its value, which is of
// the last 128 of a plane that is for private use. Where a string holds one of
// these itself, its bytes cross the same way: nothing is lost, and nothing is
// mistaken.
const (
	byteBase  = 0x10FF00
	firstByte = byteBase + 0x80
	lastByte  = byteBase + 0xFF
)

// onWire returns a value, or a copy of it, whose strings JSON keeps as they are.
func onWire[T any](v T) T { return rewritten(v, escapeBytes) }

// offWire is the inverse of onWire.
func offWire[T any](v T) T { return rewritten(v, unescapeBytes) }

// restore is offWire for what a pointer leads to.
func restore(pointer any) {
	v := reflect.ValueOf(pointer).Elem()
	if changed, ok := rewrite(v, unescapeBytes); ok {
		v.Set(changed)
	}
}

// escapeBytes returns s without bytes that JSON would replace.
func escapeBytes(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isByte) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || isByte(r) {
			for _, c := range []byte(s[i : i+size]) {
				b.WriteRune(byteBase + rune(c))
			}
		} else {
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// unescapeBytes is the inverse of escapeBytes.
func unescapeBytes(s string) string {
	if !strings.ContainsFunc(s, isByte) {
		return s
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if isByte(r) {
			b = append(b, byte(r-byteBase))
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

func isByte(r rune) bool { return r >= firstByte && r <= lastByte }

// rewritten returns v with f applied to each of its strings: v itself if f changes none, otherwise
// with copies of what holds the changed ones, since others may read v.
func rewritten[T any](v T, f func(string) string) T {
	changed, ok := rewrite(reflect.ValueOf(&v).Elem(), f)
	if ok {
		v, _ = changed.Interface().(T)
	}
	return v
}

// rewrite returns a copy of v with its strings changed; ok is false where none is.
func rewrite(v reflect.Value, f func(string) string) (changed reflect.Value, ok bool) {
	switch v.Kind() {
	case reflect.String:
		if s := f(v.String()); s != v.String() {
			changed = reflect.New(v.Type()).Elem()
			changed.SetString(s)
			return changed, true
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		if inner, ok := rewrite(v.Elem(), f); ok {
			changed = reflect.New(v.Type()).Elem()
			if v.Kind() == reflect.Pointer {
				changed.Set(reflect.New(v.Type().Elem()))
				changed.Elem().Set(inner)
			} else {
				changed.Set(inner)
			}
			return changed, true
		}
	case reflect.Struct:
		return rewriteParts(v, v.NumField(), func(w reflect.Value, i int) reflect.Value { return w.Field(i) }, f)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 { // bytes are exact anyway
			return rewriteParts(v, v.Len(), reflect.Value.Index, f)
		}
	case reflect.Map:
		return rewriteMap(v, f)
	}
	return v, false
}

// rewriteParts rewrites the fields of a struct or the elements of a slice.
func rewriteParts(v reflect.Value, n int, part func(reflect.Value, int) reflect.Value, f func(string) string) (changed reflect.Value, ok bool) {
	changed = v
	for i := range n {
		if !part(v, i).CanInterface() { // not exported: not sent
			continue
		}
		inner, differs := rewrite(part(v, i), f)
		if !differs {
			continue
		}
		if !ok {
			changed, ok = reflect.New(v.Type()).Elem(), true
			if v.Kind() == reflect.Slice {
				changed.Set(reflect.MakeSlice(v.Type(), n, n))
				reflect.Copy(changed, v)
			} else {
				changed.Set(v)
			}
		}
		part(changed, i).Set(inner)
	}
	return changed, ok
}

// rewriteMap rewrites keys and values.
func rewriteMap(v reflect.Value, f func(string) string) (changed reflect.Value, ok bool) {
	for entries := v.MapRange(); entries.Next(); {
		_, key := rewrite(entries.Key(), f)
		_, value := rewrite(entries.Value(), f)
		ok = ok || key || value
	}
	if !ok {
		return v, false
	}
	changed = reflect.MakeMapWithSize(v.Type(), v.Len())
	for entries := v.MapRange(); entries.Next(); {
		key, _ := rewrite(entries.Key(), f)
		value, _ := rewrite(entries.Value(), f)
		changed.SetMapIndex(key, value)
	}
	return changed, true
}
