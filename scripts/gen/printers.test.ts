import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Catalogue } from './catalogue.ts'
import { fingerprintOf } from './fingerprint.ts'
import { printSchema } from './schema.ts'
import { printTables, valueType } from './tables.ts'

const plain = { collation: null, not_null: true, default: null, identity: null, generated: false } as const

const catalogue: Catalogue = {
  tables: [
    {
      name: 'orders',
      columns: [
        { ...plain, name: 'id', type: 'text', collation: 'C' },
        { ...plain, name: 'held_micros', type: 'bigint', not_null: false },
        { ...plain, name: 'number', type: 'bigint', identity: 'a' },
        { ...plain, name: 'open', type: 'boolean', default: 'true' },
      ],
      constraints: ['constraint orders_pkey PRIMARY KEY (id)'],
      indexes: ['CREATE INDEX orders_by_number ON public.orders USING btree (number)'],
      partition_key: 'RANGE (number)',
      options: 'fillfactor=70',
      grants: [{ role: 'bourse_app', rights: 'select, insert' }],
    },
  ],
  functions: ['CREATE FUNCTION public.one()\n RETURNS bigint \nAS $$ select 1 $$\n'],
  triggers: [],
}

test('the schema is printed as SQL, without the name of the schema', () => {
  assert.equal(
    printSchema(catalogue, 'abc').split('\n').slice(1).join('\n'),
    `-- migrations: abc

CREATE FUNCTION one()
 RETURNS bigint
AS $$ select 1 $$;

create table orders (
  id text collate "C" not null,
  held_micros bigint,
  number bigint not null generated always as identity,
  open boolean not null default true,
  constraint orders_pkey PRIMARY KEY (id)
) partition by range (number) with (fillfactor=70);
CREATE INDEX orders_by_number ON orders USING btree (number);
grant select, insert on orders to bourse_app;
`,
  )
})

test('the type of a row has the types that the driver returns', () => {
  const lines = printTables(catalogue, 'abc').split('\n')
  const row = lines.slice(lines.indexOf('  orders: {') + 1, lines.indexOf('  }'))
  assert.deepEqual(row, [
    "    id: Id<'order'>",
    '    held_micros: bigint | null',
    '    number: number',
    '    open: boolean',
  ])
})

test('money is a bigint, bytes are a Buffer, lists are arrays, and time without a zone is refused', () => {
  const types = ['text', 'bigint', 'numeric', 'bytea', 'jsonb', 'text[]', 'character varying(40)']
  assert.deepEqual(
    types.map((type) => valueType({ name: 'a', type })),
    ['string', 'number', 'bigint', 'Buffer', 'unknown', 'string[]', 'string'],
  )
  assert.equal(valueType({ name: 'price_micros', type: 'bigint' }), 'bigint')
  assert.throws(() => valueType({ name: 'made', type: 'timestamp without time zone' }), /time is bigint seconds/)
})

test('the fingerprint depends on names and texts, not on their order', () => {
  const one = { path: 'migrations/0001_a.sql', text: 'a' }
  const two = { path: 'migrations/0002_b.sql', text: 'b' }
  assert.equal(fingerprintOf([one, two]), fingerprintOf([two, one]))
  assert.notEqual(fingerprintOf([one]), fingerprintOf([{ ...one, text: 'c' }]))
})
