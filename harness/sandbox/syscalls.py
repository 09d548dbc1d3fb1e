"""The system calls that a confined process keeps: computing, memory, threads, reading, pipes of its own and clocks.

Numbers are (x86_64, aarch64), from asm/unistd_64.h and asm-generic/unistd.h; None where a machine has no such call.
All others do not exist for it: starting a process or a program, making a socket that reaches anything, signals to
others, creating or changing files and their attributes, mounting, namespaces, tracing, keys, BPF, io_uring, shared
memory, and whatever a future kernel adds.
"""

from __future__ import annotations

X86_64, AARCH64 = 0xC000003E, 0xC00000B7
MACHINES = {"x86_64": (X86_64, 0), "aarch64": (AARCH64, 1)}
"""By ``os.uname().machine``: what the kernel calls it in a filter, and the place of its numbers below."""

Numbers = dict[str, tuple[int | None, int | None]]

ALLOWED: Numbers = {
    # memory
    "brk": (12, 214), "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "mremap": (25, 216),
    "madvise": (28, 233), "mincore": (27, 232), "membarrier": (324, 283),
    # its own threads and its end
    "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "set_tid_address": (218, 96),
    "rseq": (334, 293), "gettid": (186, 178), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "getpriority": (140, 141), "getcpu": (309, 168), "arch_prctl": (158, None),
    "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260), "waitid": (247, 95), "restart_syscall": (219, 128),
    # what it is
    "getpid": (39, 172), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150),
    "getpgrp": (111, None), "getpgid": (121, 155), "getsid": (124, 156), "uname": (63, 160), "sysinfo": (99, 179),
    "times": (100, 153), "getrusage": (98, 165), "getrlimit": (97, 163), "umask": (95, 166),
    # clocks and chance
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "getrandom": (318, 278), "alarm": (37, None),
    "getitimer": (36, 102), "setitimer": (38, 103), "pause": (34, None),
    # signals to itself
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    # reading, and writing to what is open
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67), "preadv": (295, 69),
    "lseek": (8, 62), "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "getdents": (78, None), "getdents64": (217, 61), "readlink": (89, None),
    "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "fadvise64": (221, 223),
    # pipes and waiting
    "pipe": (22, None), "pipe2": (293, 59), "poll": (7, None), "ppoll": (271, 73), "select": (23, None),
    "pselect6": (270, 72), "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "eventfd2": (290, 19),
    "recvfrom": (45, 207), "shutdown": (48, 210),
}  # fmt: skip

CHECKED: Numbers = {
    "open": (2, None), "openat": (257, 56), "clone": (56, 220), "kill": (62, 129), "tgkill": (234, 131),
    "fcntl": (72, 25), "ioctl": (16, 29), "prlimit64": (302, 261), "socketpair": (53, 199), "sendto": (44, 206),
}  # fmt: skip
"""Kept with some arguments only: ``seccomp`` says which."""
