import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { test } from 'vitest'

const run = promisify(execFile)

/** A program that has all files open that it may have. It imports the file of its argument, and reads by it. */
const script = `
  const { readApart } = await import(process.argv[1])
  const { openSync } = await import('node:fs')
  try { for (;;) openSync('/dev/null') } catch {}
  await readApart('/proc/version', 16).catch((error) => console.log(error.message))
`

test('an agent that can open no more files fails at a read of a device, and goes on', async () => {
  const file = pathToFileURL(`${import.meta.dirname}/apart.ts`).href
  const words = ['-c', 'ulimit -n 256; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, script, file]
  assert.equal((await run('sh', words)).stdout, 'spawn dd EMFILE\n')
})
