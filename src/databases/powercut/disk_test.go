// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

var (
	seeds = flag.Int64("seeds", 60, "random programs for each rule")
	first = flag.Int64("first", 0, "seed of the first one")
)

// TestMain runs the tests in the namespaces that the program itself uses, and is the program itself for its child processes.
func TestMain(m *testing.M) {
	if os.Getenv(inside) == "" {
		os.Exit(runInside(os.Args[1:]...))
	}
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		tick = 24 * time.Hour // a slow machine must not write what the model does not
		if err := serve(os.Args[2], entryRule(os.Getenv("RULE"))); err != nil {
			fail(err)
		}
		return
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		fail(err)
	}
	os.Exit(m.Run())
}

// fixture is a mounted disk.
type fixture struct {
	t     testing.TB
	d     *disk // nil if another process serves it
	point string
	cut   func(mode survival, seed int64) counts
}

func mounted(t testing.TB, rule entryRule) *fixture {
	directory := t.TempDir()
	f := &fixture{t: t, point: filepath.Join(directory, "mount")}
	f.cut = func(mode survival, seed int64) counts {
		t.Helper()
		lost, err := f.d.cutAt(f.point, mode, seed)
		f.must(err)
		return lost
	}
	files := filepath.Join(directory, "files")
	f.must(os.Mkdir(files, 0o700))
	f.must(os.Mkdir(f.point, 0o700))
	d, err := newDisk(files, rule)
	f.must(err)
	f.d = d
	f.must(d.mountAt(f.point))
	t.Cleanup(func() { syscall.Unmount(f.point, syscall.MNT_DETACH) })
	return f
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) path(name string) string { return filepath.Join(f.point, name) }

func (f *fixture) write(name string, data string, off int64, syncs bool) {
	f.t.Helper()
	file, err := os.OpenFile(f.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	f.must(err)
	_, err = file.WriteAt([]byte(data), off)
	f.must(err)
	if syncs {
		f.must(file.Sync())
	}
	f.must(file.Close())
}

func (f *fixture) syncDirectory(name string) {
	f.t.Helper()
	directory, err := os.Open(f.path(name))
	f.must(err)
	f.must(directory.Sync())
	f.must(directory.Close())
}

// served returns a disk in a process of its own: one that maps a file of its own mount into memory would wait for itself.
func served(t testing.TB, rule entryRule) *fixture {
	directory := t.TempDir()
	f := &fixture{t: t, point: filepath.Join(directory, "mount", "disk")}
	child := exec.Command("/proc/self/exe", "serve", directory)
	child.Env = append(os.Environ(), "RULE="+string(rule))
	child.Stderr = os.Stderr
	commands, err := child.StdinPipe()
	f.must(err)
	output, err := child.StdoutPipe()
	f.must(err)
	f.must(child.Start())
	answers := json.NewDecoder(output)
	ask := func(command string) (answer struct {
		counts
		Path, Error string
	}) {
		if command != "" {
			_, err := io.WriteString(commands, command+"\n")
			f.must(err)
		}
		f.must(answers.Decode(&answer))
		if answer.Error != "" {
			t.Fatal(command, ": ", answer.Error)
		}
		return
	}
	ask("")
	f.cut = func(mode survival, seed int64) counts {
		if mode == strict {
			return ask("cut strict").counts
		}
		return ask(fmt.Sprintf("cut %s %d", mode, seed)).counts
	}
	t.Cleanup(func() {
		commands.Close()
		child.Wait()
		syscall.Unmount(f.point, syscall.MNT_DETACH)
		syscall.Unmount(filepath.Dir(f.point), syscall.MNT_DETACH)
	})
	return f
}

func (f *fixture) expect(name, want string) {
	f.t.Helper()
	content, err := os.ReadFile(f.path(name))
	if want == "none" {
		if !errors.Is(err, os.ErrNotExist) {
			f.t.Errorf("%s: found %d bytes (%v), expected no such file", name, len(content), err)
		}
	} else if err != nil || string(content) != want {
		f.t.Errorf("%s: found %.40q (%v), expected %.40q", name, content, err, want)
	}
}

func both(t *testing.T, test func(t *testing.T, f *fixture)) {
	for _, rule := range []entryRule{ext4, posix} {
		t.Run(string(rule), func(t *testing.T) { test(t, mounted(t, rule)) })
	}
}

func TestAnEntryNeedsTheSyncOfItsDirectoryInPosixOnly(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("file", "data", 0, true)
		lost := f.cut(strict, 0)
		if f.d.rule == ext4 {
			f.expect("file", "data")
		} else {
			f.expect("file", "none")
			if lost != (counts{Bytes: 4, Files: 1, Entries: 1}) {
				t.Errorf("lost %+v, expected one entry and the 4 bytes of its file", lost)
			}
		}
	})
}

