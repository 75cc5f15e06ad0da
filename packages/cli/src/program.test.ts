import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverSettings } from '@bourse/server/core/base/server-settings.ts'
import { imageStoreSettings } from '@bourse/server/core/blobs/image-store-settings.ts'
import type { SettingTable } from '@bourse/text/settings.ts'
import type { Command } from 'commander'
import { test } from 'vitest'
import { silentTerminal } from '../test/silent-terminal.ts'
import { headings } from './commands/help/overview.ts'
import { listedSettings } from './commands/server/production-settings.ts'
import { shortcuts, withVerbSpelledOut } from './input/shortcuts.ts'
import { createProgram, createWholeProgram, withSortJoined } from './program.ts'

const context = { terminal: silentTerminal, variables: {} }

test('without a command the program has the names and descriptions of all commands', async () => {
  const whole = await createWholeProgram(context)
  const shown = (words: string[]) => createProgram(context, words)
  const listed = whole.commands.map((command) => [command.name(), command.description()])
  for (const words of [[], ['--help'], ['-o', 'json'], ['help'], ['--base-url', 'http://localhost', '--json']]) {
    const { commands } = await shown(words)
    const found = commands.map((command) => [command.name(), command.description()])
    assert.deepEqual(found.toSorted(), listed.toSorted(), words.join(' '))
    assert.ok(commands.every((command) => command.options.length === 0))
  }
})

test('the help of the program has each command once, under a heading, and each verb leads to a command', async () => {
  const { commands } = await createProgram(context, [])
  const headed = commands.map((command) => command.helpGroup())
  assert.deepEqual(
    [...new Set(headed)].filter((heading) => !headings.includes(heading)),
    [],
  )
  assert.ok(!headed.includes('Others:'), 'a command has no group in commands/help/overview.ts')
  const whole = await createWholeProgram(context)
  for (const [verb, [noun, command]] of Object.entries(shortcuts)) {
    const group = whole.commands.find((one) => one.name() === noun)
    assert.ok(
      group?.commands.some((one) => one.name() === command),
      verb,
    )
    assert.ok(!whole.commands.some((one) => one.name() === verb), verb)
  }
})

test('the help of the program fits two screens: groups first, options last, long texts cut', async () => {
  const program = await createProgram(context, [])
  const parts: string[] = []
  program.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 80 })
  program.outputHelp()
  const lines = parts.join('').split('\n')
  assert.ok(lines.length <= 120, `${lines.length} lines`)
  const places = ['Begin:', 'Trade:', 'Operator:', 'Short for:', 'Options of all commands:']
  const found = places.map((heading) => lines.indexOf(heading))
  assert.deepEqual(
    found,
    found.filter((at) => at > 0).toSorted((a, b) => a - b),
  )
})

test('the description of serve has the most replicas that it accepts', async () => {
  const { commands } = await createProgram(context, [])
  const { max } = serverSettings.BOURSE_REPLICAS
  const text = commands.find((command) => command.name() === 'serve')?.description() ?? ''
  assert.ok(text.includes(`up to ${max.toLocaleString('en-US')} replicas`), text)
})

test('the help of serve has each setting of a server, and each of bourse.env', async () => {
  const program = await createProgram(context, ['serve', '--help'])
  const serve = program.commands.find((command) => command.name() === 'serve')
  const parts: string[] = []
  serve?.configureOutput({ writeOut: (part) => void parts.push(part) })
  serve?.outputHelp()
  const shown = new Set(parts.join('').match(/\b[A-Z][A-Z0-9_]+\b/g))
  const tables: SettingTable[] = [serverSettings, imageStoreSettings]
  const read = tables.flatMap((table) => Object.entries(table).filter(([, { readers }]) => readers.includes('serve')))
  const listed = listedSettings(readFileSync(join(import.meta.dirname, '../../../ops/systemd/bourse.env'), 'utf8'))
  assert.ok(read.length > 30 && listed.length > 30)
  assert.deepEqual(
    [...read.map(([name]) => name), ...listed].filter((name) => !shown.has(name)),
    [],
  )
})

test('a verb is spelled out wherever it names the command, and nowhere else', () => {
  const cases = {
    'logs web-1 --follow': 'instances logs web-1 --follow',
    '-o json buy h100': '-o json orders buy h100',
    'help buy': 'help orders buy',
    'orders list buy': 'orders list buy',
    '--profile buy orders list': '--profile buy orders list',
  }
  for (const [given, meant] of Object.entries(cases)) {
    assert.equal(withVerbSpelledOut(given.split(' ')).join(' '), meant)
  }
})

test('every command and every group says in its help what it does, and no two of a group say the same', async () => {
  const walk = (group: Command, words: string): void => {
    const texts = group.commands.map((command) => command.description())
    assert.equal(new Set(texts).size, texts.length, `two commands of "${words}" have one description`)
    for (const command of group.commands) {
      const path = `${words} ${command.name()}`
      assert.match(command.description(), /^[A-Z].{5,}\.$/s, path)
      walk(command, path)
    }
  }
  const whole = await createWholeProgram(context)
  walk(whole, 'bourse')
  const platform = whole.commands.find((command) => command.name() === 'platform') as Command
  const lists = platform.commands.map((command) => command.name()).filter((name) => name !== 'help')
  for (const name of lists) {
    assert.match(platform.description(), new RegExp(name, 'i'), `the help of bourse does not name platform ${name}`)
  }
})

test('a command that is no operation is loaded alone, operations together, an unknown word with all', async () => {
  const names = async (...words: string[]) => (await createProgram(context, words)).commands.map((one) => one.name())
  assert.deepEqual(await names('version', '--json'), ['version'])
  assert.deepEqual(await names('-o', 'json', 'keys', 'create'), ['keys'])
  const all = (await createWholeProgram(context)).commands.length
  const operations = await names('instances', 'list')
  assert.ok(operations.includes('orders') && operations.length < all)
  assert.ok(!operations.includes('version') && !operations.includes('agent'))
  assert.equal((await names('instnaces')).length, all)
  assert.equal((await names('help', 'orders')).length, all)
})

test('the help of the program loads neither the contract nor the client', () => {
  const program = join(import.meta.dirname, '../bin/bourse.mjs')
  const script = `
    const { registerHooks } = await import('node:module')
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })
    process.argv = [process.execPath, ${JSON.stringify(program)}, '--help']
    await import(${JSON.stringify(`file://${program}`)})
  `
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^Usage: bourse/)
  assert.doesNotMatch(stderr, /packages\/api\/src\/contract|node_modules\/typebox|sdk\/src\/client\.ts/)
})

test('a falling order is a value, and no option', () => {
  assert.deepEqual(withSortJoined(['events', 'list', '--sort', '-occurred_at', '-o', 'json']), [
    'events',
    'list',
    '--sort=-occurred_at',
    '-o',
    'json',
  ])
  assert.deepEqual(withSortJoined(['events', 'list', '--sort']), ['events', 'list', '--sort'])
})
