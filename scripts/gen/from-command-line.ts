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

/** The names and descriptions of all commands, for the help of the program: reading them loads every command. */
export async function printFromCommandLine(): Promise<Map<string, string>> {
  const { commands } = await createWholeProgram({ terminal: silent, variables: {} })
  const lines = commands.map((command) => {
    const words = command
      .usage()
      .replace(/^\[options\] ?/, '')
      .replace(/^\[command\]$/, '')
    const parts = [command.name(), command.description(), ...(words === '' ? [] : [words])]
    return `  ${JSON.stringify(parts)},`
  })
  const text = `/** Generated from the commands by \`npm run gen\`. Do not edit. */

/** The name and the description of each command, and the words that follow it. */
export const outline: readonly (readonly [name: string, description: string, words?: string])[] = [
${lines.join('\n')}
]
`
  return new Map([['packages/cli/src/generated/outline.ts', text]])
}