func TestAnEntryWithoutSyncedDataIsEmpty(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("file", "data", 0, false)
		f.syncDirectory("")
		if lost := f.cut(strict, 0); lost != (counts{Bytes: 4, Files: 1}) {
			t.Errorf("lost %+v, expected the 4 bytes of one file", lost)
		}
		f.expect("file", "")
	})
}

func TestARenameWithoutSyncKeepsOldContentInPosixAndOrdersDataInExt4(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("file", "old", 0, true)
		f.syncDirectory("")
		f.write("new", "newer", 0, false)
		f.must(os.Rename(f.path("new"), f.path("file")))
		f.write("renamed", "lost", 0, false)
		f.must(os.Rename(f.path("renamed"), f.path("elsewhere")))
		f.syncDirectory("")
		f.cut(strict, 0)
		if f.d.rule == ext4 {
			f.expect("file", "newer") // auto_da_alloc
		} else {
			f.expect("file", "")
		}
		f.expect("elsewhere", "") // in both: no file was replaced
	})
}

func TestOldEntriesAndOldDataCountAsWritten(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("file", "data", 0, false)
		f.d.age(time.Now().Add(entryAge + time.Second))
		f.write("file", "more", 0, false)
		f.cut(strict, 0)
		f.expect("file", "")
		f.write("file", "data", 0, false)
		f.d.age(time.Now().Add(dataAge + time.Second))
		f.write("file", "DATA", 0, false)
		f.cut(strict, 0)
		f.expect("file", "data")
	})
}

func TestAFileThatIsEmptiedRewrittenAndClosedIsWrittenWithTheNextCommit(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("file", "before", 0, true)
		f.syncDirectory("")
		f.must(os.WriteFile(f.path("file"), []byte("after"), 0o600))
		f.d.age(time.Now().Add(entryAge + time.Second))
		f.cut(strict, 0)
		if f.d.rule == ext4 {
			f.expect("file", "after")
		} else {
			f.expect("file", "before")
		}
	})
}

func TestFreezesAtOnceOrWhenDataIsUnsynced(t *testing.T) {
	f := mounted(t, ext4)
	f.write("file", "data", 0, true)
	for _, words := range [][]string{{"freeze"}, {"freeze", "unsynced"}} {
		_, err := f.d.command(f.point, words)
		f.must(err)
		if !f.d.frozen.Load() {
			t.Errorf("%v: it is not frozen", words)
		}
		f.cut(strict, 0)
	}
	if _, err := f.d.command(f.point, []string{"freeze", "later"}); err == nil {
		t.Error("it took an unknown command")
	}
}

func TestALyingDiskLosesWhatWasSynced(t *testing.T) {
	both(t, func(t *testing.T, f *fixture) {
		f.write("before", "data", 0, true)
		f.syncDirectory("")
		f.d.lying.Store(true)
		f.write("before", "DATA", 0, true)
		f.write("after", "data", 0, true)
		f.syncDirectory("")
		f.d.age(time.Now().Add(time.Hour))
		f.cut(strict, 0)
		f.expect("before", "data")
		f.expect("after", "none")
	})
}

func TestATornWriteEndsBetweenSectors(t *testing.T) {
	f := mounted(t, ext4)
	f.write("file", string(bytes.Repeat([]byte("o"), 8192)), 0, true)
	ends := map[int]bool{}
	for seed := range int64(40) {
		f.write("file", string(bytes.Repeat([]byte("n"), 8192)), 0, false)
		f.cut(torn, seed)
		content, err := os.ReadFile(f.path("file"))
		f.must(err)
		n := len(content) - len(bytes.TrimLeft(content, "n"))
		if n%sector != 0 || bytes.Count(content, []byte("n")) != n || len(content) != 8192 {
			t.Fatalf("seed %d: %d bytes of %d survive at the beginning, %d in all", seed, n, len(content), bytes.Count(content, []byte("n")))
		}
		ends[n] = true
		f.write("file", string(bytes.Repeat([]byte("o"), 8192)), 0, true)
	}
	if len(ends) < 8 {
		t.Errorf("only %d different ends", len(ends))
	}
}

