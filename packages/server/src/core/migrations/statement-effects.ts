/**
 * What a statement of a migration does to tables that are in use: the locks that it takes, how much of a table it
 * reads or writes while it holds them, and whether it takes something away that older programs may use. Pure, so that
 * `bourse migrate --plan` and the check of the repository say the same. It knows the statements that migrations use,
 * as PostgreSQL 17 and 18 run them; of any other it says that it does not know.
 */

/** The lock modes of PostgreSQL that matter here, weakest first. */
export const lockModes = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type LockMode = (typeof lockModes)[number]

/**
 * How the time of a statement grows: `none` is a moment; `scan` reads the table, `rewrite` writes it anew; `rows`
 * changes rows, which stay locked until the end of the transaction; `unknown` is not analysed.
 */
export type StatementWork = 'none' | 'scan' | 'rewrite' | 'rows' | 'unknown'

/** A lock on a table, or on the table of an index whose name alone the statement has. */
export type StatementLock =
  | { readonly mode: LockMode; readonly table: string }
  | { readonly mode: LockMode; readonly index: string }

export type StatementEffect = {
  /** In a few words of SQL, such as `add column`. */
  readonly action: string
  readonly locks: readonly StatementLock[]
  readonly work: StatementWork
  /** Whether programs that were written before it may fail with it. */
  readonly is_contract: boolean
  /** The table that it creates. Locks on that matter to nobody. */
  readonly creates: string | undefined
}

const none: StatementEffect = { action: '', locks: [], work: 'none', is_contract: false, creates: undefined }

/** Whether other transactions must wait for a lock of this mode: to write, or to read and write. */
export function blockedBy(mode: LockMode): 'nothing' | 'writes' | 'reads and writes' {
  if (mode === 'ACCESS EXCLUSIVE') return 'reads and writes'
  return lockModes.indexOf(mode) >= lockModes.indexOf('SHARE') ? 'writes' : 'nothing'
}

type StatementCase = readonly [
  pattern: RegExp,
  effect: (groups: Readonly<Record<string, string>>, words: string) => Partial<StatementEffect>,
]

const table = '(?:only )?(?:\\w+ \\. )?(?<table>[^ ]+) '
const cases: readonly StatementCase[] = [
  [/^create (?:unlogged )?table (?:if not exists )?(?:\w+ \. )?(?<table>[^ ]+) /, createTable],
  [
    pattern(`^create (?:unique )?index (?<concurrently>concurrently )?.*?on ${table}`),
    ({ concurrently, table }) =>
      concurrently
        ? { action: 'create index concurrently', locks: on(table, 'SHARE UPDATE EXCLUSIVE'), work: 'scan' }
        : { action: 'create index', locks: on(table, 'SHARE'), work: 'scan' },
  ],
  [
    /^drop index (?<concurrently>concurrently )?(?:if exists )?(?:\w+ \. )?(?<index>[^ ]+) /,
    ({ concurrently, index = '' }) => ({
      action: concurrently ? 'drop index concurrently' : 'drop index',
      locks: [{ mode: concurrently ? 'SHARE UPDATE EXCLUSIVE' : 'ACCESS EXCLUSIVE', index }],
    }),
  ],
  [
    pattern(`^drop table (?:if exists )?${table}`),
    ({ table }) => ({ action: 'drop table', locks: on(table, 'ACCESS EXCLUSIVE'), is_contract: true }),
  ],
  [
    pattern(`^truncate (?:table )?${table}`),
    ({ table }) => ({ action: 'truncate', locks: on(table, 'ACCESS EXCLUSIVE') }),
  ],
  [
    pattern(`^alter table (?:if exists )?${table}(?<actions>.*)$`),
    ({ table, actions = '' }) => alterTable(table, actions),
  ],
  [
    pattern(`^create (?:or replace )?(?:constraint )?trigger .*? on ${table}`),
    ({ table }) => ({ action: 'create trigger', locks: on(table, 'SHARE ROW EXCLUSIVE') }),
  ],
  [
    pattern(`^drop trigger .*? on ${table}`),
    ({ table }) => ({ action: 'drop trigger', locks: on(table, 'ACCESS EXCLUSIVE') }),
  ],
  [
    pattern(`^insert into ${table}`),
    ({ table }) => ({ action: 'insert', locks: on(table, 'ROW EXCLUSIVE'), work: 'rows' }),
  ],
  [pattern(`^update ${table}`), ({ table }) => ({ action: 'update', locks: on(table, 'ROW EXCLUSIVE'), work: 'rows' })],
  [
    pattern(`^delete from ${table}`),
    ({ table }) => ({ action: 'delete', locks: on(table, 'ROW EXCLUSIVE'), work: 'rows' }),
  ],
  [
    /^create (?:or replace )?(?<what>function|procedure|view|sequence|type|schema) /,
    ({ what }) => ({ action: `create ${what}` }),
  ],
  [
    /^drop (?<what>function|procedure|view|sequence|type|schema) /,
    ({ what }) => ({ action: `drop ${what}`, is_contract: true }),
  ],
  [/^(?<what>grant|comment on) /, ({ what }) => ({ action: what ?? '' })],
  [/^revoke /, () => ({ action: 'revoke', is_contract: true })],
]

/** The effect of a statement, given as the words of splitStatements. */
export function effectOf(words: string): StatementEffect {
  for (const [pattern, effect] of cases) {
    const found = pattern.exec(words)
    if (found) return { ...none, ...effect(found.groups ?? {}, words) }
  }
  return { ...none, action: beginning(words), work: 'unknown' }
}

