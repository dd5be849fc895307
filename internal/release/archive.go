package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// tarball packs files below a folder, as root's and with the time of the commit.
func (r *release) tarball(folder string, files []file) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		header := &tar.Header{Name: folder + "/" + f.name, Mode: f.mode, Size: int64(len(data)), ModTime: r.time, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close()) // before the bytes are looked at
	return out.Bytes(), err
}

// zipped packs files in their order.
func (r *release) zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return nil, err
		}
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.time}
		header.SetMode(os.FileMode(f.mode))
		w, err := z.CreateHeader(header)
		if err == nil {
			_, err = io.Copy(w, bytes.NewReader(data))
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// name is the archive's without its suffix.
func (r *release) name(b build) string {
	return fmt.Sprintf("dowse-%s-%s-%s", r.version.semver, b.os, b.arch)
}

// archive writes bin and share, to be unpacked into /usr/local or ~/.local with --strip-components 1.
func (r *release) archive(b build) error {
	data, err := r.tarball(r.name(b), append([]file{{name: "bin/dowse", path: b.path, mode: 0o755}}, r.share...))
	if err != nil {
		return err
	}
	return r.write(r.name(b)+".tar.gz", data)
}

// system writes a package of one kind, which depends on nothing: the program is linked statically.
func (r *release) system(b build, kind string) (err error) {
	work, err := os.MkdirTemp("", "dowse-release-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	settings := filepath.Join(work, "nfpm.yaml")
	if err := os.WriteFile(settings, []byte(r.nfpmSettings(b)), 0o600); err != nil {
		return err
	}
	name := r.name(b) + "." + kind
	target := filepath.Join(work, name)
	command := exec.Command(r.nfpm, "package", "--config", settings, "--packager", kind, "--target", target)
	command.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()))
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm: %w: %s", err, output)
	}
	data, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	return r.write(name, data)
}

// nfpmSettings say what lies where.
func (r *release) nfpmSettings(b build) string {
	at := r.time.Format("2006-01-02T15:04:05Z")
	text := fmt.Sprintf("name: dowse\narch: %s\nplatform: linux\nversion: %q\nversion_schema: semver\nsection: utils\nmaintainer: The dowse authors <dowse@localhost>\n"+
		"description: %q\nlicense: Apache-2.0\nmtime: %s\nrpm: {buildhost: localhost}\ncontents:\n", b.arch, r.version.semver, about, at)
	for _, f := range append([]file{{name: "bin/dowse", path: b.path, mode: 0o755}}, r.share...) {
		text += fmt.Sprintf("  - {src: %q, dst: %q, file_info: {mode: %#o, mtime: %s}}\n", f.path, "/usr/"+f.name, f.mode, at)
	}
	return text
}