func TestAFrozenDiskAnswersNothingUntilTheCut(t *testing.T) {
	f := mounted(t, ext4)
	file, err := os.Create(f.path("file"))
	f.must(err)
	f.d.frozen.Store(true)
	answer := make(chan error)
	go func() {
		_, err := file.Write([]byte("data"))
		if err == nil {
			err = file.Sync()
		}
		answer <- err
	}()
	select {
	case err := <-answer:
		t.Fatal("it answered: ", err)
	case <-time.After(200 * time.Millisecond):
	}
	f.cut(strict, 0)
	if err := <-answer; !errors.Is(err, syscall.EIO) {
		t.Errorf("found %v, expected EIO", err)
	}
	if _, err := file.Write([]byte("data")); err == nil {
		t.Error("a file that was open before the cut is still usable")
	}
}

func TestRefusesWhatItCannotUndo(t *testing.T) {
	f := mounted(t, ext4)
	f.write("a", "a", 0, true)
	f.write("b", "b", 0, true)
	a, b := []byte(f.path("a")+"\x00"), []byte(f.path("b")+"\x00")
	at := -100
	_, _, e := syscall.Syscall6(316, uintptr(at), uintptr(unsafe.Pointer(&a[0])), uintptr(at), uintptr(unsafe.Pointer(&b[0])), 2, 0)
	if e != syscall.EINVAL {
		t.Errorf("RENAME_EXCHANGE: found %v, expected EINVAL", e)
	}
	file, err := os.OpenFile(f.path("a"), os.O_RDWR, 0)
	f.must(err)
	defer file.Close()
	if err := syscall.Fallocate(int(file.Fd()), 8, 0, block); err != syscall.EOPNOTSUPP {
		t.Errorf("COLLAPSE_RANGE: found %v, expected EOPNOTSUPP", err)
	}
	if err := os.Chown(f.path("a"), 0, 0); !errors.Is(err, syscall.EPERM) {
		t.Errorf("chown: found %v, expected EPERM", err)
	}
	if err := os.Chtimes(f.path("a"), time.Now(), time.Unix(1, 0)); !errors.Is(err, syscall.EPERM) {
		t.Errorf("utimensat: found %v, expected EPERM", err)
	}
	f.must(os.Chmod(f.path("a"), 0o644))
	f.must(os.Truncate(f.path("a"), 0))
	if err := os.Symlink("a", f.path("c")); err == nil {
		t.Error("it made a symbolic link")
	}
}

func TestALargePreallocatedFileCostsNoMemory(t *testing.T) {
	f := mounted(t, ext4)
	file, err := os.Create(f.path("log"))
	f.must(err)
	defer file.Close()
	f.must(syscall.Fallocate(int(file.Fd()), 0, 0, 64<<20))
	f.must(file.Sync())
	f.must(file.Truncate(1000))
	for _, i := range f.d.inodes {
		if !i.isDir() {
			for b, old := range i.gens[0].old {
				if old != nil && b > 0 {
					t.Fatalf("block %d was copied", b)
				}
			}
		}
	}
	f.cut(strict, 0)
	info, err := os.Stat(f.path("log"))
	f.must(err)
	if info.Size() != 64<<20 {
		t.Errorf("found %d bytes, expected 64 MiB", info.Size())
	}
}

// model is what random programs are compared with: whole copies instead of an undo log.
type model struct {
	rule  entryRule
	nodes []*modelNode
	root  *modelNode
}

type modelNode struct {
	cur, dur     []byte
	ordered      []byte
	meta         bool
	replaced     bool
	entries, old map[string]*modelNode // of a directory
}

func (m *model) add(isDir bool) *modelNode {
	n := &modelNode{meta: true}
	if isDir {
		n.entries, n.old = map[string]*modelNode{}, map[string]*modelNode{}
	}
	m.nodes = append(m.nodes, n)
	return n
}

func (m *model) commit() {
	for _, n := range m.nodes {
		if n.entries != nil {
			n.old = maps.Clone(n.entries)
		} else if n.ordered != nil {
			n.dur, n.ordered = n.ordered, nil
		}
	}
}

