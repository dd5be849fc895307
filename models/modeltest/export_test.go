package modeltest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var export = flag.String("export", "", "write the folders of Decoders into this folder, for testdata/decoders.py")

func TestExport(t *testing.T) {
	if *export == "" {
		t.Skip("no -export folder is given")
	}
	for name, d := range Decoders() {
		files, err := d.Files()
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(*export, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(folder, files); err != nil {
			t.Fatal(err)
		}
	}
}
