#!/usr/bin/env python3
"""Writes the manual pages of the command, from its help and from the table of variables in docs/running.md:

    scripts/manual.py PROGRAM FOLDER VERSION DATE

Writes nephos.1 to FOLDER, and nephos-NAME.1 for each of its commands, with its subcommands. DATE has the form 2026-12-01.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main(program: str, folder: str, version: str, date: str) -> int:
    done = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{program} --experimental-dump-help failed:\n{done.stderr}", file=sys.stderr)
        return 1
    command = json.loads(done.stdout)["command"]
    variables = variables_of((ROOT / "docs" / "running.md").read_text())
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, text in pages(command, variables, version, date).items():
        (target / f"{name}.1").write_text(text)
    return 0


def pages(command: dict, variables: list[tuple[str, str, str]], version: str, date: str) -> dict[str, str]:
    """The text of each page, by its name without the section number."""
    name = command["commandName"]
    children = shown(command.get("subcommands", []))

    def head(page: str) -> str:
        # No hyphenation and no justification: both would change what users are to type.
        return f'.TH "{page.upper()}" "1" "{date}" "{version}" "Nephos"\n.nh\n.ad l\n'

    first = head(name) + named(name, command) + synopsis([(name, command)]) + described(command)
    first += options(command) + '.SH "COMMANDS"\n'
    for child in children:
        first += f".TP\n.BR {escaped(name + '-' + child['commandName'])} (1)\n{escaped(child.get('abstract', ''))}\n"
    first += environment(variables) + also([f"{name}-{child['commandName']}" for child in children])
    found = {name: first}
    for child in children:
        page = f"{name}-{child['commandName']}"
        leaves = below(child, f"{name} {child['commandName']}")
        text = head(page) + named(page, child) + synopsis(leaves) + described(child)
        if len(leaves) == 1 and leaves[0][1] is child:
            text += options(child)
        else:
            text += '.SH "COMMANDS"\n'
            for path, leaf in leaves:
                text += f'.SS "{escaped(path)}"\n{prose(leaf.get("abstract", ""))}{prose(leaf.get("discussion", ""))}'
                text += "".join(option(argument) for argument in own(leaf))
        found[page] = text + also([name])
    return found


def shown(entries: list[dict]) -> list[dict]:
    return [entry for entry in entries if entry.get("shouldDisplay", True) and entry.get("commandName") != "help"]


def own(command: dict) -> list[dict]:
    """The arguments of a command, without the two that every command has."""
    return [entry for entry in shown(command.get("arguments", [])) if not {"--help", "--version"} & set(names(entry))]


def below(command: dict, path: str) -> list[tuple[str, dict]]:
    """The commands without subcommands, each with the words that call it."""
    children = shown(command.get("subcommands", []))
    if not children:
        return [(path, command)]
    return [leaf for child in children for leaf in below(child, f"{path} {child['commandName']}")]


def variables_of(page: str) -> list[tuple[str, str, str]]:
    """Name, meaning and default of each variable in the table below "Environment variables"."""
    part = page.split("\n## Environment variables\n", 1)[-1].split("\n## ", 1)[0]
    rows = [re.split(r" \| ", line.strip("| ")) for line in part.splitlines() if line.startswith("| `")]
    return [(row[0], row[1], row[2]) for row in rows if len(row) == 3]


# Sections


def named(page: str, command: dict) -> str:
    abstract = command.get("abstract", "").rstrip(".").split("\n")[0]
    return f'.SH "NAME"\n{escaped(page)} \\- {escaped(abstract)}\n'


def synopsis(leaves: list[tuple[str, dict]]) -> str:
    text = '.SH "SYNOPSIS"\n'
    for path, leaf in leaves:
        if leaf.get("subcommands"):
            text += f".B {escaped(path)}\n.I command\n.RI [ argument... ]\n"
            continue
        words = " ".join(word(argument) for argument in own(leaf))
        text += f".B {escaped(path)}\n{escaped(words)}\n.br\n"
    return text


def described(command: dict) -> str:
    text = prose(command.get("abstract", "")) + prose(command.get("discussion", ""))
    return f'.SH "DESCRIPTION"\n{text}' if text else ""


def options(command: dict) -> str:
    found = "".join(option(argument) for argument in shown(command.get("arguments", [])))
    return f'.SH "OPTIONS"\n{found}' if found else ""


def environment(variables: list[tuple[str, str, str]]) -> str:
    text = '.SH "ENVIRONMENT"\nUnset and empty variables change nothing.\n'
    for name, meaning, default in variables:
        text += f".TP\n.B {escaped(plain(name))}\n{escaped(plain(meaning))} (default: {escaped(plain(default))})\n"
    return text


def also(others: list[str]) -> str:
    return '.SH "SEE ALSO"\n' + " ,\n".join(f".BR {escaped(other)} (1)" for other in others).replace(" ,", ",") + "\n"


# Arguments


def names(argument: dict) -> list[str]:
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    return [dashes[name["kind"]] + name["name"] for name in argument.get("names", [])]


def word(argument: dict) -> str:
    """An argument as a usage line shows it."""
    value = f"<{argument.get('valueName', 'value')}>"
    if argument["kind"] == "positional":
        text = value
    elif argument["kind"] == "flag":
        text = names(argument)[-1]
    else:
        text = f"{names(argument)[-1]} {value}"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def option(argument: dict) -> str:
    value = f"<{argument.get('valueName', 'value')}>"
    title = ", ".join(names(argument)) or value
    if argument["kind"] == "option":
        title += f" {value}"
    text = argument.get("abstract", "")
    if "allValues" in argument:
        text += f" Values: {', '.join(argument['allValues'])}."
    if "defaultValue" in argument:
        text += f" (default: {argument['defaultValue']})"
    return f".TP\n.B {escaped(title)}\n{escaped(text.strip()) or escaped(value)}\n"


# Text


def plain(markdown: str) -> str:
    return markdown.replace("`", "")


def prose(text: str) -> str:
    """Formats paragraphs. An indented one is an example, whose lines are not joined."""
    found = ""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if not block.strip():
            continue
        lines = block.split("\n")
        if all(line.startswith("  ") for line in lines):
            found += ".PP\n.RS 4\n.nf\n" + "\n".join(escaped(line.strip()) for line in lines) + "\n.fi\n.RE\n"
        else:
            found += ".PP\n" + "\n".join(escaped(line.strip()) for line in lines) + "\n"
    return found


def escaped(text: str) -> str:
    """Escapes text so that roff reads no part of it as a request: leading periods and quotes, backslashes, and hyphens, to be copyable."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        print("usage: scripts/manual.py PROGRAM FOLDER VERSION DATE", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
