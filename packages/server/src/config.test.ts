import assert from 'node:assert/strict'
import { availableParallelism, hostname } from 'node:os'
import type { Environment } from '@bourse/text/program.ts'
import { test } from 'vitest'
import { readConfig } from './config.ts'
import { isStartProblem } from './core/base/start-problem.ts'
import { insecureSettings } from './start/insecure-settings.ts'

const production = { BOURSE_DATABASE_URL: 'postgres://b@db.example/b', BOURSE_PUBLIC_URL: 'https://market.example' }

test('servers of one database need a shared store of images, and commands beside them do not', () => {
  const several = { ...production, BOURSE_REPLICAS: '2' }
  assert.throws(
    () => readConfig('production', several),
    (error) => isStartProblem(error, 'bad_configuration') && /BOURSE_IMAGE_STORE/.test(error.message),
  )
  assert.equal(readConfig('production', several, { serves: false }).replicas, 2)
})

test('production drains for five seconds by default, a sandbox does not drain', () => {
  assert.equal(readConfig('production', production).drain_seconds, 5)
  assert.equal(readConfig('production', { ...production, BOURSE_DRAIN_SECONDS: '0' }).drain_seconds, 0)
  assert.equal(readConfig('sandbox', {}).drain_seconds, 0)
})

test('the log names a replica by its host unless it has a name', () => {
  assert.equal(readConfig('production', production).replica_name, hostname())
  assert.equal(readConfig('production', { ...production, BOURSE_REPLICA_NAME: 'eu-1' }).replica_name, 'eu-1')
})

test('traces are off, and a wrong setting of them refuses the start by its name', () => {
  assert.equal(readConfig('production', production).tracing, undefined)
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
  const tracing = readConfig('sandbox', { OTEL_EXPORTER_OTLP_ENDPOINT }).tracing
  assert.equal(tracing?.url, 'http://collector:4318/v1/traces')
  const wrong = { ...production, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'some' }
  assert.throws(() => readConfig('production', wrong), /OTEL_TRACES_SAMPLER must be one of/)
})

test('deliveries of webhooks go through a proxy only where one is set', () => {
  assert.equal(readConfig('production', production).webhook_proxy, undefined)
  const BOURSE_WEBHOOK_PROXY = 'http://proxy.internal:3128'
  assert.equal(readConfig('production', { ...production, BOURSE_WEBHOOK_PROXY }).webhook_proxy, BOURSE_WEBHOOK_PROXY)
  assert.throws(() => readConfig('production', { ...production, BOURSE_WEBHOOK_PROXY: 'proxy:3128' }), /WEBHOOK_PROXY/)
})

test('no proxy is trusted unless it is named, by its address or a network', () => {
  const read = (BOURSE_TRUSTED_PROXIES: string) =>
    readConfig('production', { ...production, BOURSE_TRUSTED_PROXIES }).trusted_proxies
  assert.deepEqual(readConfig('production', production).trusted_proxies, [])
  assert.deepEqual(
    read('127.0.0.1, 10.0.0.0/8,2001:db8::1').map(({ family, prefix }) => [family, prefix]),
    [
      [4, 32],
      [4, 8],
      [6, 128],
    ],
  )
  for (const text of ['10.0.0.1/8', 'proxy', '10.0.0.0/33', '*', Array(65).fill('10.0.0.1').join(',')]) {
    const isNamed = (error: Error) =>
      isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_TRUSTED_PROXIES')
    assert.throws(() => read(text), isNamed, text)
  }
})

test('what proxies send is read from one header, which says nothing unless a proxy is named', () => {
  const read = (BOURSE_PROXY_HEADER?: string, BOURSE_TRUSTED_PROXIES = '10.0.0.1') =>
    readConfig('production', { ...production, BOURSE_PROXY_HEADER, BOURSE_TRUSTED_PROXIES }).proxy_header
  assert.deepEqual([read(), read(''), read(undefined, '')], Array(3).fill('x-forwarded-for'))
  for (const name of ['x-forwarded-for', 'forwarded', 'proxy-protocol']) assert.equal(read(name), name)
  const isNamed = (error: Error) =>
    isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_PROXY_HEADER')
  for (const text of ['X-Forwarded-For', 'x-real-ip', 'forwarded,proxy-protocol', 'proxy-protocol-v1']) {
    assert.throws(() => read(text), isNamed, text)
  }
  for (const text of ['x-forwarded-for', 'forwarded', 'proxy-protocol']) {
    const isMissing = (error: Error) => isNamed(error) && error.message.includes('BOURSE_TRUSTED_PROXIES')
    assert.throws(() => read(text, ''), isMissing, text)
  }
})

