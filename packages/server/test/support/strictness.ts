/** Rules of every operation: it requires a token and refuses unknown parameters and fields. */
import assert from 'node:assert/strict'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { TestServer } from './server.ts'

type StrictEndpoint = Pick<Endpoint, 'name' | 'method' | 'path' | 'params' | 'body'>

/** Fails unless each operation is 401 without a token and 400 for an unknown parameter or field. */
export async function assertStrict(
  server: TestServer,
  token: string,
  endpoints: readonly StrictEndpoint[],
): Promise<void> {
  for (const { name, method, path, params, body } of endpoints) {
    const target = fill(path, params.properties as Record<string, { pattern?: string }>)
    const sent = body === undefined ? {} : { body: {} }
    const stranger = await server.request(method, target, { token: null, ...sent })
    assert.equal(stranger.status, 401, name)
    assert.equal(stranger.headers.get('www-authenticate'), 'Bearer', name)
    const odd = await server.request(method, `${target}?surprise=1`, { token, ...sent })
    assert.deepEqual([odd.status, odd.body.error.details[0].code], [400, 'unknown_field'], name)
    if (body === undefined) continue
    const surprised = await server.request(method, target, { token, body: { surprise: 1 } })
    assert.equal(surprised.status, 400, name)
    const codes = surprised.body.error.details.map(({ code }: { code: string }) => code)
    assert.ok(codes.includes('unknown_field'), `${name}: ${codes}`)
  }
}

/** The path of a missing resource. Its ids have the prefixes of their patterns. */
function fill(path: string, params: Record<string, { pattern?: string }>): string {
  return path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    const prefix = /([a-z]+)_\[/.exec(params[name]?.pattern ?? '')?.[1]
    return prefix === undefined ? 'absent' : `${prefix}_absent`
  })
}
