package draft

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dowse/internal/atomicfile"
)

// A log is a header and a record per answer, in little endian:
//
//	header   16 bytes, logMagic; 32 bytes, the SHA-256 of the model's name
//	record   uint32 length of the payload, uint32 CRC-32C of it, payload
//	payload  uvarint length of the session's name, the name, a uvarint each token
const (
	logMagic     = "dowse answers 1\n"
	logSuffix    = ".answers"
	logHeader    = len(logMagic) + sha256.Size
	recordHeader = 8
	mostPayload  = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errLog is wrapped by errors about other files.
var errLog = errors.New("not a log of answers")

type historyLog struct {
	folder string
	path   string
	header []byte
	file   *os.File
}

func openLog(folder, model string) (*historyLog, []answer, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, fmt.Errorf("history of answers: %w", err)
	}
	sum := sha256.Sum256([]byte(model))
	l := &historyLog{
		folder: folder,
		path:   filepath.Join(folder, hex.EncodeToString(sum[:8])+logSuffix),
		header: append([]byte(logMagic), sum[:]...),
	}
	data, err := os.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("history of answers: %w", err)
	}
	var answers []answer
	whole := 0
	if bytes.HasPrefix(data, l.header) {
		answers, whole = readAnswers(data)
	}
	if whole == 0 {
		return l, nil, l.rewrite(nil)
	}
	if err := l.open(); err != nil {
		return nil, nil, err
	}
	if whole < len(data) {
		if err := l.file.Truncate(int64(whole)); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("history of answers: drop a torn record: %w", err), l.close())
		}
	}
	return l, answers, nil
}

func (l *historyLog) open() error {
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		// An older copy may have been restored with other rights.
		err = file.Chmod(0o600)
	}
	if err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	l.file = file
	return nil
}

// readAnswers reads records up to a torn or damaged one, and returns the bytes
// read with the header; 0 if data is no log.
func readAnswers(data []byte) (answers []answer, whole int) {
	if len(data) < logHeader || string(data[:len(logMagic)]) != logMagic {
		return nil, 0
	}
	whole = logHeader
	for {
		rest := data[whole:]
		if len(rest) < recordHeader {
			return answers, whole
		}
		size := int(binary.LittleEndian.Uint32(rest))
		if size > mostPayload || size > len(rest)-recordHeader {
			return answers, whole
		}
		payload := rest[recordHeader : recordHeader+size]
		a, err := decodeAnswer(payload)
		if crc32.Checksum(payload, castagnoli) != binary.LittleEndian.Uint32(rest[4:]) || err != nil {
			return answers, whole
		}
		answers = append(answers, a)
		whole += recordHeader + size
	}
}

func appendRecord(dst []byte, a answer) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, recordHeader)...)
	dst = binary.AppendUvarint(dst, uint64(len(a.session)))
	dst = append(dst, a.session...)
	for _, token := range a.tokens {
		dst = binary.AppendUvarint(dst, uint64(uint32(token)))
	}
	payload := dst[start+recordHeader:]
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(dst[start+4:], crc32.Checksum(payload, castagnoli))
	return dst
}

func decodeAnswer(payload []byte) (answer, error) {
	size, n := binary.Uvarint(payload)
	if n <= 0 || size > uint64(len(payload)-n) {
		return answer{}, errLog
	}
	payload = payload[n:]
	a := answer{session: string(payload[:size])}
	for payload = payload[size:]; len(payload) > 0; payload = payload[n:] {
		var token uint64
		if token, n = binary.Uvarint(payload); n <= 0 || token > 1<<31-1 {
			return answer{}, errLog
		}
		a.tokens = append(a.tokens, int32(token))
	}
	return a, nil
}

// append writes a record. It cuts off a partial one, which would hide later
// ones.
func (l *historyLog) append(a answer) error {
	info, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	if _, err := l.file.Write(appendRecord(nil, a)); err != nil {
		return fmt.Errorf("history of answers: %w", errors.Join(err, l.file.Truncate(info.Size())))
	}
	return nil
}

func (l *historyLog) rewrite(answers []answer) error {
	if err := l.close(); err != nil {
		return err
	}
	if err := writeLog(l.path, l.header, answers); err != nil {
		return err
	}
	return l.open()
}

// writeLog replaces a log atomically.
func writeLog(path string, header []byte, answers []answer) error {
	data := append([]byte(nil), header...)
	for _, a := range answers {
		data = appendRecord(data, a)
	}
	if err := atomicfile.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	return nil
}

// erase rewrites all logs of the folder without a session.
func (l *historyLog) erase(session string) error {
	if err := l.close(); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(l.folder, "*"+logSuffix))
	if err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	for _, path := range paths {
		if err := eraseSession(path, session); err != nil {
			return err
		}
	}
	return l.open()
}

func eraseSession(path, session string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	answers, whole := readAnswers(data)
	if whole == 0 {
		return fmt.Errorf("history of answers: %s: %w; remove it by hand", path, errLog)
	}
	kept := answers[:0]
	for _, a := range answers {
		if a.session != session {
			kept = append(kept, a)
		}
	}
	return writeLog(path, data[:logHeader], kept)
}

func (l *historyLog) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	if err != nil {
		return fmt.Errorf("history of answers: %w", err)
	}
	return nil
}

// Kept counts a folder's past answers.
type Kept struct {
	Models  int // with answers
	Answers int
	Tokens  int
	Bytes   int64 // of files
}

// EraseFolder removes the past answers of all models from a folder without an
// open History, including unreadable logs, and counts them. File systems may
// keep removed bytes.
func EraseFolder(folder string) (Kept, error) {
	var kept Kept
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, fmt.Errorf("history of answers: %w", err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), logSuffix) && !strings.HasSuffix(e.Name(), ".new") { // half written
			continue
		}
		path := filepath.Join(folder, e.Name())
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return kept, fmt.Errorf("history of answers: %w", err)
		}
		kept.count(data)
	}
	return kept, nil
}

func (k *Kept) count(data []byte) {
	k.Bytes += int64(len(data))
	answers, _ := readAnswers(data)
	if len(answers) > 0 {
		k.Models++
	}
	k.Answers += len(answers)
	for _, a := range answers {
		k.Tokens += len(a.tokens)
	}
}
