import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isStartProblem } from '../base/start-problem.ts'
import { describeTarget, parseDatabaseUrl } from './database-target.ts'

test('a URL becomes the settings of the driver', () => {
  const whole = parseDatabaseUrl('postgres://ann:p%40ss%2Fw@db.example.com:6432/shop')
  const ssl = { rejectUnauthorized: true }
  const place = { host: 'db.example.com', port: 6432, user: 'ann', database: 'shop' }
  assert.deepEqual(whole, { ...place, password: 'p@ss/w', ssl })
  const short = parseDatabaseUrl('postgresql://ann@[::1]/shop')
  assert.deepEqual(short, { host: '::1', port: 5432, user: 'ann', database: 'shop' })
})

test('the host or the parameter can name a socket directory', () => {
  const expected = { host: '/run/pg', port: 5432, user: 'ann', database: 'shop' }
  assert.deepEqual(parseDatabaseUrl('postgres://ann@%2Frun%2Fpg/shop'), expected)
  assert.deepEqual(parseDatabaseUrl('postgres://ann@/shop?host=/run/pg'), expected)
})

test('several hosts become several addresses', () => {
  const target = parseDatabaseUrl(
    'postgres://ann:pw@db1,[::1]:6432,%2Frun%2Fpg:5433/shop?target_session_attrs=read-write',
  )
  assert.deepEqual(target, {
    host: 'db1',
    port: 5432,
    others: [
      { host: '::1', port: 6432 },
      { host: '/run/pg', port: 5433 },
    ],
    user: 'ann',
    password: 'pw',
    database: 'shop',
    ssl: { rejectUnauthorized: true },
  })
  const near = parseDatabaseUrl('postgres://ann@localhost,db2/shop')
  assert.deepEqual(near.ssl, { rejectUnauthorized: true }, 'one address on another machine needs verification')
  assert.equal(describeTarget(target), 'database "shop" at db1:5432 or ::1:6432 or socket /run/pg as user "ann"')
})

test('an unsupported URL is refused with a message without the password', () => {
  const cases = [
    ['', /is not a PostgreSQL URL/],
    ['mysql://ann:hunter2@db/shop', /is not a PostgreSQL URL/],
    ['ann:hunter2@db/shop', /is not a PostgreSQL URL/],
    ['postgres://ann:hunter2@/shop', /names no host/],
    ['postgres://db/shop', /names no user/],
    ['postgres://ann:hunter2@db', /names no database/],
    ['postgres://ann:hunter2@db/', /names no database/],
    ['postgres://ann:hunter2%zz@db/shop', /password.*%25/],
    ['postgres://ann:hunter2@db,/shop', /a part that is not host:port/],
    ['postgres://ann:hunter2@db,db2:x/shop', /a part that is not host:port/],
    ['postgres://ann:hunter2@db,db2/shop?host=/run/pg', /several hosts and the parameter "host"/],
    ['postgres://ann:hunter2@db/shop?target_session_attrs=standby', /Use read-write/],
    ['postgres://ann:hunter2@db/shop?sslmode=prefer', /Use verify-full, verify-ca, no-verify or disable/],
    ['postgres://ann:hunter2@db/shop?sslmode=require', /encrypts without verifying the server.*no-verify/],
    ['postgres://ann:hunter2@db/shop?connect_timeout=5', /"connect_timeout", which is not supported/],
    ['postgres://ann:hunter2@db/shop?sslrootcert=/no/such/file', /\/no\/such\/file, cannot be read/],
  ] as const
  for (const [url, says] of cases) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error) =>
        isStartProblem(error, 'bad_database_url') && says.test(error.message) && !error.message.includes('hunter2'),
      url,
    )
  }
})

test('the description of a target contains no password', () => {
  const text = describeTarget(parseDatabaseUrl('postgres://ann:hunter2@db/shop'))
  assert.equal(text, 'database "shop" at db:5432 as user "ann"')
})