test('names by which the metrics may be asked for are listed without ports', () => {
  const read = (BOURSE_ALLOWED_HOSTS: string) =>
    readConfig('production', { ...production, BOURSE_ALLOWED_HOSTS }).allowed_hosts
  assert.deepEqual(readConfig('production', production).allowed_hosts, [])
  assert.deepEqual(read('bourse.internal, Bourse-1.example,'), ['bourse.internal', 'Bourse-1.example'])
  for (const text of ['bourse.internal:9090', '*.example', 'https://bourse.example', 'a b', 'a'.repeat(254)]) {
    assert.throws(() => read(text), /BOURSE_ALLOWED_HOSTS must list names/, text)
  }
})

test('credits need a second operator only above a limit that is set', () => {
  const read = (BOURSE_DUAL_CONTROL_DOLLARS: string) =>
    readConfig('production', { ...production, BOURSE_DUAL_CONTROL_DOLLARS }).dual_control_dollars
  assert.equal(readConfig('production', production).dual_control_dollars, undefined)
  assert.deepEqual([read(''), read('0'), read('10000')], [undefined, 0, 10_000])
  for (const text of ['-1', '10.5', '$100', '1000000000001']) {
    const isNamed = (error: Error) =>
      isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_DUAL_CONTROL_DOLLARS')
    assert.throws(() => read(text), isNamed, text)
  }
})

test('browsers are told to use https for a year, unless told otherwise', () => {
  assert.equal(readConfig('production', production).hsts_seconds, 31_536_000)
  assert.equal(readConfig('production', { ...production, BOURSE_HSTS_SECONDS: '0' }).hsts_seconds, 0)
  assert.throws(() => readConfig('production', { ...production, BOURSE_HSTS_SECONDS: '-1' }), /BOURSE_HSTS_SECONDS/)
})

test('an idle connection stays open for longer than load balancers keep it, unless told otherwise', () => {
  const secondsOf = (BOURSE_KEEP_ALIVE_SECONDS?: string) =>
    readConfig('production', { ...production, BOURSE_KEEP_ALIVE_SECONDS }).keep_alive_seconds
  assert.deepEqual([secondsOf(), secondsOf('15'), secondsOf('3600')], [75, 15, 3600])
  for (const wrong of ['14', '3601', 'long']) assert.throws(() => secondsOf(wrong), /BOURSE_KEEP_ALIVE_SECONDS/)
})

test('an invalid drain time stops the start and is named', () => {
  for (const BOURSE_DRAIN_SECONDS of ['301', '-1', '1.5', 'five']) {
    assert.throws(
      () => readConfig('production', { ...production, BOURSE_DRAIN_SECONDS }),
      (error: Error) => isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_DRAIN_SECONDS'),
      BOURSE_DRAIN_SECONDS,
    )
  }
})

test('servers and their metrics listen on this machine only, unless told otherwise', () => {
  for (const config of [readConfig('production', production), readConfig('sandbox', { BOURSE_METRICS_PORT: '1' })]) {
    assert.deepEqual([config.host, config.metrics_host], ['127.0.0.1', '127.0.0.1'])
  }
  const open = { BOURSE_HOST: '0.0.0.0', BOURSE_INSECURE_METRICS_HOST: '10.0.0.7' }
  const { host, metrics_host } = readConfig('production', { ...production, ...open })
  assert.deepEqual([host, metrics_host], ['0.0.0.0', '10.0.0.7'])
})

test('a replica has a worker for each processor, at most eight, unless told otherwise; a sandbox has one', () => {
  const read = (BOURSE_WORKERS?: string) => readConfig('production', { ...production, BOURSE_WORKERS }).workers
  assert.equal(read(), Math.min(8, availableParallelism()))
  assert.deepEqual([read('1'), read('64')], [1, 64])
  for (const text of ['0', '65', '99', 'two', '-1', '1.5']) {
    const isNamed = (error: Error) =>
      isStartProblem(error, 'bad_configuration') && /BOURSE_WORKERS must be .* between 1 and 64/.test(error.message)
    assert.throws(() => read(text), isNamed, text)
  }
  assert.equal(readConfig('sandbox', { BOURSE_WORKERS: '4' }).workers, 1)
})

test('https needs the files of both a certificate and its key', () => {
  const read = (more: Environment) => readConfig('production', { ...production, ...more })
  assert.equal(read({}).tls_files, undefined)
  const both = { BOURSE_TLS_CERT_FILE: '/tls/crt', BOURSE_TLS_KEY_FILE: '/tls/key' }
  const config = read({ ...both, BOURSE_HOST: '0.0.0.0' })
  assert.deepEqual(config.tls_files, { certificate: '/tls/crt', key: '/tls/key' })
  assert.deepEqual(insecureSettings(config), [])
  for (const name of ['BOURSE_TLS_CERT_FILE', 'BOURSE_TLS_KEY_FILE']) {
    const isNamed = (error: Error) =>
      isStartProblem(error, 'bad_configuration') && error.message.startsWith(`Set ${name} too`)
    assert.throws(() => read({ ...both, [name]: '' }), isNamed)
  }
})

