export const schemaPath = 'migrations/schema.sql'
export const tablesPath = 'packages/server/src/core/generated/tables.ts'
export const architecturePath = 'docs/architecture.md'
