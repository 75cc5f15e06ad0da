/** Types the commands of a document into a shell, and compares what they print with what the document shows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atEnd } from '../../../test/at-end.ts'
import { root } from './shown-blocks.ts'

const program = `${process.execPath} packages/cli/bin/bourse.mjs`

/** The alias of the README without npm, which takes longer than most commands. */
const alias = `alias bourse='${program}'`

/** Starts a process that runs the commands of shells. It ends with this file. */
export async function serveProgram(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'typed-program-process.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  atEnd(async () => {
    child.stdin.end()
    await once(child, 'exit')
  })
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data')
  return functionFor(Number(port))
}

/**
 * The program as a function of the shell that lets {@link serveProgram} run the command, with the exported variables.
 * What is no operation, or runs until it is stopped, is a process: in the background it takes the place of the
 * subshell, so that `kill $!` reaches it.
 */
function functionFor(port: number): string {
  return `
bourse() {
  case "$1 $2" in
    'agent '*|'completion '*|'config '*|doctor*|init*|'profiles '*|'webhooks listen')
      (( BASHPID == $$ )) || exec ${program} "$@"
      ${program} "$@"
      return ;;
  esac
  local name line fd variables=("HOME=$HOME")
  for name in \${!BOURSE_@}; do [[ \${!name@a} != *x* ]] || variables+=("$name=\${!name}"); done
  exec {fd}<>/dev/tcp/127.0.0.1/${port} || return
  printf '%s\\0' \${#variables[@]} "\${variables[@]}" $# "$@" >&$fd
  while IFS= read -r -u $fd line; do
    case $line in
      1*) printf '%s\\n' "\${line:1}" ;;
      2*) printf '%s\\n' "\${line:1}" >&2 ;;
      p*) printf '%s' "\${line:1}" ;;
      =*) exec {fd}>&-; return "\${line:1}" ;;
    esac
  done
  return 70
}`
}

const milliseconds = 600_000

/** What a shell printed: for each command that ran, and in all. */
export type ShellOutput = { readonly code: number | null; readonly outputs: readonly string[]; readonly out: string }

/**
 * Runs all commands in one shell, in the root of the repository, and stops at the first failure. `definition` says what
 * `bourse` is: a process each time, or the function of {@link serveProgram}.
 */
export async function type(
  commands: readonly string[],
  dataDirectory: string,
  definition: string = alias,
): Promise<ShellOutput> {
  // A user types the next command later, when the effects of the last one are visible.
  const moment = 'bourse sandbox settle > /dev/null || exit 1'
  const lines = commands.map((command, index) => {
    const isLook = / list /.test(command)
    const orEnd = command.endsWith('&') ? '' : ' || exit 1'
    return `printf '\\n@${index}\\n'\n${isLook ? moment : ''}\n${command}${orEnd}`
  })
  const shell = spawn('bash', ['-O', 'expand_aliases', '-s'], {
    cwd: root,
    // A plan shows the local time in addition where that is not UTC.
    env: { PATH: process.env.PATH ?? '', HOME: dataDirectory, BOURSE_DATA_DIR: dataDirectory, TZ: 'UTC' },
    // A command that waits for a line that never comes.
    timeout: milliseconds,
  })
  let out = ''
  shell.stdout.on('data', (part) => {
    out += part
  })
  // Both streams go through one pipe, so that the output keeps its order. What runs in the background ends with the
  // shell, also after a failure.
  const ends = `trap 'kill $(jobs -p) 2> /dev/null' EXIT`
  shell.stdin.end(`exec 2>&1\n${ends}\n${definition}\n${lines.join('\n')}\n`)
  const [code] = await once(shell, 'close')
  return { code, outputs: out.split(/^@\d+\n/m).slice(1), out }
}

/**
 * The lines of an output without the parts that differ between runs: ids, new directories, numbers, positions of the
 * log of PostgreSQL, widths, repetitions of a line, the date of the end of a window, which is shown if it is not that
 * of the start, the seconds of a time, which are shown if it is no whole minute, and waits for answers on a busy
 * machine.
 */
export function shapeOf(output: string): string[] {
  const lines = output
    .replaceAll(/\b[a-z]+_[\w-]{21}(?![\w-])/g, 'id')
    .replaceAll(/\/tmp\/tmp\.\w+/g, 'directory')
    .replaceAll(/\$\d{1,3}(,\d{3})+/g, '$$0')
    .replaceAll(/\b0\/[\dA-F]+\b/g, '0/0')
    .replaceAll(/\d+(\.\d+)?/g, '0')
    .replaceAll('0:0:0', '0:0')
    .replaceAll('– 0-0-0 0:0', '– 0:0')
    .replaceAll(/[█▉▊▋▌▍▎▏]+/g, '█')
    .replaceAll(/ +/g, ' ')
    .trim()
    .split('\n')
  const isOfBusyMachine = (line: string) =>
    /^Waiting for the answer of |^PostgreSQL \(pid 0\) is slow to start/.test(line)
  return lines.filter((line, index) => line !== lines[index - 1] && !isOfBusyMachine(line))
}

/** Printed lines without those for which a shown `…` stands: one or more, up to the next shown line. */
export function leaveOut(printed: readonly string[], shown: readonly string[]): string[] {
  const lines: string[] = []
  let at = 0
  for (const [index, line] of shown.entries()) {
    const next = shown[index + 1]
    const end = line !== '…' ? at + 1 : next === undefined ? printed.length : printed.indexOf(next, at + 1)
    if (end <= at) break
    lines.push(...(line === '…' ? [line] : printed.slice(at, end)))
    at = end
  }
  return [...lines, ...printed.slice(at)]
}
