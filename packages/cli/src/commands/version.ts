/** `bourse version`: prints the version of this program, and that of the server if one responds. */

import { interfaceVersion } from '@bourse/api/interface-version.ts'
import { type Client, createClient } from '@bourse/sdk/client.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../input/session.ts'
import { readSettings } from '../input/settings.ts'
import { outputFor, printObject } from '../output/output.ts'
import { commit, readSchema, version } from '../output/program-version.ts'

const members = ['object', 'version', 'interface_version', 'commit', 'schema', 'node', 'server']
const shape = { members, columns: members }

/** Adds the command. */
export function addVersion(program: Command, { terminal, variables }: CommandContext): void {
  const command = program
    .command('version')
    .description('Print the versions of this program and of the server, if one responds.')
    .addHelpText('after', '\nExample:\n  $ bourse version --json')
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const output = outputFor(shape, options)
    const { base_url } = readSettings(variables, options, (text) => terminal.note(text))
    const server = base_url ? await askServer(base_url) : null
    const whole = {
      object: 'version',
      version,
      interface_version: interfaceVersion,
      commit: commit ?? null,
      schema: readSchema() ?? null,
      node: process.version,
      server,
    }
    const shown = output.format === 'table' ? { ...whole, server: server && inWords(server) } : whole
    printObject(terminal, output, shown, shape)
  })
}

function inWords({ version, mode, commit }: ServerVersion): string {
  return `${version}, ${mode}${commit ? `, commit ${commit}` : ''}`
}

type ServerVersion = Awaited<ReturnType<Client['version']['get']>>

async function askServer(baseUrl: string): Promise<ServerVersion | null> {
  try {
    return await createClient({ baseUrl, token: '', timeout: 2_000, maxRetries: 0 }).version.get()
  } catch {
    return null
  }
}
