// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"io"
	"log"
	"maps"
	"math/rand"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

const (
	noReplace = 1 // RENAME_NOREPLACE
	keepSize  = 1 // FALLOC_FL_KEEP_SIZE
	punchHole = 2
	zeroRange = 16
)

// mount is one life of the disk, between two cuts.
type mount struct {
	d    *disk
	dead chan struct{} // closed at its end
}

// node is a file or a directory as one mount shows it.
type node struct {
	fs.Inode
	m *mount
	i *inode
}

var _ interface {
	fs.NodeLookuper
	fs.NodeReaddirer
	fs.NodeCreater
	fs.NodeMkdirer
	fs.NodeUnlinker
	fs.NodeRmdirer
	fs.NodeRenamer
	fs.NodeLinker
	fs.NodeOpener
	fs.NodeReader
	fs.NodeWriter
	fs.NodeFsyncer
	fs.NodeFlusher
	fs.NodeReleaser
	fs.NodeGetattrer
	fs.NodeSetattrer
	fs.NodeAllocater
	fs.NodeStatfser
} = (*node)(nil)

// mountAt shows the disk at a directory. No call of an earlier mount may be in progress.
func (d *disk) mountAt(directory string) error {
	dead := make(chan struct{})
	d.gate.Lock()
	d.dead = dead
	d.frozen.Store(false)
	d.gate.Unlock()
	hour := time.Hour // nobody else changes the files, so the kernel may cache names and attributes
	_, err := fs.Mount(directory, &node{m: &mount{d, dead}, i: d.root}, &fs.Options{
		EntryTimeout: &hour, AttrTimeout: &hour,
		MountOptions: fuse.MountOptions{
			FsName: "powercut", Name: "powercut", DirectMountStrict: true, DirectMountFlags: syscall.MS_NOSUID | syscall.MS_NODEV,
			DisableXAttrs: true, // otherwise each write first asks for security.capability
			MaxWrite:      1 << 20,
			Logger:        log.New(io.Discard, "", 0), // it reports that a mount has ended
		}})
	return err
}

// cutAt ends the current mount with all calls that are held, restores the durable state, and mounts it again.
func (d *disk) cutAt(directory string, mode survival, seed int64) (counts, error) {
	d.frozen.Store(true)
	if err := syscall.Unmount(directory, syscall.MNT_DETACH); err != nil {
		return counts{}, err
	}
	close(d.dead)
	d.gate.Lock()
	lost, err := d.cut(mode, rand.New(rand.NewSource(seed)))
	d.gate.Unlock()
	if err != nil {
		return lost, err
	}
	return lost, d.mountAt(directory)
}

// enter begins a call; false if the mount has ended. A call that comes when the power has failed waits for that.
func (n *node) enter() bool {
	d := n.m.d
	d.gate.RLock()
	if n.isDead() {
		d.gate.RUnlock()
		return false
	}
	if d.frozen.Load() {
		d.gate.RUnlock()
		<-n.m.dead
		return false
	}
	return true
}

func (n *node) isDead() bool {
	select {
	case <-n.m.dead:
		return true
	default:
		return false
	}
}

// leave ends a call; its answer is held if the power has failed meanwhile.
func (n *node) leave(e *syscall.Errno) {
	n.m.d.gate.RUnlock()
	if n.m.d.frozen.Load() || n.isDead() {
		<-n.m.dead
		*e = syscall.EIO
	}
}

