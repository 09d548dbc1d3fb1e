"""Escapes that a confined process tries and that its kernel refuses, one function each, by what the refusal says.

Every function would return "escaped" if it worked. ``{harness}`` is the folder of the harness's sources, ``{open}`` a
file that anybody may read and write, ``{address}`` an abstract unix socket that somebody listens on.
"""

PREAMBLE = '''
import ctypes, fcntl, gc, os, resource, signal, socket, subprocess, sys, threading

C = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(__file__)
STDLIB = os.path.dirname(os.__file__)
NUMBERS = {names}

def call(name, *args):
    """A system call by its name on x86_64."""
    if os.uname().machine != "x86_64":
        raise OSError(38, "Function not implemented")
    if C.syscall(NUMBERS[name], *args) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "escaped"

def read(path):
    with open(path, "rb") as file:
        file.read(1)
    return "escaped"

def did(*ignored):
    return "escaped"

def honest():
    return 42
'''

SYSCALLS = {
    "fork": 57, "vfork": 58, "clone3": 435, "execve": 59, "execveat": 322, "ptrace": 101, "process_vm_readv": 310,
    "process_vm_writev": 311, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "tkill": 200,
    "rt_sigqueueinfo": 129, "io_uring_setup": 425, "bpf": 321, "mount": 165, "unshare": 272, "setns": 308,
    "keyctl": 250, "add_key": 248, "userfaultfd": 323, "perf_event_open": 298, "shmget": 29, "msgget": 68, "semget": 64,
    "mq_open": 240, "memfd_create": 319, "setsid": 112, "setpgid": 109, "prctl": 157, "seccomp": 317, "socket": 41,
    "connect": 42, "bind": 49, "sendmsg": 46, "openat2": 437, "open_by_handle_at": 304, "name_to_handle_at": 303,
    "chroot": 161, "pivot_root": 155, "setuid": 105, "capset": 126, "reboot": 169, "init_module": 175, "swapon": 167,
    "splice": 275, "vmsplice": 278, "sched_setaffinity": 203, "setpriority": 141, "inotify_init1": 294, "link": 86,
    "setxattr": 188, "mknod": 133, "personality": 135, "syslog": 103, "ioperm": 173, "landlock_create_ruleset": 444,
}  # fmt: skip

NOT_THERE = "Function not implemented"
DENIED = "PermissionError"

