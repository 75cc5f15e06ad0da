/**
 * Writes what the published program is made of: a software bill of materials in CycloneDX, from what npm says of the
 * lock file. It has what is run and what is bundled, with hashes and licences, and no tool of the development.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommit, readSourceDate, readVersion } from './commit.ts'
import { root, runProgram } from './program.ts'

/** What a bill lists. */
type Component = {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl?: string
  readonly [member: string]: unknown
}

type Dependency = { readonly ref: string; readonly dependsOn: readonly string[] }
type Bill = {
  readonly metadata: { readonly component: Component; readonly [member: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
  readonly [member: string]: unknown
}
type ShippedPackage = {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

type ShippedPackages = ReadonlyMap<string, ShippedPackage>

/** Writes the bill into a directory. Returns its path. */
export async function writeBill(directory: string): Promise<string> {
  const version = await readVersion()
  const path = join(directory, `bourse-${version}.cdx.json`)
  await writeFile(path, `${JSON.stringify(await makeBill(), null, 2)}\n`)
  return path
}

async function makeBill(): Promise<Bill> {
  const words = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const whole = JSON.parse(await runProgram('npm', words, { cwd: root })) as Bill
  const { component } = whole.metadata
  const manifests = await readManifests()
  const shipped = shippedRefs(whole, manifests)
  const commit = await readCommit()
  // npm names the component by its folder.
  const own = { ...component, name: 'bourse', type: 'application', ...(commit === undefined ? {} : versioned(commit)) }
  const components = whole.components.filter((one) => shipped.has(refOf(one))).map((one) => asShipped(one, manifests))
  return {
    ...whole,
    serialNumber: serialNumberOf(JSON.stringify([own, components])),
    metadata: {
      ...whole.metadata,
      timestamp: new Date((await readSourceDate()) * 1000).toISOString(),
      component: own,
    },
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) })),
  }
}

function versioned(commit: string): object {
  return { properties: [{ name: 'bourse:commit', value: commit }] }
}

/**
 * npm marks what the console is built from as a tool of the development, and the build puts it into pages. It also
 * names a package of the repository by its folder.
 */
function asShipped(component: Component, manifests: ShippedPackages): Component {
  const properties = component.properties as readonly { readonly name: string }[]
  return {
    ...component,
    ...(manifests.has(nameOf(refOf(component))) ? { licenses: [{ license: { id: 'Apache-2.0' } }] } : {}),
    name: nameOf(refOf(component)),
    scope: 'required',
    properties: properties.filter(({ name }) => !name.endsWith(':development')),
  }
}

function refOf(component: Component): string {
  return component['bom-ref']
}

/** The name in a reference such as `@bourse/api@0.1.0`. */
function nameOf(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('@'))
}

/** What is reached from our packages by what they run, and from the console by what its pages are built from. */
function shippedRefs({ metadata, components, dependencies }: Bill, own: ShippedPackages): ReadonlySet<string> {
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const found = new Set<string>()
  const open = [metadata.component, ...components].map(refOf).filter((ref) => own.has(nameOf(ref)))
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (found.has(ref)) continue
    found.add(ref)
    const manifest = own.get(nameOf(ref))
    const next = edges.get(ref) ?? []
    // Types are for compilers, also where a package asks for them.
    const run = next.filter((one) => !one.startsWith('@types/'))
    open.push(...(manifest ? run.filter((one) => isShipped(manifest, nameOf(one))) : run))
  }
  return found
}

function isShipped(
  { name: of, dependencies, optionalDependencies, devDependencies }: ShippedPackage,
  name: string,
): boolean {
  if (name in { ...dependencies, ...optionalDependencies }) return true
  return of === '@bourse/console' && name in { ...devDependencies }
}

async function readManifests(): Promise<ShippedPackages> {
  const paths = ['package.json', ...globSync('packages/*/package.json', { cwd: root })]
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')))
  return new Map(texts.map((text) => JSON.parse(text) as ShippedPackage).map((manifest) => [manifest.name, manifest]))
}

/** The same bill has the same number: a UUID of version 8, made of its digest. */
function serialNumberOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
}
