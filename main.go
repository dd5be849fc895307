// Command dowse searches your own files, by words and by meaning, in the
// terminal, on your own machine.
package main

import (
	"os"

	"dowse/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
