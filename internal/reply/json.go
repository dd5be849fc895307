package reply

import (
	"bytes"
	"encoding/json"
)

// JSON is the JSON of a value without escapes for HTML, which programs are shown as it stands.
func JSON(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