func (n *node) attributes(i *inode, a *fuse.Attr) {
	a.Ino, a.Mode, a.Nlink, a.Blksize = i.id, i.mode.Load(), uint32(i.names.Load()), block
	a.Uid, a.Gid = uint32(os.Getuid()), uint32(os.Getgid())
	if i.isDir() {
		a.Nlink = 1
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	var real syscall.Stat_t
	if syscall.Fstat(int(i.file.Fd()), &real) == nil {
		a.Blocks = uint64(real.Blocks)
		a.Mtime, a.Mtimensec = uint64(real.Mtim.Sec), uint32(real.Mtim.Nsec)
		a.Ctime, a.Ctimensec = uint64(real.Ctim.Sec), uint32(real.Ctim.Nsec)
	}
	a.Size = uint64(i.size)
}

func (n *node) child(ctx context.Context, i *inode, out *fuse.EntryOut) *fs.Inode {
	n.attributes(i, &out.Attr)
	return n.NewInode(ctx, &node{m: n.m, i: i}, fs.StableAttr{Mode: i.mode.Load() & syscall.S_IFMT, Ino: i.id})
}

func (n *node) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (c *fs.Inode, e syscall.Errno) {
	if !n.enter() {
		return nil, syscall.EIO
	}
	defer n.leave(&e)
	n.m.d.tree.RLock()
	defer n.m.d.tree.RUnlock()
	if i := n.i.cur[name]; i != nil {
		return n.child(ctx, i, out), 0
	}
	return nil, syscall.ENOENT
}

func (n *node) Readdir(ctx context.Context) (s fs.DirStream, e syscall.Errno) {
	if !n.enter() {
		return nil, syscall.EIO
	}
	defer n.leave(&e)
	n.m.d.tree.RLock()
	defer n.m.d.tree.RUnlock()
	var entries []fuse.DirEntry
	for _, name := range slices.Sorted(maps.Keys(n.i.cur)) {
		i := n.i.cur[name]
		entries = append(entries, fuse.DirEntry{Name: name, Ino: i.id, Mode: i.mode.Load() & syscall.S_IFMT})
	}
	return fs.NewListDirStream(entries), 0
}

func (n *node) add(ctx context.Context, name string, mode uint32, opens int, out *fuse.EntryOut) (c *fs.Inode, e syscall.Errno) {
	if !n.enter() {
		return nil, syscall.EIO
	}
	defer n.leave(&e)
	d := n.m.d
	if d.isAffected(full) {
		return nil, syscall.ENOSPC
	}
	d.tree.Lock()
	defer d.tree.Unlock()
	i, err := d.create(mode)
	if err != nil {
		return nil, fs.ToErrno(err)
	}
	i.opens = opens
	d.enter(n.i, name, i)
	return n.child(ctx, i, out), 0
}

func (n *node) Create(ctx context.Context, name string, flags uint32, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	c, e := n.add(ctx, name, syscall.S_IFREG|mode&0o7777, 1, out)
	return c, nil, fuse.FOPEN_KEEP_CACHE, e
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.add(ctx, name, syscall.S_IFDIR|mode&0o7777, 0, out)
}

func (n *node) remove(name string) (e syscall.Errno) {
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	d := n.m.d
	d.tree.Lock()
	defer d.tree.Unlock()
	i := n.i.cur[name]
	if i == nil {
		return syscall.ENOENT
	}
	if len(i.cur) > 0 {
		return syscall.ENOTEMPTY
	}
	d.enter(n.i, name, nil)
	return 0
}

func (n *node) Unlink(ctx context.Context, name string) syscall.Errno { return n.remove(name) }
func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno  { return n.remove(name) }

func (n *node) Rename(ctx context.Context, name string, to fs.InodeEmbedder, newName string, flags uint32) (e syscall.Errno) {
	if flags&^noReplace != 0 { // RENAME_EXCHANGE, RENAME_WHITEOUT
		return syscall.EINVAL
	}
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	d, target := n.m.d, to.(*node).i
	d.tree.Lock()
	defer d.tree.Unlock()
	i, other := n.i.cur[name], target.cur[newName]
	switch {
	case i == nil:
		return syscall.ENOENT
	case other == i:
		return 0
	case other != nil && flags&noReplace != 0:
		return syscall.EEXIST
	case other != nil && len(other.cur) > 0:
		return syscall.ENOTEMPTY
	}
	if other != nil && !i.isDir() { // auto_da_alloc
		i.mu.Lock()
		d.order(i)
		i.mu.Unlock()
	}
	d.enter(target, newName, i)
	d.enter(n.i, name, nil)
	return 0
}

func (n *node) Link(ctx context.Context, of fs.InodeEmbedder, name string, out *fuse.EntryOut) (c *fs.Inode, e syscall.Errno) {
	if !n.enter() {
		return nil, syscall.EIO
	}
	defer n.leave(&e)
	d, i := n.m.d, of.(*node).i
	d.tree.Lock()
	defer d.tree.Unlock()
	if n.i.cur[name] != nil {
		return nil, syscall.EEXIST
	}
	d.enter(n.i, name, i)
	return n.child(ctx, i, out), 0
}

func (n *node) Open(ctx context.Context, flags uint32) (h fs.FileHandle, f uint32, e syscall.Errno) {
	if !n.enter() {
		return nil, 0, syscall.EIO
	}
	defer n.leave(&e)
	n.m.d.tree.Lock()
	if n.m.d.inodes[n.i.id] == nil {
		n.m.d.tree.Unlock()
		return nil, 0, syscall.ESTALE
	}
	n.i.opens++
	n.m.d.tree.Unlock()
	if flags&syscall.O_TRUNC != 0 {
		if e := n.truncate(0); e != 0 {
			return nil, 0, e
		}
	}
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

func (n *node) Release(ctx context.Context, h fs.FileHandle) (e syscall.Errno) {
	if !n.enter() {
		return 0 // the cut has closed it
	}
	defer n.leave(&e)
	n.m.d.tree.Lock()
	n.i.opens--
	n.m.d.tree.Unlock()
	return 0
}

func (n *node) Flush(ctx context.Context, h fs.FileHandle) (e syscall.Errno) {
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	n.m.d.tree.Lock()
	defer n.m.d.tree.Unlock()
	n.i.mu.Lock()
	defer n.i.mu.Unlock()
	if n.i.replaced {
		n.m.d.order(n.i)
		n.i.replaced = false
	}
	return 0
}

func (n *node) Read(ctx context.Context, h fs.FileHandle, into []byte, off int64) (r fuse.ReadResult, e syscall.Errno) {
	if !n.enter() {
		return nil, syscall.EIO
	}
	defer n.leave(&e)
	length, err := n.i.file.ReadAt(into, off)
	if length == 0 && err != nil && err != io.EOF {
		return nil, fs.ToErrno(err)
	}
	return fuse.ReadResultData(into[:length]), 0
}

func (n *node) Write(ctx context.Context, h fs.FileHandle, data []byte, off int64) (w uint32, e syscall.Errno) {
	if !n.enter() {
		return 0, syscall.EIO
	}
	defer n.leave(&e)
	if n.m.d.isAffected(full) {
		return 0, syscall.ENOSPC
	}
	i, end := n.i, off+int64(len(data))
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.keep(off, end); err != nil {
		return 0, fs.ToErrno(err)
	}
	if _, err := i.file.WriteAt(data, off); err != nil {
		return 0, fs.ToErrno(err)
	}
	i.written = i.first + len(i.gens) - 1
	if end > i.size {
		i.size, i.meta = end, true
	}
	return uint32(len(data)), 0
}

// Fsync also comes after each write to a file that is opened with O_SYNC or O_DSYNC.
func (n *node) Fsync(ctx context.Context, h fs.FileHandle, flags uint32) (e syscall.Errno) {
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	if n.m.d.isAffected(slow) {
		time.Sleep(delay)
	}
	switch {
	case n.m.d.isAffected(failing):
		return syscall.EIO
	case n.m.d.lying.Load():
		return 0
	case n.i.isDir():
		return fs.ToErrno(n.m.d.syncDirectory(n.i))
	default:
		return fs.ToErrno(n.m.d.syncFile(n.i, flags&1 != 0))
	}
}

func (n *node) truncate(size int64) syscall.Errno {
	i := n.i
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.size == size {
		return 0
	}
	if err := i.keep(min(size, i.size), i.size); err != nil {
		return fs.ToErrno(err)
	}
	if err := i.file.Truncate(size); err != nil {
		return fs.ToErrno(err)
	}
	i.size, i.meta, i.replaced = size, true, i.replaced || size == 0
	return 0
}

func (n *node) Getattr(ctx context.Context, h fs.FileHandle, out *fuse.AttrOut) (e syscall.Errno) {
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	n.attributes(n.i, &out.Attr)
	return 0
}

func (n *node) Setattr(ctx context.Context, h fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) (e syscall.Errno) {
	if in.Valid&(fuse.FATTR_UID|fuse.FATTR_GID|fuse.FATTR_ATIME|fuse.FATTR_MTIME) != 0 && in.Valid&fuse.FATTR_SIZE == 0 {
		return syscall.EPERM // owners and times are those of the files below
	}
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	if mode, ok := in.GetMode(); ok {
		n.i.mode.Store(n.i.mode.Load()&syscall.S_IFMT | mode&0o7777)
	}
	if size, ok := in.GetSize(); ok {
		if n.i.isDir() {
			return syscall.EISDIR
		}
		if e := n.truncate(int64(size)); e != 0 {
			return e
		}
	}
	n.attributes(n.i, &out.Attr)
	return 0
}

func (n *node) Allocate(ctx context.Context, h fs.FileHandle, off, size uint64, mode uint32) (e syscall.Errno) {
	if mode&^(keepSize|punchHole|zeroRange) != 0 { // COLLAPSE_RANGE, INSERT_RANGE
		return syscall.EOPNOTSUPP
	}
	if !n.enter() {
		return syscall.EIO
	}
	defer n.leave(&e)
	if mode&punchHole == 0 && n.m.d.isAffected(full) {
		return syscall.ENOSPC
	}
	i, end := n.i, int64(off+size)
	i.mu.Lock()
	defer i.mu.Unlock()
	from := end
	if mode&^keepSize != 0 { // the others change data
		from = int64(off)
	}
	if err := i.keep(from, end); err != nil {
		return fs.ToErrno(err)
	}
	if err := syscall.Fallocate(int(i.file.Fd()), mode, int64(off), int64(size)); err != nil {
		return fs.ToErrno(err)
	}
	if mode&keepSize == 0 && end > i.size {
		i.size, i.meta = end, true
	}
	return 0
}

func (n *node) Statfs(ctx context.Context, out *fuse.StatfsOut) syscall.Errno {
	var real syscall.Statfs_t
	if err := syscall.Statfs(n.m.d.files, &real); err != nil {
		return fs.ToErrno(err)
	}
	out.FromStatfsT(&real)
	return 0
}