func (m *model) sync(n *modelNode, onlyData bool) {
	if n.entries != nil {
		if m.rule == ext4 {
			m.commit()
		} else {
			n.old = maps.Clone(n.entries)
		}
		return
	}
	commits := m.rule == ext4 && (n.meta || !onlyData)
	n.dur, n.ordered, n.meta, n.replaced = slices.Clone(n.cur), nil, false, false
	if commits {
		m.commit()
	}
}

func (m *model) order(n *modelNode) {
	if m.rule == ext4 {
		n.ordered = slices.Clone(n.cur)
		if n.ordered == nil {
			n.ordered = []byte{}
		}
	}
}

func (n *modelNode) resize(size int) {
	if size != len(n.cur) {
		n.meta, n.replaced = true, n.replaced || size == 0
	}
	n.grow(size)
	n.cur = n.cur[:size]
}

func (n *modelNode) grow(size int) {
	if size > len(n.cur) {
		n.cur, n.meta = append(n.cur, make([]byte, size-len(n.cur))...), true
	}
}

// program runs random operations on a disk and the model.
type program struct {
	*fixture
	*model
	random *rand.Rand
	done   []string
}

func (p *program) directories() (names []string, nodes []*modelNode) {
	names, nodes = []string{""}, []*modelNode{p.root}
	for _, name := range slices.Sorted(maps.Keys(p.root.entries)) {
		if n := p.root.entries[name]; n.entries != nil {
			names, nodes = append(names, name+"/"), append(nodes, n)
		}
	}
	return
}

// place returns a random name, its directory and what it names.
func (p *program) place() (string, *modelNode, string) {
	names, nodes := p.directories()
	d := p.random.Intn(len(names))
	base := string(rune('a' + p.random.Intn(4)))
	return names[d] + base, nodes[d], base
}

func (p *program) did(format string, arguments ...any) {
	p.done = append(p.done, fmt.Sprintf(format, arguments...))
}

func (p *program) step() {
	name, directory, base := p.place()
	n := directory.entries[base]
	r := p.random
	if n != nil && n.entries != nil {
		if r.Intn(3) > 0 {
			p.did("sync directory %s", name)
			p.syncDirectory(name)
			p.sync(n, false)
		} else if len(n.entries) == 0 {
			p.did("rmdir %s", name)
			p.must(os.Remove(p.path(name)))
			delete(directory.entries, base)
		}
		return
	}
	switch r.Intn(10) {
	case 0:
		if n == nil && directory == p.root {
			p.did("mkdir %s", name)
			p.must(os.Mkdir(p.path(name), 0o700))
			directory.entries[base] = p.add(true)
		} else if n != nil {
			p.did("remove %s", name)
			p.must(os.Remove(p.path(name)))
			delete(directory.entries, base)
		}
	case 1:
		to, target, toBase := p.place()
		other := target.entries[toBase]
		if n == nil || n == other || other != nil && other.entries != nil {
			return
		}
		if r.Intn(4) == 0 && other == nil {
			p.did("link %s %s", name, to)
			p.must(os.Link(p.path(name), p.path(to)))
			target.entries[toBase] = n
			return
		}
		p.did("rename %s %s", name, to)
		p.must(os.Rename(p.path(name), p.path(to)))
		if other != nil {
			p.order(n)
		}
		target.entries[toBase] = n
		delete(directory.entries, base)
	case 2:
		p.did("sync the root")
		p.syncDirectory("")
		p.sync(p.root, false)
	default:
		p.changeFile(name, directory, base, n)
	}
}

