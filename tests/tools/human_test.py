#!/usr/bin/python3
"""human_test.py DEFIANCE: plays a match at a terminal as a person does: types moves, lets the time run out, gives
up, and ends it with Ctrl-C. The match puts the program that asks into a process group of its own, which the
system would stop as soon as it reads from the terminal."""

import os
import pty
import select
import signal
import sys
import time

PATIENCE = 60
TOOL = sys.argv[1]
CTRL_C = b"\x03"
CTRL_Z = b"\x1a"


class Match:
    """A match between a person and random moves, at a terminal of its own."""

    def __init__(self, *options):
        words = [TOOL, "match", f"mw:{TOOL} middleware --human;name=person", "random", "--openings", "start",
                 *options]
        self.text = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execv(TOOL, words)

    def wait_for(self, text):
        """Reads on until the text has come, and leaves what comes after it."""
        end = time.monotonic() + PATIENCE
        while text not in self.text:
            if time.monotonic() > end or not self.read_some(end - time.monotonic()):
                self.fail(f"no {text!r}")
        self.text = self.text[self.text.index(text) + len(text):]

    def read_some(self, seconds):
        if not select.select([self.terminal], [], [], max(seconds, 0))[0]:
            return False
        try:
            more = os.read(self.terminal, 4096)
        except OSError:  # all programs have closed it
            return False
        self.text += more
        return bool(more)

    def type(self, keys):
        os.write(self.terminal, keys)

    def ended(self):
        """The exit status, once it has ended."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                while self.read_some(0):  # what it has said last
                    pass
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
            if select.select([self.terminal], [], [], 0.01)[0]:
                self.read_some(0)
        return self.fail("it does not end")

    def fail(self, problem):
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"human_test: {problem} in {self.text.decode(errors='replace')!r}")


def check(holds, problem):
    if not holds:
        sys.exit(f"human_test: {problem}")


def check_game():
    """A move that is not legal is asked for again; after Ctrl-Z, which does nothing, a legal one is played."""
    match = Match("--games", "1", "--move-time", str(PATIENCE), "--time", str(PATIENCE))
    match.wait_for(b"to move")
    match.type(b"hello\n")
    match.wait_for(b"to move")
    match.type(CTRL_Z + b"9 14\n")
    match.wait_for(b"The other side played")
    match.wait_for(b"to move")
    match.type(b"give up\n")
    match.wait_for(b"RESULT 0-1 winner=random reason=L2 plies=2 ")
    check(match.ended() == 0, "a game that is given up does not end well")


def check_time_runs_out():
    """The next game asks again: the match has the terminal back."""
    match = Match("--games", "2", "--move-time", "2", "--time", "1", "--startup", "1")
    match.wait_for(b"to move")
    match.wait_for(b"reason=L4 plies=0 ")
    match.wait_for(b"to move")
    match.wait_for(b"reason=L4 plies=1 ")
    check(match.ended() == 0, "a match of two games that are lost on time does not end well")


def check_interrupt():
    """Ctrl-C reaches the match, too. The game that it ends counts for nothing."""
    for _ in range(3):
        match = Match("--games", "2", "--move-time", str(PATIENCE), "--time", str(PATIENCE))
        match.wait_for(b"to move")
        match.type(CTRL_C)
        check(match.ended() == 1, "Ctrl-C does not end the match")
        check(b"RESULT" not in match.text, f"Ctrl-C has a result: {match.text!r}")


check_game()
check_time_runs_out()
check_interrupt()
