import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import type { MachineSpec } from '../driver.ts'
import { consoleBytesMax, readConsole } from './console.ts'

/** A console with `write`, which appends lines that contain their position. */
async function openConsole() {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-console-'))
  const spec = { directory } as MachineSpec
  let length = 0
  return {
    read: (from: number, most = 2 ** 30) => readConsole(spec, from, most),
    write: async (bytes: number) => {
      const lines: string[] = []
      for (let left = bytes; left > 0; left -= 16) {
        lines.push(`${String(length).padStart(15, '.')}\n`)
        length += 16
      }
      await appendFile(join(directory, 'console.log'), lines.join(''))
    },
    length: () => length,
    held: () => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
    close: () => rm(directory, { recursive: true }),
  }
}

const positionOf = (bytes: Buffer) => Number(/[1-9]\d*/.exec(bytes.subarray(0, 15).toString())?.[0] ?? 0)

test('positions hold while the files are exchanged, and a part goes over from one file to the other', async () => {
  const console = await openConsole()
  assert.deepEqual(await console.read(0), { first_byte: 0, bytes: Buffer.alloc(0) })
  await console.write(consoleBytesMax)
  assert.equal((await console.read(0)).bytes.length, consoleBytesMax)
  await console.write(1_600)
  // This read moves the file aside; the next one goes over both.
  assert.equal((await console.read(0)).bytes.length, consoleBytesMax + 1_600)
  await console.write(1_600)
  const { first_byte, bytes } = await console.read(consoleBytesMax, 2_400)
  assert.deepEqual([first_byte, bytes.length], [consoleBytesMax, 2_400])
  for (let at = 0; at < bytes.length; at += 16) {
    assert.equal(positionOf(bytes.subarray(at, at + 16)), consoleBytesMax + at)
  }
  assert.equal((await console.read(console.length())).bytes.length, 0)
  await console.close()
})

test('while nothing is read a console takes a bounded space, and the first byte tells what is lost', async () => {
  const console = await openConsole()
  for (let round = 0; round < 12; round++) {
    await console.write(consoleBytesMax / 2)
    // The agent asks for nothing while its budget is used up.
    assert.equal((await console.read(0, 0)).bytes.length, 0)
    assert.ok(console.held() <= 2 * consoleBytesMax + consoleBytesMax / 2 + 100, `${console.held()} bytes`)
  }
  const { first_byte, bytes } = await console.read(0)
  assert.ok(first_byte > 0)
  assert.equal(first_byte + bytes.length, console.length())
  assert.equal(positionOf(bytes), first_byte)
  await console.close()
})
