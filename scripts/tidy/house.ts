/** Business areas and the layers around them, leftmost first. A file imports from its own area and from the left. */
export const areaLine = [
  'core',
  'iam',
  'events',
  'webhooks',
  'billing',
  'market',
  'images',
  'network',
  'fleet',
  'automation',
  'accounting',
  'sandbox',
  // About the process itself; no business of the market.
  'process',
  'app',
  'assembly',
  'main',
  'start',
] as const

/** Rooms of the areas that are divided: folders, leftmost first. A room imports from itself and from the left. */
export const roomLines: Readonly<Record<string, readonly string[]>> = {
  core: [
    'base',
    'generated',
    'trace',
    'egress',
    'db',
    'migrations',
    'postgres',
    'keys',
    'blobs',
    'backup',
    'work',
    'audit',
    'proxies',
    'tls',
    'http',
    'docs',
    'console',
  ],
  events: ['log', 'serving', 'audits'],
  iam: ['names', 'access', 'audit', 'tokens', 'people', 'passkeys', 'ssh-keys', 'accounts', 'providers', 'pages'],
  market: ['schedule', 'book', 'skus', 'pools', 'trading', 'orders'],
  fleet: ['tunnels', 'hosts', 'hardware', 'instances', 'attestation', 'placement', 'agents', 'rollouts'],
  accounting: ['usage', 'statements', 'exports', 'platform'],
  sandbox: ['world', 'hosts', 'makers', 'faults', 'scenarios'],
}

/** The rooms of packages whose folders below src are rooms, leftmost first. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  cli: ['output', 'input', 'commands'],
  // The parts that know no area, then the areas in the order of the server's, then the frame around all pages.
  console: [
    'generated',
    'ui',
    'live',
    'access',
    'events',
    'webhooks',
    'money',
    'market',
    'images',
    'network',
    'fleet',
    'automation',
    'sandbox',
    'operator',
    'overview',
    'app',
  ],
}

/** A folder with more files than this, tests aside, may hide its structure. */
export const folderFilesMax = 40

/** The roles of files in an area. */
export const roles = ['routes', 'service', 'rules', 'store', 'reconciler', 'audit', 'figures'] as const
export type Role = (typeof roles)[number]

/** Which packages a package may import. */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  text: [],
  api: ['text'],
  sdk: ['text'],
  server: ['api', 'text'],
  agent: ['api', 'text'],
  cli: ['api', 'sdk', 'server', 'agent', 'text'],
  console: ['api', 'sdk', 'text'],
}

/** The entries of published packages: they re-export what others import, and no file here has to import them. */
export const publishedEntries: readonly string[] = ['packages/sdk/src/sdk.ts']

/** The place of a file, from its path: package, area, noun and role. */
export type FileAddress = {
  /** The folder below packages/, or the first folder of any other path. */
  readonly home: string
  /** `src`, `test`, or '' outside of packages. */
  readonly side: string
  /** The folder below src. For files at its root: app for app, core for config, main for all others. */
  readonly area: string
  /** The folder inside the area or, in the CLI, inside src; '' for files outside of a room. */
  readonly room: string
  /** The part of the name before the role: `orders` for orders.store.ts. */
  readonly noun: string
  readonly role: Role | undefined
  readonly isTest: boolean
}

export function fileAddress(path: string): FileAddress {
  const parts = path.split('/')
  const file = parts[parts.length - 1] as string
  const isTest = /\.test\.tsx?$/.test(file)
  const inPackage = parts[0] === 'packages' && parts.length > 3
  const home = inPackage ? (parts[1] as string) : (parts[0] as string)
  const side = inPackage ? (parts[2] as string) : ''
  const area = inPackage ? areaOf(parts) : ''
  const room = inPackage ? roomOf(parts, area) : ''
  const [noun = '', suffix, ending] = file.split('.')
  const role = ending === 'ts' && isRole(suffix) ? suffix : undefined
  return { home, side, area, room, noun, role, isTest }
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path)
}

export function isGenerated(path: string): boolean {
  return path.includes('/generated/')
}

/** Whether the file belongs to a business area, where it needs a role. */
export function inBusinessArea(place: FileAddress): boolean {
  if (place.home !== 'server' || place.side !== 'src') return false
  const at = areaLine.indexOf(place.area as (typeof areaLine)[number])
  return at > areaLine.indexOf('core') && at < areaLine.indexOf('app')
}

function areaOf(parts: readonly string[]): string {
  if (parts.length > 4) return parts[3] as string
  const [name] = (parts[3] as string).split('.')
  return name === 'config' ? 'core' : name === 'app' ? 'app' : 'main'
}

function roomOf(parts: readonly string[], area: string): string {
  const isDivided = (parts[1] as string) in packageRooms && parts[2] === 'src'
  if (isDivided) return parts.length > 4 ? (parts[3] as string) : ''
  return area in roomLines && parts.length > 5 ? (parts[4] as string) : ''
}

function isRole(word: string | undefined): word is Role {
  return (roles as readonly string[]).includes(word ?? '')
}
