import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { WorkerMessage, WorkerOrder } from './file-result.ts'
import { enterFile, leaveFile } from './promise-tracking.ts'

// Runs test files one after the other in one process, which loads their common modules only once. Each file is a test,
// so that its `after` hooks run at the end of the file and not at the end of the process.

const orders: WorkerOrder[] = []
let wake = () => {}
// This listener also keeps the process alive while a test waits for an unreferenced timer.
process.on('message', (order: WorkerOrder) => {
  orders.push(order)
  wake()
})

for (let path = await nextFile(); path !== null; path = await nextFile()) {
  const url = pathToFileURL(resolve(path)).href
  await test(path, () => {
    enterFile()
    return import(url)
  })
  leaveFile()
}
// The parent closes the channel after the result of the last file. Then nothing keeps this process alive.

async function nextFile(): Promise<string | null> {
  const free: WorkerMessage = { kind: 'free' }
  process.send?.(free)
  while (orders.length === 0) {
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  return (orders.shift() as WorkerOrder).path
}
