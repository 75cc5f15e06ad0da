import assert from 'node:assert/strict'
import type { CodeSample } from '@bourse/api/openapi/code-samples.ts'
import { buildOpenapi } from '@bourse/api/openapi.ts'
import type { Command } from 'commander'
import { test } from 'vitest'
import { leavesOf, wordsOf } from '../../../test/shown-examples.ts'
import { silentTerminal } from '../../../test/silent-terminal.ts'
import { createWholeProgram } from '../../program.ts'
import { commandPlace, operations } from '../operation-commands.ts'

test('every sample of the command line in the reference is a command of its operation, with whole ids', async () => {
  const program = await createWholeProgram({ terminal: silentTerminal, variables: {} })
  let ran: Command | undefined
  const leaves = leavesOf(program)
  for (const [, command] of leaves) {
    command.action(() => {
      ran = command
    })
  }
  const pathOf = new Map(leaves.map(([path, command]) => [command, path]))
  const { paths } = buildOpenapi() as {
    paths: Record<string, Record<string, { operationId: string; 'x-codeSamples': CodeSample[] }>>
  }
  const streams = { stream_events: 'events tail', stream_instance_logs: 'instances logs' }
  const expected = new Map([
    ...operations.map((one) => [one.name, Object.values(commandPlace(one)).join(' ')] as const),
    ...Object.entries(streams),
  ])
  const found = new Map<string, string | undefined>()
  for (const { operationId, 'x-codeSamples': samples } of Object.values(paths).flatMap((one) => Object.values(one))) {
    const line = samples.find(({ label }) => label === 'Command line')?.source
    if (line === undefined) continue
    assert.ok(!line.includes('…'), line)
    const [name, ...words] = wordsOf(line)
    assert.equal(name, 'bourse', line)
    ran = undefined
    await program.parseAsync(words, { from: 'user' })
    found.set(operationId, ran && pathOf.get(ran))
  }
  assert.deepEqual(new Map([...found].toSorted()), new Map([...expected].toSorted()))
})
