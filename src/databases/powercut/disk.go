// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bytes"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	block  = 4096 // what a file system writes at once
	sector = 512  // what a disk writes as a whole; etcd's check of its log relies on that

	seekData = 3 // SEEK_DATA

	// Linux writes dirty data that is older (vm.dirty_expire_centisecs), and commits the journal of ext4 (commit=).
	dataAge  = 30 * time.Second
	entryAge = 5 * time.Second
)

// entryRule says when the entry of a file in its directory becomes durable.
type entryRule string

const (
	ext4  entryRule = "ext4"  // with the next commit of the journal, which a sync of any new or resized file causes
	posix entryRule = "posix" // with a sync of the directory only
)

// survival says which unsynced data survives a cut.
type survival string

const (
	strict    survival = "strict"    // none
	torn      survival = "torn"      // of each file, what lies before a random sector
	reordered survival = "reordered" // of each file, a random half of the blocks, and a random part of what was appended
)

// impairment says what a disk does wrong while its power does not fail.
type impairment string

const (
	sound   impairment = "sound"
	slow    impairment = "slow"    // each sync takes 200 ms longer
	full    impairment = "full"    // each call that writes data, or makes an entry, fails: ENOSPC
	failing impairment = "failing" // each sync fails, and makes nothing durable: EIO

	delay = 200 * time.Millisecond
)

// generation is what has to be undone to return to the state of one sync, which has ended or still runs.
type generation struct {
	size int64            // size of the file at that time
	old  map[int64][]byte // content at that time of the blocks below size that were written since; nil for zeros
	born time.Time        // time of the first change since; zero if there was none
}

// inode is a file or a directory. The maps of directories are guarded by disk.tree.
type inode struct {
	id       uint64
	mode     atomic.Uint32
	cur, dur map[string]*inode // entries of a directory now, and those that survive a cut; nil for a file
	opens    int               // open handles; guarded by disk.tree
	names    atomic.Int32      // entries of directories now

	mu       sync.Mutex // guards what follows
	file     *os.File   // the current bytes
	size     int64
	gens     []generation // the oldest first: gens[0] is durable, the others belong to syncs that still run
	first    int          // number of gens[0]
	meta     bool         // created or resized since the last sync, so that a sync has to commit the journal
	ordered  int          // number of a generation that the next commit of the journal makes durable; 0 for none
	written  int          // number of the generation that has the last write
	replaced bool         // emptied, so that its next close orders its data before the next commit
}

func (i *inode) isDir() bool { return i.cur != nil }

func newGeneration(size int64) generation { return generation{size: size, old: map[int64][]byte{}} }

// begin starts a generation with the current state, and returns its number. i.mu is locked.
func (i *inode) begin() int {
	i.gens = append(i.gens, newGeneration(i.size))
	return i.first + len(i.gens) - 1
}

// settle makes the state at the beginning of a generation durable, if no later one is. i.mu is locked.
func (i *inode) settle(number int) {
	if n := number - i.first; n > 0 {
		i.gens, i.first = i.gens[n:], number
	}
}

// keep saves the blocks of [from, to) that have not been saved in the newest generation. i.mu is locked.
func (i *inode) keep(from, to int64) error {
	g := &i.gens[len(i.gens)-1]
	if g.born.IsZero() {
		g.born = time.Now()
	}
	to = min(to, g.size)
	skips, data := to-from > 64*block, int64(-1) // preallocated files are large and empty
	for b := from / block; b*block < to; b++ {
		if _, ok := g.old[b]; ok {
			continue
		}
		at := b * block
		if skips && data < at {
			next, err := syscall.Seek(int(i.file.Fd()), at, seekData)
			if err == syscall.ENXIO {
				next = 1 << 62
			} else if err != nil {
				next = at
			}
			data = next
		}
		if skips && at+block <= data {
			g.old[b] = nil
			continue
		}
		old := make([]byte, block) // beyond the end of the file it stays zero
		if n, err := i.file.ReadAt(old, at); n == 0 && err != nil && at < i.size {
			return err
		}
		g.old[b] = old
	}
	return nil
}

// counts are what a cut has discarded.
type counts struct {
	Bytes   int64 `json:"bytes"`   // in sectors whose content is another one now, and in appended parts
	Files   int64 `json:"files"`   // with such bytes
	Entries int64 `json:"entries"` // created, removed or renamed
}

