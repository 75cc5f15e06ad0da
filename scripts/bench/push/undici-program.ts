/** The baseline: undici alone sends the same message again and again. One question runs one load. */
import { createInterface } from 'node:readline'
import { Agent } from 'undici'

type UndiciLoad = {
  url: string
  headers: Record<string, string>
  body: string
  total: number
  concurrency: number
}

const agent = new Agent({ pipelining: 1, keepAliveTimeout: 4_000 })
console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const { url, headers, body, total, concurrency } = JSON.parse(line) as UndiciLoad
  let left = total
  const bytes = Buffer.from(body)
  const began = performance.now()
  const work = async () => {
    while (left-- > 0) {
      const response = await agent.request({ origin: url, path: '/', method: 'POST', headers, body: bytes })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000 }))
}
await agent.close()
