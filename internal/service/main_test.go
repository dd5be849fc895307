package service

import (
	"os"
	"testing"

	"dowse/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.Of(m).Run()) }
