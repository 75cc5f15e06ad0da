/** Tries one planted bug: whether it still applies, and whether the test that is named for it finds it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import type { Plant } from './plants.ts'

const root = join(import.meta.dirname, '../..')
const loader = join(import.meta.dirname, 'plant-process.ts')
const secondsMax = 120
/** How a failed test stands in the output of the test runner. */
const failure = /^ *not ok \d+ - (.*)$/gm

/** What is wrong with a plant, in words; undefined when it was found by the test that is named for it. */
export async function tryPlant(plant: Plant): Promise<string | undefined> {
  const times = readFileSync(join(root, plant.file), 'utf8').split(plant.text).length - 1
  if (times !== 1) return `its text occurs ${times} times in ${plant.file}`
  const failed = await failedTests(plant)
  if (failed.length === 0) return `${plant.test} passes with it`
  if (failed.some((title) => title.startsWith(plant.caught_by))) return undefined
  return `it was found by ${failed.map((title) => `"${title}"`).join(', ')}, not by "${plant.caught_by}"`
}

async function failedTests(plant: Plant): Promise<string[]> {
  const args = ['--import', loader, '--test-reporter=tap', join(root, plant.test)]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, BOURSE_PLANT: JSON.stringify(plant), NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: secondsMax * 1000,
  })
  const [output] = await Promise.all([textOf(child.stdout), once(child, 'close')])
  return [...output.matchAll(failure)].map(([, title]) => title as string)
}
