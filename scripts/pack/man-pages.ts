/** Manual pages of the command line, from the data of its help: one for the program and one for each noun. */
import type { Command } from 'commander'
import { environmentAndExits } from '../../packages/cli/src/commands/help/overview.ts'
import { createWholeProgram } from '../../packages/cli/src/program.ts'

const silent = {
  data: () => {},
  raw: () => {},
  note: () => {},
  ask: async () => undefined,
  width: undefined,
  dim: String,
  red: String,
  bidColour: String,
  askColour: String,
}

/** The pages by their file names. */
export async function printManPages(version: string): Promise<Map<string, string>> {
  const program = await createWholeProgram({ terminal: silent, variables: {} })
  const pages = program.commands.map((command) => [`bourse-${command.name()}.1`, pageOf(command, version)] as const)
  return new Map([['bourse.1', mainPage(program, version)], ...pages])
}

function mainPage(program: Command, version: string): string {
  const list = program.commands.map((one) => entry(`bourse ${one.name()}`, one.description()))
  return [
    title('bourse', version, program.description()),
    section('SYNOPSIS'),
    line('bourse [options] <command>'),
    section('DESCRIPTION'),
    line(program.description()),
    line('Each command has a page of its own, such as bourse-orders(1).'),
    section('COMMANDS'),
    ...list,
    section('OPTIONS'),
    ...optionsOf(program),
    section('ENVIRONMENT AND EXIT CODES'),
    ...literal(environmentAndExits()),
  ].join('\n')
}

function pageOf(command: Command, version: string): string {
  const name = `bourse-${command.name()}`
  const leaves = leavesOf(command, `bourse ${command.name()}`)
  const parts = leaves.flatMap(([path, leaf]) => [
    section(path),
    line(leaf.description()),
    `.PP\n.B ${roffOf(`${path} ${leaf.usage()}`)}`,
    ...leaf.registeredArguments.map((argument) => entry(`<${argument.name()}>`, argument.description)),
    ...optionsOf(leaf),
    ...literal(afterOf(leaf)),
  ])
  return [
    title(name, version, command.description()),
    section('DESCRIPTION'),
    line(command.description()),
    ...parts,
    section('SEE ALSO'),
    line('bourse(1), for the options of every command, the environment and the exit codes.'),
  ].join('\n')
}

function leavesOf(command: Command, path: string): [path: string, leaf: Command][] {
  if (command.commands.length === 0) return [[path, command]]
  return command.commands.flatMap((inner) => leavesOf(inner, `${path} ${inner.name()}`))
}

function title(name: string, version: string, description: string): string {
  const summary = description.split('. ')[0]?.replace(/\.$/, '') ?? ''
  return `.TH ${name.toUpperCase()} 1 "" "bourse ${version}"\n.SH NAME\n${roffOf(name)} \\- ${roffOf(summary)}`
}

function section(name: string): string {
  return `.SH "${roffOf(name)}"`
}

function line(text: string): string {
  return `.PP\n${roffOf(text)}`
}

function entry(term: string, text: string): string {
  return `.TP\n.B ${roffOf(term)}\n${roffOf(text)}`
}

function optionsOf(command: Command): string[] {
  return command.options.map(({ flags, description }) => entry(flags, description))
}

/** The text behind the options of a help: notes and examples. */
function afterOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text.slice(command.helpInformation().length).trim()
}

function literal(text: string): string[] {
  return text === '' ? [] : ['.PP', '.nf', ...text.split('\n').map(roffOf), '.fi']
}

/** Text without a meaning for roff, in ASCII. A hyphen stays one that can be copied. */
export function roffOf(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll(/^(?=[.'])/gm, '\\&')
    .replaceAll(/[^\n\x20-\x7e]/gu, (letter) => {
      const code = (letter.codePointAt(0) as number).toString(16).toUpperCase()
      return `\\[u${code.padStart(4, '0')}]`
    })
}
