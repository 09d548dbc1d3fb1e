"""What a solver reads first: the brief and the statement."""

from __future__ import annotations

from tasks.refactor.project import Project

BRIEF = """\
You change small Python programs of several files.
The files of a program must fit together: what one writes into a dict, another reads. Where a change request leaves a \
name or a format open, any choice is right as long as all files make the same one.
Use the standard library only. Functions that a request does not mention stay as they are.
A file that you give replaces the old one, so give it whole."""


def statement(project: Project) -> str:
    """The first user message: the change, the files one a line, what stays, the form of the answer."""
    values, system = project.values, project.system
    parts = "\n".join(project.line(part) for part in project.parts)
    finishing = f" A {values['THING']} is finished at some point, and from then on it counts as such."
    return f"""\
This is the program of {system.title}. From now on every {values["THING"]} may have one more thing: the {system.field}.\
{finishing if system.words else ""}
All of these files have to change, so that the functions of the front ends work with one another. Tests call the \
front ends, which take and give plain values. The files can be listed and read with the tools.

Files:
{parts}

What holds before the change and after it:
heading() of the front end gives "{values["HEADING"]}".
tidy("{values["RAW"]}") of the back end gives "{values["TIDY"]}".
After load_old() the table holds the two rows from before.

Output format:
One fenced block for each file, each under the file's name, with all of the file in it."""
