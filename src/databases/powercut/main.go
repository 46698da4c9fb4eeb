// SPDX-License-Identifier: Apache-2.0

// powercut serves a directory whose power can be cut: what was not synced is gone then. It needs Linux, /dev/fuse and
// user namespaces, but not root.
//
//	powercut DIRECTORY ext4|posix
//	powercut --version
//
// It mounts in a mount namespace of its own, which ends with it: the kernel removes the mount however it ends. Other
// processes of the user reach the mount by the path that it prints. It ends with its standard input. Commands are lines of standard
// input, and each is answered by one line of JSON:
//
//	freeze                    the power fails: no call begins or answers from now on
//	freeze unsynced           the same, as soon as data is unsynced, but after 20 ms at the latest
//	cut strict                all that was not synced is gone; calls that were held fail, and the directory is mounted again
//	cut torn SEED             the same, but of each file the unsynced data before a random sector survives
//	cut reordered SEED        the same, but of each file a random half of the unsynced blocks survives
//	settle                    everything is durable, as if it was written some time ago
//	honest on|off             off: syncs answer at once, and nothing becomes durable (a disk that lies)
//	impair slow|full|failing  each sync takes 200 ms longer; or each write fails (ENOSPC); or each sync fails (EIO)
//	impair sound              the impairment ends
//	affected                  how many calls the impairment has affected since it began
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	version = "1.2.0" // also the directory of the cache: raise it with every change
	inside  = "QUORATE_POWERCUT_INSIDE"

	moment = 20 * time.Millisecond // a cut between two writes would show nothing
)

var tick = time.Second // how often data and entries age

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "--version":
		fmt.Println("powercut", version)
	case len(os.Args) != 3 || os.Args[2] != string(ext4) && os.Args[2] != string(posix):
		fail(errors.New("usage: powercut DIRECTORY ext4|posix"))
	case os.Getenv(inside) == "":
		os.Exit(runInside(os.Args[1:]...))
	default:
		if err := serve(os.Args[1], entryRule(os.Args[2])); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "powercut:", err)
	os.Exit(2)
}

// runInside runs this program again, as root of a user namespace and with mounts of its own. It ends with this process.
func runInside(arguments ...string) int {
	// a terminal signals the whole process group, but the servers end first
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	runtime.LockOSThread() // the death signal is about this thread
	child := exec.Command("/proc/self/exe", arguments...)
	child.Env = append(os.Environ(), inside+"=yes")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Setsid:      true,
		Pdeathsig:   syscall.SIGKILL,
	}
	if err := child.Start(); err != nil {
		fail(fmt.Errorf("cannot make a user namespace (%w): the system forbids them to this user", err))
	}
	child.Wait()
	return child.ProcessState.ExitCode()
}

// serve mounts DIRECTORY/mount/disk, and obeys commands until standard input ends.
func serve(directory string, rule entryRule) error {
	directory, err := filepath.Abs(directory)
	if err != nil {
		return err
	}
	files, mount := filepath.Join(directory, "files"), filepath.Join(directory, "mount")
	if err := os.MkdirAll(files, 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(mount, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("cannot mount in a user namespace: %w (AppArmor may forbid it)", err)
	}
	// outside of this namespace the mount point does not exist, so that no program can miss the mount and use what is below
	if err := syscall.Mount("powercut", mount, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=0700"); err != nil {
		return fmt.Errorf("cannot mount in a user namespace: %w (AppArmor may forbid it)", err)
	}
	point := filepath.Join(mount, "disk")
	if err := os.Mkdir(point, 0o700); err != nil {
		return err
	}
	d, err := newDisk(files, rule)
	if err != nil {
		return err
	}
	if err := d.mountAt(point); err != nil {
		return fmt.Errorf("cannot mount with /dev/fuse: %w", err)
	}
	go func() {
		for now := range time.Tick(tick) {
			d.age(now)
		}
	}()
	answers := json.NewEncoder(os.Stdout)
	answers.Encode(map[string]any{"path": filepath.Join("/proc", strconv.Itoa(os.Getpid()), "root", point)})
	return d.obey(point, os.Stdin, answers)
}

func (d *disk) obey(point string, commands io.Reader, answers *json.Encoder) error {
	lines := bufio.NewScanner(commands)
	for lines.Scan() {
		answer, err := d.command(point, strings.Fields(lines.Text()))
		if err != nil {
			answer = map[string]string{"error": err.Error()}
		}
		if err := answers.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (d *disk) command(point string, words []string) (any, error) {
	none := map[string]string{}
	switch command := strings.Join(words[:min(1, len(words))], ""); {
	case command == "freeze" && (len(words) == 1 || len(words) == 2 && words[1] == "unsynced"):
		for limit := time.Now().Add(moment); len(words) == 2 && !d.hasUnsynced() && time.Now().Before(limit); {
			time.Sleep(100 * time.Microsecond)
		}
		d.frozen.Store(true)
		return none, nil
	case command == "cut" && len(words) == 2 && words[1] == string(strict):
		return d.cutAt(point, strict, 0)
	case command == "cut" && len(words) == 3 && (words[1] == string(torn) || words[1] == string(reordered)):
		seed, err := strconv.ParseInt(words[2], 10, 64)
		if err != nil {
			return none, err
		}
		return d.cutAt(point, survival(words[1]), seed)
	case command == "settle" && len(words) == 1:
		d.settleAll()
		return none, nil
	case command == "honest" && len(words) == 2 && (words[1] == "on" || words[1] == "off"):
		d.lying.Store(words[1] == "off")
		return none, nil
	case command == "impair" && len(words) == 2 && slices.Contains([]impairment{sound, slow, full, failing}, impairment(words[1])):
		d.affected.Store(0)
		d.impaired.Store(impairment(words[1]))
		return none, nil
	case command == "affected" && len(words) == 1:
		return map[string]int64{"affected": d.affected.Load()}, nil
	default:
		return none, fmt.Errorf("unknown command: %s", strings.Join(words, " "))
	}
}