function pattern(source: string): RegExp {
  return new RegExp(source)
}

function beginning(words: string): string {
  return words.split(' ').slice(0, 3).join(' ').trim()
}

function on(table: string | undefined, mode: LockMode): StatementLock[] {
  return [{ mode, table: table ?? '' }]
}

function createTable({ table = '' }: Readonly<Record<string, string>>, words: string): Partial<StatementEffect> {
  const parent = /\) partition of (?:\w+ \. )?([^ ]+) |^create table [^(]*partition of (?:\w+ \. )?([^ ]+) /.exec(words)
  const parents = parent ? on(parent[1] ?? parent[2], 'ACCESS EXCLUSIVE') : []
  return {
    action: 'create table',
    creates: table,
    locks: [...parents, ...referred(words).filter((lock) => 'table' in lock && lock.table !== table)],
  }
}

/** A foreign key creates triggers on the table that it refers to. */
function referred(words: string): StatementLock[] {
  return [...words.matchAll(/(?:^| )references (?:\w+ \. )?([^ ]+) /g)].flatMap(([, table]) =>
    on(table, 'SHARE ROW EXCLUSIVE'),
  )
}

/** The actions of one ALTER TABLE run under the strongest of their locks. */
function alterTable(table: string | undefined, actions: string): Partial<StatementEffect> {
  const parts = topLevel(actions).map((action) => ({ ...none, ...alteration(table, action) }))
  const works: readonly StatementWork[] = ['none', 'scan', 'rewrite', 'unknown']
  const work = parts.reduce<StatementWork>(
    (most, one) => (works.indexOf(one.work) > works.indexOf(most) ? one.work : most),
    'none',
  )
  return {
    action: [...new Set(parts.map(({ action }) => action))].join(', '),
    locks: strongest(parts.flatMap(({ locks }) => locks)),
    work,
    is_contract: parts.some(({ is_contract }) => is_contract),
  }
}

const volatileDefault = /default .*?(?:random|uuid\w*|clock_timestamp|nextval|bourse_\w+) \(/

function alteration(table: string | undefined, words: string): Partial<StatementEffect> {
  const exclusive = on(table, 'ACCESS EXCLUSIVE')
  if (/^add (?:column )?(?!constraint |check |foreign |unique |primary |exclude )/.test(words)) {
    const rewrites = volatileDefault.test(words) || /generated |serial /.test(words)
    const scans = /check |unique |primary key /.test(words)
    return {
      action: 'add column',
      locks: [...exclusive, ...referred(words)],
      work: rewrites ? 'rewrite' : scans ? 'scan' : 'none',
    }
  }
  if (words.startsWith('add ')) return addConstraint(table, words)
  if (words.startsWith('validate constraint ')) {
    return { action: 'validate constraint', locks: on(table, 'SHARE UPDATE EXCLUSIVE'), work: 'scan' }
  }
  if (words.startsWith('drop constraint ')) return { action: 'drop constraint', locks: exclusive }
  if (words.startsWith('drop ')) return { action: 'drop column', locks: exclusive, is_contract: true }
  if (words.startsWith('rename ')) return { action: 'rename', locks: exclusive, is_contract: true }
  if (/^alter .*?(?:set data )?type /.test(words)) {
    return { action: 'alter column type', locks: exclusive, work: 'rewrite', is_contract: true }
  }
  if (/^alter .* set not null $/.test(words)) {
    return { action: 'set not null', locks: exclusive, work: 'scan', is_contract: true }
  }
  if (/^alter .* drop default $/.test(words)) return { action: 'drop default', locks: exclusive, is_contract: true }
  if (/^alter .* (?:drop not null|set default .*) $/.test(words)) return { action: 'alter column', locks: exclusive }
  if (/^alter .* set statistics |^set \(|^reset \(/.test(words)) {
    return { action: 'set storage parameters', locks: on(table, 'SHARE UPDATE EXCLUSIVE') }
  }
  return { action: beginning(words), locks: exclusive, work: 'unknown' }
}

function addConstraint(table: string | undefined, words: string): Partial<StatementEffect> {
  const isReference = / ?foreign key | references /.test(words)
  const locks = isReference ? [...on(table, 'SHARE ROW EXCLUSIVE'), ...referred(words)] : on(table, 'ACCESS EXCLUSIVE')
  const isLater = /not valid $/.test(words) || /using index /.test(words)
  return {
    action: isLater ? 'add constraint, not validated' : 'add constraint',
    locks,
    work: isLater ? 'none' : 'scan',
  }
}

/** The parts between the commas outside of parentheses. */
function topLevel(words: string): string[] {
  const parts = ['']
  let depth = 0
  for (const word of words.split(' ').slice(0, -1)) {
    if (word === '(') depth += 1
    if (word === ')') depth -= 1
    if (word === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += `${word} `
  }
  return parts
}

/** One lock for each table. */
function strongest(locks: readonly StatementLock[]): StatementLock[] {
  const byTable = new Map<string, StatementLock>()
  for (const lock of locks) {
    const name = 'table' in lock ? lock.table : lock.index
    const known = byTable.get(name)
    if (!known || lockModes.indexOf(lock.mode) > lockModes.indexOf(known.mode)) byTable.set(name, lock)
  }
  return [...byTable.values()]
}