test('production refuses an http public URL of another machine, unless told otherwise', () => {
  const read = (BOURSE_PUBLIC_URL: string, more: Environment = {}) =>
    readConfig('production', { ...production, BOURSE_PUBLIC_URL, ...more }).public_url
  const names = (name: string) => (error: Error) =>
    isStartProblem(error, 'bad_configuration') && error.message.includes(name)
  assert.throws(() => read('http://market.example'), names('BOURSE_INSECURE_PUBLIC_URL=1'))
  assert.throws(() => read('http://market.example', { BOURSE_INSECURE_PUBLIC_URL: '0' }), names('BOURSE_PUBLIC_URL'))
  const told = { BOURSE_INSECURE_PUBLIC_URL: '1' }
  assert.equal(read('http://market.example', told), 'http://market.example')
  assert.throws(() => read('http://market.example', { BOURSE_INSECURE_PUBLIC_URL: 'yes' }), names('must be 1 or 0'))
  assert.equal(read('http://localhost:8080'), 'http://localhost:8080')
  const inSandbox = readConfig('sandbox', { BOURSE_PUBLIC_URL: 'http://10.0.0.7:8080' })
  assert.equal(inSandbox.public_url, 'http://10.0.0.7:8080')
})

test('each insecure setting in use is listed with what it exposes', () => {
  const listed = (more: Environment, mode: 'production' | 'sandbox' = 'production') =>
    insecureSettings(readConfig(mode, { ...production, ...more })).map(({ setting }) => setting)
  const database = (parameters: string) => ({ BOURSE_DATABASE_URL: `postgres://b@db.example/b${parameters}` })
  assert.deepEqual(listed({}), [])
  assert.deepEqual(listed({ BOURSE_HOST: '0.0.0.0' }), ['BOURSE_HOST=0.0.0.0'])
  const metrics = 'BOURSE_INSECURE_METRICS_HOST'
  assert.deepEqual(listed({ [metrics]: '10.0.0.7' }), [`${metrics}=10.0.0.7`])
  assert.deepEqual(listed({ [metrics]: '10.0.0.7' }, 'sandbox'), [])
  const plain = 'BOURSE_INSECURE_HOST_TRAFFIC'
  assert.deepEqual([listed({ [plain]: '1' }), listed({ [plain]: '0' })], [[plain], []])
  const http = { BOURSE_PUBLIC_URL: 'http://market.example', BOURSE_INSECURE_PUBLIC_URL: '1' }
  assert.deepEqual(listed(http), ['BOURSE_INSECURE_PUBLIC_URL'])
  assert.deepEqual(listed({ BOURSE_INSECURE_PUBLIC_URL: '1' }), [])
  const bucket = { BOURSE_IMAGE_STORE: 's3://images', BOURSE_S3_CREDENTIALS_FILE: '/dev/null' }
  assert.deepEqual(listed({ ...bucket, BOURSE_S3_ENDPOINT: 'http://store.example' }), ['BOURSE_S3_ENDPOINT'])
  assert.deepEqual(listed({ ...bucket, BOURSE_S3_ENDPOINT: 'https://store.example' }), [])
  for (const mode of ['disable', 'no-verify', 'verify-ca']) {
    assert.deepEqual(listed(database(`?sslmode=${mode}`)), [`sslmode=${mode} in BOURSE_DATABASE_URL`])
  }
  assert.deepEqual(listed({ BOURSE_DATABASE_URL: 'postgres://b@localhost/b' }), [])
})

test('the networks of hosts are read as they are written', () => {
  const { host_networks } = readConfig('production', { ...production, BOURSE_HOST_NETWORKS: '10.0.0.0/8' })
  const none = { hosts: undefined, publics: undefined, tunnels: undefined, accepts_unencrypted: false }
  assert.deepEqual(host_networks, { ...none, hosts: '10.0.0.0/8' })
  const publics = readConfig('production', { ...production, BOURSE_PUBLIC_NETWORKS: '192.0.2.0/24' }).host_networks
  assert.deepEqual(publics, { ...none, publics: '192.0.2.0/24' })
  const tunnels = readConfig('sandbox', { BOURSE_TUNNEL_NETWORK: '10.9.0.0/16' }).host_networks
  assert.deepEqual(tunnels, { ...none, tunnels: '10.9.0.0/16' })
})