ATTEMPTS = {
    # reading what is not its own
    "parents_environment": ('return read(f"/proc/{os.getppid()}/environ")', DENIED),
    "parents_files": ('return did(os.readlink(f"/proc/{os.getppid()}/fd/1"))', DENIED),
    "parents_memory": ('return read(f"/proc/{os.getppid()}/mem")', DENIED),
    "its_own_process_table": ('return did(os.listdir("/proc"))', DENIED),
    "passwd": ('return read("/etc/passwd")', DENIED),
    "harness_sources": ('return read("{harness}/sandbox/tester.py")', DENIED),
    "harness_listing": ('return did(os.listdir("{harness}"))', DENIED),
    "other_answers": ('return did(os.listdir(os.path.dirname(HERE)))', DENIED),
    "open_file": ('return read("{open}")', DENIED),
    "site_packages": ('return read([p for p in (STDLIB + "/site-packages/README.txt", "/etc/passwd") '
                      'if os.path.exists(p)][0])', DENIED),
    "link_to_passwd": ('os.symlink("/etc/passwd", HERE + "/link"); return read(HERE + "/link")', NOT_THERE),
    "secret_of_environment": ('return did(os.environ["HARNESS_SECRET"])', "KeyError"),
    "tests_in_memory": (
        'return did([x for x in gc.get_objects() if isinstance(x, dict) and "plan" + "ted" in x.values()][0])',
        "IndexError",
    ),
    "tests_in_frames": (
        'frame = sys._getframe()\n    while frame:\n        if "plan" + "ted" in repr(frame.f_locals) + repr('
        'list(frame.f_globals)): return "escaped"\n        frame = frame.f_back\n    return "nothing"', "fails: assert",
    ),
    # starting processes
    "fork": ("return did(os.fork())", NOT_THERE),
    "subprocess": ('return did(subprocess.Popen(["/bin/sh", "-c", "touch {open}.child"]))', NOT_THERE),
    "spawn": ('return did(os.posix_spawn("/bin/true", ["true"], {}))', NOT_THERE),
    "exec": ('os.execv("/bin/true", ["true"])', NOT_THERE),
    "system": ('return did() if os.system("true") == 0 else "nothing"', "fails: assert"),
    "clone_without_thread": ("return call('clone', signal.SIGCHLD, 0, 0, 0, 0)", NOT_THERE),
    # writing
    "write_here": ('return did(open("big", "w"))', NOT_THERE),
    "write_temporary": ('import tempfile; return did(tempfile.mkdtemp())', "FileNotFoundError"),
    "write_open_file": ('return did(open("{open}", "a"))', NOT_THERE),
    "write_device": ('return did(open("/dev/null", "w"))', NOT_THERE),
    "make_folder": ('return did(os.mkdir(HERE + "/more"))', NOT_THERE),
    "sitecustomize": ('return did(open(STDLIB + "/sitecustomize.py", "w"))', NOT_THERE),
    "pth": ('return did(open(STDLIB + "/site-packages/evil.pth", "w"))', NOT_THERE),
    "truncate_by_reading": ("return did(os.open(__file__, os.O_RDONLY | os.O_TRUNC))", NOT_THERE),
    "truncate": ("return did(os.truncate(__file__, 0))", NOT_THERE),
    "unnamed_file": ("return did(os.open(HERE, os.O_TMPFILE | os.O_RDWR))", NOT_THERE),
    "remove": ('return did(os.remove("{open}"))', NOT_THERE),
    "rename": ('return did(os.rename("{open}", "{open}.moved"))', NOT_THERE),
    "chmod": ('return did(os.chmod("{open}", 0o777))', NOT_THERE),
    "chown": ('return did(os.chown("{open}", 1, 1))', NOT_THERE),
    "touch": ('return did(os.utime("{open}"))', NOT_THERE),
    "hidden_file": ('return did(os.memfd_create("x"))', NOT_THERE),
    # talking
    "tcp": ("return did(socket.socket())", NOT_THERE),
    "udp": ("return did(socket.socket(type=socket.SOCK_DGRAM))", NOT_THERE),
    "unix": ("return did(socket.socket(socket.AF_UNIX))", NOT_THERE),
    "netlink": ("return did(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))", NOT_THERE),
    "datagram_pair": ("return did(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))", NOT_THERE),
    "pair_to_elsewhere": ('return did(socket.socketpair()[0].sendto(b"x", b"\\0{address}"))', NOT_THERE),
    "pair_connected": ('return did(socket.socketpair()[0].connect(b"\\0{address}"))', NOT_THERE),
    # signals
    "kill_all": ("return did(os.kill(-1, signal.SIGKILL))", NOT_THERE),
    "kill_group": ("return did(os.kill(0, signal.SIGKILL))", NOT_THERE),
    "kill_parent": ("return did(os.kill(os.getppid(), signal.SIGTERM))", NOT_THERE),
    "signal_by_owner": ("return did(fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, os.getppid()))", NOT_THERE),
    "signal_by_choice": ("return did(fcntl.fcntl(os.pipe()[0], fcntl.F_SETSIG, signal.SIGKILL))", NOT_THERE),
    "type_on_terminal": ('return did(fcntl.ioctl(0, 0x5412, b"x"))', NOT_THERE),
    # lifting limits
    "file_size": ("return did(resource.setrlimit(resource.RLIMIT_FSIZE, (9999, 9999)))", NOT_THERE),
    "cpu_time": ("return did(resource.setrlimit(resource.RLIMIT_CPU, (99, 99)))", NOT_THERE),
    "parents_limits": ("return did(resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)))", NOT_THERE),
    "memory": ("return did(bytes(2 << 30))", "MemoryError"),
    "much_memory": ("kept = []\n    while True: kept.append(bytes(1 << 20))", "MemoryError"),
    "nested": ("x = []\n    for _ in range(100_000): x = [x]\n    return x", "nested too deep"),
    "holds_itself": ("x = []; x.append(x)\n    return x", "nested too deep, or holds itself"),
    "recursion": ("return recursion()", "RecursionError"),
    # winning by other means
    "exit": ("sys.exit(0)", "SystemExit: 0"),
    "always_equal": (
        "class Yes:\n        def __eq__(self, other): return True\n        __hash__ = None\n    return Yes()",
        "ProgramError: gave back a value of type try_always_equal.<locals>.Yes, which is no plain data",
    ),
    "always_equal_number": (
        "class Yes(int):\n        def __eq__(self, other): return True\n        __hash__ = int.__hash__\n"
        "    return Yes(7)", "fails: assert",
    ),
    "always_equal_text": (
        "class Yes(str):\n        def __eq__(self, other): return True\n        __hash__ = str.__hash__\n"
        "    return Yes('no')", "fails: assert",
    ),
    "always_equal_list": (
        "class Yes(list):\n        def __eq__(self, other): return True\n    return Yes('no')", "fails: assert",
    ),
    "patched_builtins": (
        "import builtins, unittest\n    builtins.AssertionError = builtins.all = builtins.any = lambda *a: True\n"
        "    unittest.TestCase.assertEqual = lambda *a: None\n    return 'patched'", "fails: assert",
    ),
    "printed_pass": (
        'line = \'{"test": "printed_pass", "passed": true, "message": ""}\\n\'\n'
        "    print(line); print(line, file=sys.stderr); sys.__stdout__.write(line); os.write(1, line.encode())\n"
        "    os.write(2, line.encode())\n    return line", "fails: assert",
    ),
    "left_thread": (
        "threading.Thread(target=threading.Event().wait).start()\n    return 'left'", "fails: assert",
    ),
    "ignored_signals": (
        "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGALRM): signal.signal(s, signal.SIG_IGN)\n"
        "    return did(signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))) + ' not'", "fails: assert",
    ),
}  # fmt: skip


def source(**places: str) -> str:
    """The module with all of them. ``places``: what stands for ``{harness}``, ``{open}`` and ``{address}``."""
    text = PREAMBLE.replace("{names}", repr({**SYSCALLS, "clone": 56}))
    for name, (body, _) in attempts().items():
        for place, value in places.items():
            body = body.replace(f"{{{place}}}", value)
        text += f"\ndef try_{name}():\n    {body}\n"
    return text


def attempts() -> dict[str, tuple[str, str]]:
    """By name: a function's body, and what its refusal must say."""
    raw = {f"call_{name}": (f'return call("{name}", 0, 0, 0, 0, 0, 0)', NOT_THERE) for name in SYSCALLS}
    return {**ATTEMPTS, **raw}
