#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drafts the contract of a new .NET from the newest older one and from what the new runtime's files tell, and lists what
they do not tell, with where to look. RUNTIME is a folder with libcoreclr.so: shared/Microsoft.NETCore.App/12.0.0.
Exit status: 0 nothing is left to settle, 1 something is, 2 there is no draft.
"""
import argparse
import bisect
import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing into the source tree
from runtime_description import RuntimeDescription  # noqa: E402

HERE = Path(__file__).resolve().parent
CONTRACTS = HERE.parents[1] / 'resources/contracts'
SOURCES = json.loads((HERE / 'contract-sources.json').read_text())
CLASSES = SOURCES['classes']
SIZE = '!'
NAMES_ALIKE, TYPES_ALIKE = 0.85, 0.75  # from which share of equal letters on
LEAST_NESTED = 10  # letters of a member's name by which a structure is told to be in it


class Report:
    """What is left to settle, by group: names "Structure.Member" or others, and what is said of them."""
    GROUPS = {
        'moved': 'offsets that the descriptor has elsewhere now; taken',
        'named': 'names of the descriptor that were guessed; taken, and noted in descriptorNames: check each',
        'suspicious': 'members that nothing tells, in structures that have changed: most of these are wrong',
        'quiet': 'members that nothing tells, between others that have not moved',
        'untold': 'members that nothing tells, nor anything behind them',
        'vanished': 'names that the older descriptor has, and this one has no more: gone, or something else by now',
        'new': 'what is new in the descriptor and has no name in the contract: members of our structures, entries of '
               'g_dacTable, other structures',
        'constants': 'kinds of constants, and constants, that nothing tells or that are told otherwise',
        'globals': 'entries of g_dacTable that were not found; src/coreclr/inc/dacvars.h has their order',
        'managed': 'fields of classes of System.Private.CoreLib; --cli settles them',
        'contracts': 'algorithms of the descriptor that are new or have another version: '
                     'docs/design/datacontracts says what the data mean now',
    }

    DECLARED = ('suspicious', 'quiet', 'untold', 'constants')  # in dotnet/runtime

    def __init__(self):
        self.lines = {group: {} for group in self.GROUPS}

    def add(self, group, name, text=''):
        self.lines[group].setdefault(name, text)

    def of(self, group):
        """By structure, which is a line each."""
        rows = {}
        for name, text in self.lines[group].items():
            structure, _, member = name.rpartition('.')
            rows.setdefault(structure or name, []).append(f'{member} {text}' if structure else text)
        return rows

    def write(self):
        for letter, (group, title) in zip('abcdefghijk', self.GROUPS.items()):
            if self.lines[group]:
                print(f'\n({letter}) {len(self.lines[group])} {title}')
            for name, texts in self.of(group).items():
                where = f'  [{source_of(name)}]' if group in self.DECLARED or group == 'managed' else ''
                print(f'    {name}' + ': ' * any(texts) + ', '.join(filter(None, texts)) + where)

    def is_settled(self):
        return not any(lines for group, lines in self.lines.items() if group != 'moved')


def source_of(name):
    """The file of dotnet/runtime: of the longest name that it begins with."""
    if name.endswith('FrameIdentifier'):
        return 'src/coreclr/vm/FrameTypes.h'
    best = max((known for names in SOURCES['files'].values() for known in names.split() if (name + '.').startswith(known)),
               key=len, default=None)
    return next((file for file, names in SOURCES['files'].items() if best in names.split()), 'src/coreclr/vm')


def plain(name):
    return re.sub(r'^m_|[^a-z0-9]', '', name.lower())


def likeness(one, other):
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


class Structure:
    """Finds the members of one structure of the older contract in the new descriptor."""

    def __init__(self, name, members, draft):
        self.name, self.old, self.draft, self.report = name, members, draft, draft.report
        self.new, self.names = {}, {}
        self.theirs = draft.type_of(name)
        self.described = draft.new.types.get(self.theirs, {})
        self.before = draft.before.get(self.theirs, {})
        self.gone = [m for m in self.before if m not in self.described and m != SIZE]
        self.by_name()
        self.by_likeness()
        self.by_place()
        self.keep()

    def take(self, member, name, why=''):
        self.new[member], self.names[member] = self.draft.new.offset(name), name
        if why:
            self.report.add('named', f'{self.name}.{member}', f'is {name} ({why})')
        if self.new[member] != self.old[member]:
            self.report.add('moved', f'{self.name}.{member}', f'{self.old[member]} -> {self.new[member]}')

    def left(self):
        return [(member, offset) for member, offset in self.old.items() if member not in self.names]

    def free(self):
        """What the descriptor has of this structure, and is none of our members yet."""
        taken = set(self.names.values()) | set(self.draft.known.values())
        return {n: at for n, at in self.described.items()
                if n not in self.old and n != SIZE and f'{self.theirs}.{n}' not in taken}

    def by_name(self):
        for member, offset in self.left():
            known = self.draft.known.get(f'{self.name}.{member}', f'{self.theirs}.{member}')
            # What lay at this place in the older runtime is this member, whatever it is called.
            same = [n for n, at in self.before.items()
                    if at == offset and n in self.described and n not in self.old and n != SIZE]
            if self.draft.new.offset(known) is not None:
                is_sure = self.theirs == self.name or known in self.draft.known.values()
                self.take(member, known, '' if is_sure else 'structure')
            elif member != SIZE and len(same) == 1:
                self.take(member, f'{self.theirs}.{same[0]}', 'place in the older runtime')

    def by_likeness(self):
        for least in (1, NAMES_ALIKE):
            for member, _ in self.left():
                like = [n for n in self.free() if n not in self.before and likeness(plain(n), plain(member)) >= least]
                if len(like) == 1:
                    self.take(member, f'{self.theirs}.{like[0]}', 'name')

    def moved(self, offset):
        """By how much the neighbours have moved, None if those on both sides do not agree; and whether one lies behind."""
        told = sorted({(0, 0)} | {(self.old[m], self.new[m]) for m in self.names})
        at = bisect.bisect(told, (offset, sys.maxsize))
        below, above = told[at - 1], told[at:at + 1]
        shift = below[1] - below[0]
        agrees = not above or above[0][1] - above[0][0] == shift
        return (shift if agrees else None), bool(above)

    def by_place(self):
        for member, offset in self.left():
            shift, is_between = self.moved(offset)
            if member == SIZE or shift is None or self.name in CLASSES or (member in self.gone and not is_between):
                continue
            here = [n for n, at in self.free().items() if at == offset + shift and self.before.get(n, offset) == offset]
            if here:
                self.take(member, f'{self.theirs}.{here[0]}', 'place among its neighbours')

    def keep(self):
        """What is left moves with its neighbours, and is listed by how likely it is wrong."""
        has_moved = any(self.new[m] != self.old[m] for m in self.names)
        is_gone = any(self.name in name for name in self.draft.gone)
        left, reasons = self.left(), {}
        for member, offset in left:
            shift = 0 if member == SIZE else self.moved(offset)[0]
            self.new[member] = offset + (shift or 0)
            if member in self.gone:
                reasons[member] = 'vanished from the descriptor'
                self.report.add('vanished', f'{self.name}.{member}', f'{offset}, new: ' + (', '.join(
                    n for n in self.free() if n not in self.before) or 'nothing'))
            elif shift:
                reasons[member] = f'moved from {offset}'
            elif shift is None:
                reasons[member] = 'neighbours moved apart'
            elif nested := self.nested(member):
                reasons[member] = f'perhaps {nested}'
            elif has_moved or is_gone:
                reasons[member] = 'others moved' if has_moved else 'a name with it vanished'
        for member, offset in left:
            why = f' ({reasons[member]})' if member in reasons else ''
            is_quiet = member != SIZE and self.moved(offset)[1]
            group = 'managed' if self.name in CLASSES else 'suspicious' if reasons else 'quiet' if is_quiet else 'untold'
            self.report.add(group, f'{self.name}.{member}', f'{self.new[member]}{why}')

    def nested(self, member):
        """The like of it in a structure that is new to the descriptor, and in this one by the name of a member."""
        inner = [t for t in self.draft.unused if t not in self.draft.before and
                 any(len(n) >= LEAST_NESTED and t.endswith(n) for n in self.described)]
        return next((f'{t}.{n}' for t in inner for n in self.draft.unused[t] if likeness(n, member) >= NAMES_ALIKE), None)


class Draft:
    def __init__(self, contract, new, older, report):
        self.contract, self.new, self.older, self.report = contract, new, older, report
        self.before = older.types if older else {}
        self.known = dict(contract.get('descriptorNames', {}))
        used = set(contract['types']) | {name.split('.')[0] for name in self.known.values()}
        self.unused = {name: members for name, members in new.types.items() if name not in used}
        self.gone = {f'{t}.{m}' for t, members in self.before.items() for m in members if m not in new.types.get(t, {})}
        structures = [Structure(name, members, self) for name, members in contract['types'].items()]
        self.types = {one.name: {m: one.new[m] for m in one.old} for one in structures}
        self.told = {f'{one.name}.{m}': n for one in structures for m, n in one.names.items()}
        self.known |= {ours: theirs for ours, theirs in self.told.items() if ours != theirs}
        self.table = self.global_table(contract['globalTables'])
        self.constants = {name: self.constant(name, value) for name, value in contract['constants'].items()}
        self.list_news(structures)

    def type_of(self, name):
        """What the descriptor calls a structure: as we do, as it did, or nearly so, and with a member of that name."""
        if name in self.new.types:
            return name
        known = {theirs.split('.')[0] for ours, theirs in self.known.items() if ours.startswith(name + '.')}
        like = [n for n, members in self.unused.items() if (n in name or name in n) and set(members) & set(
            self.contract['types'][name]) and min(len(n), len(name)) >= TYPES_ALIKE * max(len(n), len(name))]
        return next(iter(known or like), name)

    def global_table(self, tables):
        """As the readers do it in a dump: what the descriptor has the address of is found by it, and what lies between two
        that moved alike moves with them."""
        known = next((t for t in tables if self.older and t['entryCount'] == len(self.older.table)), tables[-1])
        entries, moves, index_of = self.new.table, {}, {}
        for name, index in known['index'].items():
            address = self.new.addresses.get(self.global_name(name, index, known))
            if address and address in entries:
                moves[index] = entries.index(address) - index
        told = sorted(moves)
        for name, index in known['index'].items():
            at = bisect.bisect_left(told, index)
            near = [moves[i] for i in told[max(at - 1, 0):at + 1]]
            move = moves[index] if index in moves else max(near, key=lambda move: self.is_as_far(index, move), default=0)
            index_of[name] = index + move
            if index not in moves and not (0 < at < len(told) and near[0] == near[1]):
                self.report.add('globals', name, f'{index} -> {index + move}, a guess; beside it ' + ' and '.join(
                    f'{move:+} ({self.is_as_far(index, move)} of 8 variables as far)' for move in near))
        return {'entryCount': len(entries), 'verifiedOn': [], 'index': index_of}

    def is_as_far(self, index, move):
        """How many of the variables of eight entries around are as far away as they were."""
        old, new = [dict(enumerate(one.table)) if one else {} for one in (self.older, self.new)]
        return sum(bool(old.get(index) and new.get(index + move) and old.get(i) and new.get(i + move)) and
                   old[i] - old[index] == new[i + move] - new[index + move]
                   for i in range(index - 4, index + 5) if i != index)

    def global_name(self, name, index, known):
        """As it is known, as we call it, by its address in the older runtime, or by a name that has the other in it."""
        if name in self.known or name in self.new.addresses:
            return self.known.get(name, name)
        before = self.older.addresses if self.older else {}
        is_same = self.older and known['entryCount'] == len(self.older.table) and self.older.table[index]
        same = [n for n, address in before.items()
                if is_same and address == self.older.table[index] and n in self.new.addresses]
        like = [n for n, address in self.new.addresses.items() if address in self.new.table and (n in name or name in n) and
                n not in before and n not in known['index'] and n not in self.known.values()]
        found = same or (like if len(like) == 1 else [name])
        if found[0] != name:
            self.known[name] = found[0]
            self.report.add('named', name, f'is {found[0]} ({"address in the older runtime" if same else "name"})')
        return found[0]

    def constant(self, name, value):
        other = SOURCES['constants'].get(name, '')
        told = self.new.offset(other) if '.' in other else self.new.numbers.get(other)
        if told is None:
            told = next((number for n, number in self.new.numbers.items() if plain(n) == plain(name)), None)
        if told is None or isinstance(value, list):
            self.report.add('constants', name.split('.')[0])
        elif told != int(str(value), 0):
            self.report.add('constants', name, f'{value} -> {told}, taken: the data may have another form')
        return value if told is None or isinstance(value, list) or told == int(str(value), 0) else told

    def list_news(self, structures):
        ours = set(self.told.values()) | set(self.known.values()) | set(self.table['index'])
        for one in structures:
            for member, offset in one.free().items():
                if member not in one.before and f'{one.theirs}.{member}' not in ours:
                    self.report.add('new', f'{one.theirs}.{member}', str(offset))
        for name, address in self.new.addresses.items():
            if address in self.new.table and name not in ours and not (self.older and name in self.older.addresses):
                self.report.add('new', name, f'entry {self.new.table.index(address)}')
        used = {name.split('.')[0] for name in self.known.values()}
        others = ' '.join(name for name in self.unused if self.older and name not in self.before and name not in used)
        if others:
            self.report.add('new', 'other structures', others)
        for name, version in self.new.contracts.items():
            before = self.older.contracts.get(name) if self.older else version
            if version != before:
                self.report.add('contracts', name, f'{before} -> {version}' if before else 'new')

    def take_classes(self, cli, assembly):
        """Fields of classes, as the rules of the older version lay them out. Their offsets count from behind the method
        table."""
        major = self.contract['runtime'].split('.')[0]
        with tempfile.NamedTemporaryFile('w') as names:
            names.write('\n'.join(name for classes in CLASSES.values() for name in classes) + '\n')
            names.flush()
            command = [cli, 'layout', assembly, '--types', names.name, '--runtime', major, '--json']
            text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        laid = {row['type']: {f['name']: f['offset'] + 8 for f in row['fields']} for row in json.loads(text)['layouts']}
        for structure in set(CLASSES) & set(self.types):
            fields = {name: at for one in CLASSES[structure] for name, at in laid.get(one, {}).items()}
            ours = {plain(member) for member in self.types[structure]}
            others = ', '.join(f'{name} {at}' for name, at in fields.items() if plain(name) not in ours)
            for member, offset in self.types[structure].items():
                full, at = f'{structure}.{member}', [at for name, at in fields.items() if plain(name) == plain(member)]
                if full in self.told or not at:
                    if full in self.report.lines['managed']:
                        self.report.lines['managed'][full] = f'{offset} (no such field; others: {others})'
                    continue
                self.types[structure][member] = at[0]
                self.report.lines['managed'].pop(full, None)
                if at[0] != offset:
                    self.report.add('moved', full, f'{offset} -> {at[0]} (class)')

    def json(self, version):
        return {name: self.contract[name] for name in ('schema', 'runtime', 'operatingSystem', 'architecture')} | {
            'runtime': version, 'verifiedOn': [], 'globalTables': [self.table],
            'descriptorNames': dict(sorted(self.known.items())), 'types': self.types, 'constants': self.constants}


def write_steps(version, release, older, output, report):
    files = sorted({source_of(name) for group in report.DECLARED for name in report.of(group)})
    print(f'''
Next
 1. What has changed in the declarations behind these lists, in a clone of dotnet/runtime:
      git diff v{older} v{release} -- {" ".join(files)}
 2. Build with it:
      cp {output} {CONTRACTS / (version + ".json")}
      engine/runtime/CMakeLists.txt                      {version} behind the other versions
      engine/runtime/contract/shipped_contracts.cpp.in   one more, CONTRACT_{version.replace(".", "_")}
      engine/cli/verbs/layout_verbs.cpp                  kRuntimes, for --runtime {version.split(".")[0]}
      tests/engine/runtime/tst_contract.cpp              the versions, and which members they have
      cmake --preset bench && cmake --build --preset bench
 3. Compare with ClrMD, if one reads {version} already:
      tests/targets/verify-release.sh WORK build/bench {release}
 4. Enter {release} in verifiedOn, of the contract and of its table.''')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('runtime', type=Path, metavar='RUNTIME', help='folder of the new release')
    parser.add_argument('--from', dest='base', type=Path, metavar='OLD.json', help='instead of the newest older contract')
    parser.add_argument('--against', type=Path, metavar='RUNTIME', help='folder of a release that OLD.json is of')
    parser.add_argument('--cli', metavar='PROGRAM', help='heapscape-cli, which lays out managed classes')
    parser.add_argument('-o', '--output', type=Path, metavar='NEW.json')
    options = parser.parse_args()
    release = options.runtime.resolve().name
    if not re.match(r'\d+\.\d+\.', release):
        parser.error(f'{options.runtime} has no name of a release')
    version = '.'.join(release.split('.')[:2])
    below = [path for path in CONTRACTS.glob('*.json') if float(path.stem) < float(version)]
    base = options.base or max(below, key=lambda path: float(path.stem), default=None)
    output = options.output or Path(f'{version}.json')
    try:
        new = RuntimeDescription(options.runtime)
        older = RuntimeDescription(options.against) if options.against else None
        if not new.parts or not base:
            raise ValueError(f'libcoreclr.so of {release} has no descriptor' if base else 'there is no older contract')
        contract = json.loads(base.read_text())
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f'.NET {release} describes {"; ".join(new.parts)}. g_dacTable has {len(new.table)} entries, of which the code tells '
          f'{sum(map(bool, new.table))}.')
    if older and not older.parts:
        print(f'libcoreclr.so of {options.against.name} has no descriptor: what has changed since then is not known.')
    report = Report()
    draft = Draft(contract, new, older, report)
    if options.cli:
        draft.take_classes(options.cli, options.runtime / 'System.Private.CoreLib.dll')
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(draft.json(version), indent=1) + '\n')
    print(f'{output} has {sum(map(len, draft.types.values()))} members from {base.name}, of which the descriptor tells '
          f'{len(draft.told)}.')
    report.write()
    write_steps(version, release, options.against.resolve().name if older else 'OLDER', output, report)
    return 0 if report.is_settled() else 1


if __name__ == '__main__':
    sys.exit(main())
