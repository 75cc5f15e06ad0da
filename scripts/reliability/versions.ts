/** Prints docs/guides/versions.md from what the program says of itself. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { interfaceVersion } from '../../packages/api/src/interface-version.ts'
import { oldestPostgres } from '../../packages/server/src/core/db/database-settings.ts'
import { readMigrations } from '../../packages/server/src/core/migrations/migration-files.ts'

export const versionsPath = 'docs/guides/versions.md'
const upgradePath = 'docs/guides/upgrade.md'
const tests = 'packages/server/test'

/** The page of versions that fit the program of a directory. */
export async function printVersions(root: string): Promise<string> {
  const { version, engines } = readManifest(root, 'package.json')
  const sdk = readManifest(root, 'packages/sdk/package.json')
  const migrations = await readMigrations(join(root, 'migrations'))
  const schema = migrations.length
  const serves = Math.max(...migrations.map((one) => one.serves))
  return `# Versions that fit

With which servers, agents, clients and databases this version of Bourse works, and from which it upgrades. It is
generated from the program: change \`scripts/reliability/versions.ts\`, then \`npm run reliability\`.

**Nothing has been released yet.** This page is of version ${version}, which is that of every commit before the first
release. Older programs are commits, so they are named by their schema: the number of the last migration that they have.
\`bourse version --json\` shows commit, \`schema\` and \`interface_version\` of what is installed, and of the server.

| Part | Of this version | Works with |
|---|---|---|
| schema of the database | ${schema} | upgrades from every older schema, and from an empty database |
| replicas beside this one | schema ${schema} | programs of schema ${serves} and newer, on the same database |
| PostgreSQL | | ${oldestPostgres} and newer; 18 comes with sandboxes, and tests run with it |
| API | \`interface_version\` ${interfaceVersion} | clients of the same \`interface_version\` |
| Node.js of server, agent and command line | ${engines.node} | comes with the packages |
| Node.js of programs with the SDK | ${sdk.engines.node} | also browsers |
| agent | ${version} | servers of this version; both sides accept members that they do not know |

## The promise of paths

- Paths under \`/v2\` only get new operations, parameters and members within a major version. An older command line or
  SDK goes on to work with a newer server. Ignore members and codes that you do not know.
- Paths under \`/preview/v2\` may change with every version. Use a command line and an SDK of the version of the server.
- A newer client may call what an older server does not have: it gets 404 \`not_found\`.

## The promise of schemas

A migration says which programs work with the schema after it. \`bourse migrate --plan\` prints that before anything is
changed. A program refuses to start on a schema that no longer serves it, and a migration refuses to run while it would
stop a running program ([upgrade](${basename(upgradePath)})). A migration is not undone: a backup is the way back.

## Agents

Servers and agents have no version number of their protocol. Upgrade servers first, then agents. Machines run on while
an agent is replaced. The agent that a server serves for download is that of its own version.

## Documentation

Each server serves the pages of its own version, and each page names version and commit at its end. There is no site
with pages of other versions, so read the pages of your server.

## What is tested

| Pair | Test |
|---|---|
| the program before the newest migration, and this one, under load | \`${tests}/restart/rolling-upgrade.test.ts\` |
| a program on a newer schema that serves it, and on one that does not | \`${tests}/restart/newer-schemas.test.ts\` |
| this program after a migration added a column to every table | \`${tests}/contract/added-columns.test.ts\` |

Not tested: agents, command lines and SDKs of one commit with servers of another. When there are releases, each pair of
a release and the one before it belongs here.
`
}

function readManifest(root: string, path: string): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