func (p *program) changeFile(name string, directory *modelNode, base string, n *modelNode) {
	r := p.random
	flags := os.O_RDWR | os.O_CREATE
	if n == nil {
		n = p.add(false)
		directory.entries[base] = n
	} else if r.Intn(12) == 0 {
		flags |= os.O_TRUNC
		n.resize(0)
	}
	writesThrough := r.Intn(12) == 0
	if writesThrough {
		flags |= syscall.O_DSYNC
	}
	p.did("open %s %x", name, flags)
	file, err := os.OpenFile(p.path(name), flags, 0o600)
	p.must(err)
	for range 1 + r.Intn(3) {
		off, length := r.Intn(20_000), 1+r.Intn(9_000)
		switch r.Intn(8) {
		case 0:
			p.did("truncate %d", off)
			p.must(file.Truncate(int64(off)))
			n.resize(off)
		case 1:
			p.did("fallocate %d %d", off, length)
			p.must(syscall.Fallocate(int(file.Fd()), 0, int64(off), int64(length)))
			n.grow(off + length)
		case 2:
			p.did("punch %d %d", off, length)
			p.must(syscall.Fallocate(int(file.Fd()), keepSize|punchHole, int64(off), int64(length)))
			if off < len(n.cur) {
				clear(n.cur[off:min(len(n.cur), off+length)])
			}
		case 3:
			if len(n.cur) > 0 {
				p.writeMapped(file, n, off%len(n.cur), length)
			}
		case 4:
			onlyData := r.Intn(2) == 0
			p.did("sync, only data %t", onlyData)
			if onlyData {
				p.must(syscall.Fdatasync(int(file.Fd())))
			} else {
				p.must(file.Sync())
			}
			p.sync(n, onlyData)
		default:
			data := make([]byte, length)
			r.Read(data)
			p.did("write %d %d", off, length)
			_, err := file.WriteAt(data, int64(off))
			p.must(err)
			n.grow(off + length)
			copy(n.cur[off:], data)
			if writesThrough {
				p.sync(n, true)
			}
		}
	}
	p.did("close")
	p.must(file.Close())
	if n.replaced {
		p.order(n)
		n.replaced = false
	}
}

// empty removes everything for good, for the next program.
func (p *program) empty() {
	for name := range p.root.entries {
		p.must(os.RemoveAll(p.path(name)))
	}
	p.syncDirectory("")
	p.cut(strict, 0)
}

// writeMapped writes by shared memory, as bbolt reads, and sometimes syncs that.
func (p *program) writeMapped(file *os.File, n *modelNode, off, length int) {
	memory, err := syscall.Mmap(int(file.Fd()), 0, len(n.cur), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	p.must(err)
	if !bytes.Equal(memory, n.cur) {
		p.t.Fatalf("a mapped file differs after %v", p.done)
	}
	part := n.cur[off:min(len(n.cur), off+length)]
	p.random.Read(part)
	copy(memory[off:], part)
	syncs := p.random.Intn(2) == 0
	p.did("write mapped %d %d, sync %t", off, len(part), syncs)
	if syncs {
		_, _, e := syscall.Syscall(syscall.SYS_MSYNC, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), syscall.MS_SYNC)
		if e != 0 {
			p.t.Fatal(e)
		}
		// the kernel asks for a sync with the metadata of the file or without
		p.sync(n, true)
	}
	p.must(syscall.Munmap(memory))
}

// compare compares the whole tree with the model; check compares one file.
func (p *program) compare(check func(name string, content []byte, n *modelNode) bool) {
	p.t.Helper()
	var walk func(prefix string, n *modelNode)
	walk = func(prefix string, n *modelNode) {
		listed, err := os.ReadDir(p.path(prefix))
		p.must(err)
		var names []string
		for _, each := range listed {
			names = append(names, each.Name())
		}
		if want := slices.Sorted(maps.Keys(n.entries)); !slices.Equal(names, want) {
			p.t.Fatalf("%q: found the names %v, expected %v, after %s, %v", prefix, names, want, p.rule, p.done)
		}
		for name, child := range n.entries {
			if child.entries != nil {
				walk(prefix+name+"/", child)
				continue
			}
			content, err := os.ReadFile(p.path(prefix + name))
			p.must(err)
			if !check(prefix+name, content, child) {
				p.t.Fatalf("%s: found %d bytes, durable are %d, written %d: differs after %s, %v", prefix+name, len(content), len(child.dur), len(child.cur), p.rule, p.done)
			}
		}
	}
	walk("", p.root)
}

// afterCut returns to the durable state; of files, to their content on the disk.
func (p *program) afterCut(mode survival) {
	for _, n := range p.nodes {
		if n.entries != nil {
			n.entries = maps.Clone(n.old)
		}
	}
	p.compare(func(name string, content []byte, n *modelNode) bool {
		if mode == strict {
			return bytes.Equal(content, n.dur)
		}
		return survives(content, n)
	})
	for _, n := range p.nodes {
		n.meta, n.replaced, n.ordered = false, false, nil
		if mode == strict {
			n.cur = slices.Clone(n.dur)
		}
	}
	if mode == strict {
		return
	}
	p.compare(func(name string, content []byte, n *modelNode) bool {
		n.cur, n.dur = slices.Clone(content), slices.Clone(content)
		return true
	})
}

