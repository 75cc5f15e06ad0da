/** Prints docs/guides/versions.md from what the program says of itself. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { agentProtocol, oldestAgentProtocol } from '../../packages/api/src/fleet/agent-bundles.ts'
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

This page lists the servers, agents, clients and databases that work with this version of Bourse. It is generated from
the program: change \`scripts/reliability/versions.ts\`, then run \`npm run reliability\`.

**Nothing has been released yet.** This page is for version ${version}, the version of every commit before the first
release. So older programs are named by their schema: the number of their last migration. \`bourse version --json\`
shows commit, \`schema\` and \`interface_version\` of the installed program, and of the server commit and
\`interface_version\`.

| Part | Of this version | Works with |
|---|---|---|
| schema of the database | ${schema} | upgrades from every older schema, and from an empty database |
| replicas beside this one | schema ${schema} | programs of schema ${serves} and newer, on the same database |
| PostgreSQL | | ${oldestPostgres} and newer; 18 comes with sandboxes, and tests run with it |
| API | \`interface_version\` ${interfaceVersion} | clients of the same \`interface_version\` |
| Node.js of server and agent | ${engines.node} | comes with the packages |
| Node.js of programs with the SDK, and of \`@bourse/cli\` | ${sdk.engines.node} | the SDK also works in browsers |
| agent | ${version} | servers of this version |

## The promise of paths

- Within a major version, changes under \`/v2\` only add operations, parameters and members. So an older command line or
  SDK works with a newer server. A client must ignore members and codes that it does not know.
- Paths under \`/preview/v2\` may change with every version. Use a command line and an SDK of the version of the server.
- If a newer client calls an operation that an older server does not have, it gets 404 \`not_found\`, or 405
  \`method_not_allowed\` where the path has other operations. A member or parameter of a request that the server does
  not know gets 400 \`unknown_field\`.

## The promise of schemas

Each migration names the oldest program that works with the schema after it. \`bourse migrate --plan\` shows this before
it changes anything. A program refuses to start on a schema that does not serve it. A migration refuses to run if it
would stop a running program, unless \`--stop-replicas\` is given ([upgrade](${basename(upgradePath)})). No command
undoes a migration. To go back, restore a backup.

## Agents

Upgrade servers first, then agents. Instances run on while an agent is replaced. Both sides accept members that they do
not know. A server offers the agent of its own version for download. For signed versions of the agent, this server has
protocol ${agentProtocol}, and accepts agents of protocol ${oldestAgentProtocol} and newer that work with its protocol.

## Documentation

Each server serves the pages of its own version. The end of each page names the version and the commit. No site has the
pages of other versions, so read the pages of your server.

## What is tested

| Pair | Test |
|---|---|
| the program before the newest migration, and this one, under load | \`${tests}/restart/rolling-upgrade.test.ts\` |
| a program on a newer schema that serves it, and on one that does not | \`${tests}/restart/newer-schemas.test.ts\` |
| this program, after a migration that adds a column to every table | \`${tests}/contract/added-columns.test.ts\` |

Not tested: agents, command lines and SDKs of one commit with servers of another commit. From the first release on, each
release must be tested with the release before it.
`
}

function readManifest(root: string, path: string): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
