package main

import (
	"debug/elf"
	"errors"
	"fmt"
)

// standsAlone refuses a program for Linux that asks for a loader or a library: packages say that it starts everywhere.
func standsAlone(b build) (err error) {
	if b.os != "linux" {
		return nil
	}
	program, err := elf.Open(b.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, program.Close()) }()
	for _, part := range program.Progs {
		if part.Type == elf.PT_INTERP {
			libraries, err := program.ImportedLibraries()
			return errors.Join(fmt.Errorf("it is linked dynamically, with %v", libraries), err)
		}
	}
	return nil
}