// survives returns whether each sector is the durable or the written one, and the size is between both.
func survives(content []byte, n *modelNode) bool {
	if len(content) < len(n.dur) || len(content) > max(len(n.cur), len(n.dur)) {
		return false
	}
	at := func(data []byte, from, to int) []byte {
		part := make([]byte, to-from)
		if from < len(data) {
			copy(part, data[from:])
		}
		return part
	}
	for from := 0; from < len(content); from += sector {
		to := min(len(content), from+sector)
		part := content[from:to]
		if !bytes.Equal(part, at(n.dur, from, to)) && !bytes.Equal(part, at(n.cur, from, to)) {
			return false
		}
	}
	return true
}

func (f *fixture) impair(by impairment) {
	f.t.Helper()
	_, err := f.d.command(f.point, []string{"impair", string(by)})
	f.must(err)
}

func (f *fixture) affected() int64 { return f.d.affected.Load() }

func TestASlowDiskSyncsLater(t *testing.T) {
	f := mounted(t, ext4)
	f.impair(slow)
	start := time.Now()
	f.write("a", "synced", 0, true)
	if took := time.Since(start); took < delay || f.affected() != 1 {
		t.Fatal(took, f.affected())
	}
	f.cut(strict, 0)
	if content, err := os.ReadFile(f.path("a")); err != nil || string(content) != "synced" {
		t.Fatal(content, err)
	}
}

func TestAFullDiskTakesNoWriteAndKeepsWhatItHas(t *testing.T) {
	f := mounted(t, ext4)
	f.write("a", "before", 0, true)
	f.impair(full)
	file, err := os.OpenFile(f.path("a"), os.O_RDWR, 0)
	f.must(err)
	defer file.Close()
	if _, err := file.WriteAt([]byte("after"), 0); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := syscall.Fallocate(int(file.Fd()), 0, 0, 1<<20); err != syscall.ENOSPC {
		t.Fatal(err)
	}
	if err := os.Mkdir(f.path("b"), 0o700); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if f.affected() != 3 {
		t.Fatal(f.affected())
	}
	f.must(file.Sync())
	f.impair(sound)
	_, err = file.WriteAt([]byte("after"), 0)
	f.must(err)
	if content, err := os.ReadFile(f.path("a")); err != nil || string(content) != "aftere" {
		t.Fatal(string(content), err)
	}
}

func TestASyncThatFailsMakesNothingDurable(t *testing.T) {
	f := mounted(t, ext4)
	f.write("a", "before", 0, true)
	f.impair(failing)
	file, err := os.OpenFile(f.path("a"), os.O_RDWR, 0)
	f.must(err)
	_, err = file.WriteAt([]byte("after"), 0)
	f.must(err)
	if err := file.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	file.Close()
	if f.affected() != 1 {
		t.Fatal(f.affected())
	}
	f.impair(sound)
	f.cut(strict, 0)
	if content, err := os.ReadFile(f.path("a")); err != nil || string(content) != "before" {
		t.Fatal(string(content), err)
	}
}

func TestRandomProgramsKeepExactlyWhatTheModelKeeps(t *testing.T) {
	start := time.Now()
	for _, rule := range []entryRule{ext4, posix} {
		f := served(t, rule)
		for seed := *first; seed < *first+*seeds; seed++ {
			m := &model{rule: rule}
			m.root = m.add(true)
			p := &program{f, m, rand.New(rand.NewSource(seed)), nil}
			for range 4 {
				for range 5 + p.random.Intn(25) {
					p.step()
				}
				p.compare(func(name string, content []byte, n *modelNode) bool { return bytes.Equal(content, n.cur) })
				mode := []survival{strict, strict, torn, reordered}[p.random.Intn(4)]
				p.did("cut %s", mode)
				p.cut(mode, seed)
				p.afterCut(mode)
			}
			p.empty()
		}
	}
	t.Logf("%d programs in %s", 2**seeds, time.Since(start).Round(time.Second))
}
