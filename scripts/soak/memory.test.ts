import assert from 'node:assert/strict'
import { test } from 'vitest'
import { leftOut } from '../../test/left-out.ts'
import { hasProcessMemory, readProcessMemory, readServerFigures } from './memory.ts'

const page = `# TYPE nodejs_heap_size_used_bytes gauge
nodejs_heap_size_used_bytes 47185920
nodejs_heap_space_size_total_bytes{space="new"} 1048576
nodejs_heap_space_size_total_bytes{space="new_large_object"} 7340032
nodejs_heap_space_size_total_bytes{space="old"} 33554432
nodejs_active_handles{type="Socket"} 6
nodejs_active_handles{type="Server"} 2
bourse_books_cached 3
`

test('figures of a server are read from its page, series of one family together', () => {
  assert.deepEqual(readServerFigures(page), {
    heap_used: 45,
    heap_total: undefined,
    external: undefined,
    array_buffers: undefined,
    handles: 8,
    new_space: 1,
    old_space: 32,
    books: 3,
  })
})

test(
  'the memory of a process is that of the kernel, and nothing after its end',
  leftOut(!hasProcessMemory && 'no /proc'),
  async () => {
    const memory = await readProcessMemory(process.pid)
    assert.ok(
      memory && memory.rss >= memory.anonymous && memory.anonymous > 1 && memory.files > 2,
      JSON.stringify(memory),
    )
    assert.equal(await readProcessMemory(2 ** 30), undefined)
  },
)
