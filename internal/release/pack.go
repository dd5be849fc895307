package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"dowse/internal/packed"
)

// pack writes into a folder what a program carries, made small, and an overlay.json by which go build takes that instead.
func pack(folder string, files []string) error {
	if len(files) == 0 {
		return errors.New("no files to pack")
	}
	folder, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return err
	}
	replaced := map[string]string{}
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range files {
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		replaced[path] = filepath.Join(folder, fmt.Sprint(i))
		work.Go(func() error { return packFile(path, replaced[path]) })
	}
	if err := work.Wait(); err != nil {
		return err
	}
	overlay, err := json.MarshalIndent(map[string]any{"Replace": replaced}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o644)
}

// packFile packs bfloat16 by planes: adapters have it. All else is bytes.
func packFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	width := 1
	if filepath.Ext(from) == ".safetensors" {
		width = 2
	}
	var small bytes.Buffer
	if err := packed.Write(&small, data, width); err != nil {
		return err
	}
	return os.WriteFile(to, small.Bytes(), 0o644)
}