// disk is a file system that can lose what was not synced. Data: files/<inode number>, the current bytes. The tree is in memory.
type disk struct {
	files string
	rule  entryRule

	gate     sync.RWMutex  // each call holds it for reading; a cut holds it for writing
	frozen   atomic.Bool   // power fails: no call begins or answers until the cut
	lying    atomic.Bool   // a sync answers at once, and makes nothing durable
	impaired atomic.Value  // an impairment
	affected atomic.Int64  // calls that the current impairment has affected
	dead     chan struct{} // closed when the current mount is; guarded by gate

	tree    sync.RWMutex // guards entries of directories, and what follows
	root    *inode
	inodes  map[uint64]*inode
	next    uint64
	changed time.Time // time of the first change of an entry since the last commit; zero if there is none
}

func newDisk(files string, rule entryRule) (*disk, error) {
	d := &disk{files: files, rule: rule, inodes: map[uint64]*inode{}, dead: make(chan struct{})}
	d.impaired.Store(sound)
	var err error
	d.root, err = d.create(syscall.S_IFDIR | 0o700)
	return d, err
}

// create makes an inode without a name. tree is locked.
func (d *disk) create(mode uint32) (*inode, error) {
	d.next++
	i := &inode{id: d.next}
	i.mode.Store(mode)
	if mode&syscall.S_IFMT == syscall.S_IFDIR {
		i.cur, i.dur = map[string]*inode{}, map[string]*inode{}
	} else {
		file, err := os.OpenFile(filepath.Join(d.files, strconv.FormatUint(i.id, 10)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		i.file, i.gens, i.first, i.meta = file, []generation{newGeneration(0)}, 1, true
	}
	d.inodes[i.id] = i
	return i, nil
}

// enter sets or, with nil, removes an entry. tree is locked.
func (d *disk) enter(directory *inode, name string, i *inode) {
	if before := directory.cur[name]; before != nil {
		before.names.Add(-1)
	}
	if i == nil {
		delete(directory.cur, name)
	} else {
		directory.cur[name] = i
		i.names.Add(1)
	}
	d.change()
}

// change notes that the journal has something to commit. tree is locked.
func (d *disk) change() {
	if d.changed.IsZero() {
		d.changed = time.Now()
	}
}

// commit makes all entries durable, and in ext4 the data that it writes before them: data=ordered, auto_da_alloc. tree is locked.
func (d *disk) commit() {
	for _, i := range d.inodes {
		if i.isDir() {
			i.dur = maps.Clone(i.cur)
			continue
		}
		i.mu.Lock()
		if i.ordered > 0 {
			i.settle(i.ordered)
			i.ordered = 0
		}
		i.mu.Unlock()
	}
	d.changed = time.Time{}
}

// isAffected returns whether the disk has an impairment now, and counts that for the call.
func (d *disk) isAffected(by impairment) bool {
	if d.impaired.Load() != by {
		return false
	}
	d.affected.Add(1)
	return true
}

// order lets the next commit of the journal make the current data durable. tree and i.mu are locked.
func (d *disk) order(i *inode) {
	if d.rule != ext4 {
		return
	}
	if !i.gens[len(i.gens)-1].born.IsZero() {
		i.begin()
	}
	i.ordered = i.first + len(i.gens) - 1
	d.change()
}

// syncFile makes a file durable; onlyData for fdatasync. Its duration is that of a real fdatasync.
func (d *disk) syncFile(i *inode, onlyData bool) error {
	i.mu.Lock()
	number := i.begin() // a cut meanwhile returns to the last sync that has ended
	commits := d.rule == ext4 && (i.meta || !onlyData)
	i.meta, i.replaced = false, false
	file := i.file
	i.mu.Unlock()
	if err := syscall.Fdatasync(int(file.Fd())); err != nil {
		return err
	}
	if d.frozen.Load() {
		return nil // it is not durable, and its answer is held
	}
	i.mu.Lock()
	i.settle(number)
	i.mu.Unlock()
	if commits {
		d.tree.Lock()
		d.commit()
		d.tree.Unlock()
	}
	return nil
}

func (d *disk) syncDirectory(i *inode) error {
	real, err := os.Open(d.files)
	if err != nil {
		return err
	}
	defer real.Close()
	if err := real.Sync(); err != nil {
		return err
	}
	if d.frozen.Load() {
		return nil
	}
	d.tree.Lock()
	defer d.tree.Unlock()
	if d.rule == ext4 {
		d.commit()
	} else {
		i.dur = maps.Clone(i.cur)
	}
	return nil
}

func (d *disk) hasUnsynced() bool {
	d.tree.RLock()
	defer d.tree.RUnlock()
	for _, i := range d.inodes {
		if i.isDir() {
			continue
		}
		i.mu.Lock()
		unsynced := i.written >= i.first
		i.mu.Unlock()
		if unsynced {
			return true
		}
	}
	return false
}

// age makes durable what a kernel would have written by now, and removes files that nothing can reach any more.
func (d *disk) age(now time.Time) {
	d.gate.RLock()
	defer d.gate.RUnlock()
	if d.frozen.Load() {
		return
	}
	d.tree.Lock()
	defer d.tree.Unlock()
	if !d.lying.Load() {
		if !d.changed.IsZero() && now.Sub(d.changed) > entryAge {
			d.commit()
		}
		for _, i := range d.inodes {
			if i.isDir() {
				continue
			}
			i.mu.Lock()
			if born := i.gens[0].born; !born.IsZero() && now.Sub(born) > dataAge {
				if len(i.gens) == 1 {
					i.begin()
				}
				i.settle(i.first + 1)
			}
			i.mu.Unlock()
		}
	}
	d.sweep(false)
}

// settleAll makes everything durable, as if it was written some time ago.
func (d *disk) settleAll() {
	d.gate.RLock()
	defer d.gate.RUnlock()
	d.tree.Lock()
	defer d.tree.Unlock()
	for _, i := range d.inodes {
		if !i.isDir() {
			i.mu.Lock()
			i.settle(i.begin())
			i.meta, i.ordered, i.replaced = false, 0, false
			i.mu.Unlock()
		}
	}
	d.commit()
}

// reach adds a file or a directory, and what has a name below it: now, and if also durable after a cut. tree is locked.
func (i *inode) reach(reached map[*inode]bool, alsoDurable bool) {
	if reached[i] {
		return
	}
	reached[i] = true
	for _, c := range i.cur {
		c.reach(reached, alsoDurable)
	}
	for _, c := range i.dur {
		if alsoDurable {
			c.reach(reached, alsoDurable)
		}
	}
}

// sweep removes the files that have no name and no handle; after a cut all handles are void. tree is locked.
func (d *disk) sweep(afterCut bool) {
	reached := map[*inode]bool{}
	d.root.reach(reached, true)
	for id, i := range d.inodes {
		if afterCut {
			i.opens = 0
		}
		if i.opens > 0 {
			i.reach(reached, true)
		}
		if !reached[i] && i.opens == 0 {
			delete(d.inodes, id)
			if !i.isDir() {
				i.file.Close()
				os.Remove(i.file.Name())
			}
		}
	}
}

// cut restores the durable state. The caller holds gate for writing, so that no call is in progress.
func (d *disk) cut(mode survival, random *rand.Rand) (lost counts, err error) {
	d.tree.Lock()
	defer d.tree.Unlock()
	seen := map[*inode]bool{}
	var files []*inode
	var walk func(i *inode)
	walk = func(i *inode) {
		for name, c := range i.cur {
			if i.dur[name] != c {
				lost.Entries++
			}
		}
		for name := range i.dur {
			if i.cur[name] == nil {
				lost.Entries++
			}
		}
		i.cur = maps.Clone(i.dur)
		for _, name := range slices.Sorted(maps.Keys(i.cur)) {
			c := i.cur[name]
			switch {
			case c.isDir() && seen[c]: // it was moved, and only one of both directories was synced
				delete(i.cur, name)
				delete(i.dur, name)
				lost.Entries++
			case c.isDir():
				seen[c] = true
				walk(c)
			case !seen[c]:
				seen[c] = true
				files = append(files, c)
			}
		}
	}
	named := map[*inode]bool{}
	d.root.reach(named, false)
	seen[d.root] = true
	walk(d.root)
	for i := range named {
		if !seen[i] && !i.isDir() && i.size > 0 { // its entry is gone
			lost.Bytes += nonZero(i.file, 0, i.size)
			lost.Files++
		}
	}
	for _, i := range d.inodes {
		i.names.Store(0)
	}
	for i := range seen {
		for _, c := range i.cur {
			c.names.Add(1)
		}
	}
	for _, i := range files {
		if err = i.undo(mode, random, &lost); err != nil {
			return
		}
	}
	d.sweep(true)
	d.changed = time.Time{}
	return
}

// undo returns a file to its durable state, except for the unsynced data that survives.
func (i *inode) undo(mode survival, random *rand.Rand, lost *counts) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	size, old := i.gens[0].size, map[int64][]byte{}
	for g := len(i.gens) - 1; g >= 0; g-- { // the oldest content wins
		for b, content := range i.gens[g].old {
			if b*block < size {
				old[b] = content
			}
		}
	}
	if mode != strict {
		if err := i.addAppended(size, old); err != nil {
			return err
		}
	}
	blocks := slices.Sorted(maps.Keys(old))
	end, kept := size, func(b int64) int64 { return 0 } // how many bytes of a block survive, from its beginning
	if len(blocks) > 0 && mode == torn {
		from, to := blocks[0]*block, (blocks[len(blocks)-1]+1)*block
		point := from + random.Int63n((to-from)/sector+1)*sector
		kept = func(b int64) int64 { return max(0, min(block, point-b*block)) }
		if i.size > size {
			end = max(size, min(point, i.size))
		}
	} else if len(blocks) > 0 && mode == reordered {
		kept = func(int64) int64 { return int64(random.Intn(2)) * block }
		if i.size > size {
			end = size + random.Int63n((i.size-size)/sector+1)*sector
		}
	}
	before := lost.Bytes
	lost.Bytes += nonZero(i.file, end, i.size)
	was, zeros := make([]byte, block), make([]byte, block)
	for _, b := range blocks {
		at, content, stays := b*block, old[b], kept(b)
		if at >= end {
			continue
		}
		if content == nil {
			content = zeros
		}
		if i.size < size && at+block > i.size {
			stays = 0 // a file is shorter, or it is not; it does not become empty at its end
		}
		clear(was)
		i.file.ReadAt(was, at) // short at the end of the file
		differs := int64(0)
		for s := stays; s < min(block, end-at); s += sector {
			if e := min(s+sector, end-at); !bytes.Equal(was[s:e], content[s:e]) {
				differs += e - s
			}
		}
		lost.Bytes += differs
		if differs == 0 {
			continue
		}
		if _, err := i.file.WriteAt(content[stays:], at+stays); err != nil {
			return err
		}
	}
	if err := i.file.Truncate(end); err != nil {
		return err
	}
	if lost.Bytes > before {
		lost.Files++
	}
	i.size, i.gens, i.first = end, []generation{newGeneration(end)}, 1
	i.meta, i.ordered, i.written, i.replaced = false, 0, 0, false
	return nil
}

// addAppended adds the blocks that lie beyond the durable size: they were nothing. i.mu is locked.
func (i *inode) addAppended(size int64, old map[int64][]byte) error {
	for b := size / block; b*block < i.size; b++ {
		if _, ok := old[b]; ok {
			continue
		}
		old[b] = nil
		if within := size - b*block; within > 0 {
			old[b] = make([]byte, block)
			if _, err := i.file.ReadAt(old[b][:within], b*block); err != nil {
				return err
			}
		}
	}
	return nil
}

// nonZero returns how many bytes of [from, to) are in sectors with data.
func nonZero(file *os.File, from, to int64) (count int64) {
	data, zeros := make([]byte, 128*block), make([]byte, sector)
	for from < to {
		next, err := syscall.Seek(int(file.Fd()), from, seekData)
		if err == nil {
			from = max(from, next)
		} else if err == syscall.ENXIO {
			return
		}
		n, _ := file.ReadAt(data[:max(0, min(int64(len(data)), to-from))], from)
		if n == 0 {
			return
		}
		for s := 0; s < n; s += sector {
			if part := data[s:min(n, s+sector)]; !bytes.Equal(part, zeros[:len(part)]) {
				count += int64(len(part))
			}
		}
		from += int64(n)
	}
	return
}
