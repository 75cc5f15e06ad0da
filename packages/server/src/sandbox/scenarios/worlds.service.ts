/**
 * Loads worlds. Meanwhile this process refuses requests and suspends its reconcilers. One transaction wipes the tables;
 * it excludes all commands of the old world. Then the scenario runs with seeded randomness on a clock that is frozen
 * between its steps. At the end the clock resumes with real time.
 */
import type { LoadedScenario, ScenarioName } from '@bourse/api/sandbox/scenarios.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import { createSeededRandom } from '../../core/base/random.ts'
import { type Db, isUnavailable, unavailable } from '../../core/db/db.ts'
import { systemCommand } from '../../core/work/command.ts'
import { readInstalledAt } from '../../core/work/installation.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { beginCursorGeneration } from '../../events/log/cursor-keys.service.ts'
import { ensureAdminToken, ensureAdminUser } from '../../iam/accounts/bootstrap.service.ts'
import { forgetCallers } from '../../iam/tokens/gate.service.ts'
import { sweepImages } from '../../images/image-upkeep.service.ts'
import { refreshFaults } from '../faults/fault-injector.service.ts'
import { readClock } from '../world/clock.service.ts'
import { createSeedAccount, platformSeedAccount, seededIds, seedPeople } from '../world/seed-accounts.service.ts'
import { changeWorld } from '../world/world.service.ts'
import { openScenarioContext, type Scenario } from './scenario-context.service.ts'
import { empty } from './scenario-empty.service.ts'
import { hostFailures } from './scenario-host-failures.service.ts'
import { busyMarket, longHistory } from './scenario-markets.service.ts'
import { preemption } from './scenario-preemption.service.ts'
import { quickstart } from './scenario-quickstart.service.ts'
import {
  acquireWorldLock,
  findWorld as findLoaded,
  hasClock,
  placeClock,
  releaseClock,
  tryWipe,
  type WorldRow,
  writeWorld,
} from './worlds.store.ts'

/** The scenario and the seed of a world, and the id of its platform account. */
export type WorldRequest = { readonly scenario: ScenarioName; readonly seed: number; readonly platform: string }

const scenarioRegistry: Readonly<Record<ScenarioName, Scenario>> = {
  empty,
  quickstart,
  busy_market: busyMarket,
  preemption,
  host_failures: hostFailures,
  long_history: longHistory,
}

const wipeMilliseconds = 10_000
const pollMilliseconds = 5

/** Wipes the sandbox and loads a world. Throws `unavailable` if the database is down or stays locked. */
export function loadWorld(runtime: Runtime, request: WorldRequest): Promise<LoadedScenario> {
  return change(runtime, async (owner, drain) => {
    if (await hasClock(owner)) await wipe(runtime, owner, request)
    else await placeClock(owner, behind(request))
    return runScenario(runtime, request, drain)
  })
}

/** Loads a world unless a complete one exists. An incomplete one is wiped first. */
export async function ensureWorld(runtime: Runtime, request: WorldRequest): Promise<void> {
  if (await findWorld(runtime)) return
  await change(runtime, async (owner, drain) => {
    // A replica that started at the same time may have loaded it while this one waited for the lock.
    if (await findLoaded(owner)) return
    if (await hasClock(owner)) await wipe(runtime, owner, request)
    else await placeClock(owner, behind(request))
    await runScenario(runtime, request, drain)
  })
}

/** The loaded world; undefined while none is complete. */
export function findWorld({ database }: Runtime): Promise<WorldRow | undefined> {
  return findLoaded(database.reader)
}

type DrainReconcilers = Parameters<Parameters<Runtime['suspendReconcilers']>[0]>[0]

/** Changes the world while requests wait or are refused, reconcilers are suspended and other replicas are excluded. */
async function change<T>(runtime: Runtime, work: (owner: Db, drain: DrainReconcilers) => Promise<T>): Promise<T> {
  try {
    return await changeWorld(runtime, () =>
      runtime.suspendReconcilers((drain) =>
        runtime.database.asOwner(async (owner) => {
          await acquireWorldLock(owner)
          const done = await work(owner, drain)
          // A request from before the change may have cached a caller that no longer exists.
          forgetCallers(runtime)
          return done
        }),
      ),
    )
  } catch (error) {
    throw isUnavailable(error) ? unavailable(error) : error
  }
}

/** The history of the scenario in milliseconds: by how much its world begins before the present. */
function behind({ scenario }: WorldRequest): number {
  return scenarioRegistry[scenario].history_seconds * 1000
}

async function wipe(runtime: Runtime, owner: Db, request: WorldRequest): Promise<void> {
  const alongside = async () => {
    await beginCursorGeneration(owner, Math.floor(wallMilliseconds() / 1000))
    await placeClock(owner, behind(request))
  }
  const deadline = monotonicMilliseconds() + wipeMilliseconds
  while (!(await tryWipe(owner, alongside))) {
    if (monotonicMilliseconds() > deadline) throw unavailable()
    await pause(pollMilliseconds)
  }
  forgetCallers(runtime)
  // A cached fault that simulates a database outage would prevent the new world.
  await refreshFaults(runtime)
  // The files of the old images belong to no image now. If the store does not respond, a later sweep removes them.
  await sweepImages(runtime).catch((error) => runtime.log.warn({ err: error }, 'The image store could not be swept.'))
}

async function runScenario(runtime: Runtime, request: WorldRequest, drain: DrainReconcilers): Promise<LoadedScenario> {
  const { scenario: name, seed, platform } = request
  const { reader } = runtime.database
  const scenario = scenarioRegistry[name]
  const installedAt = await readInstalledAt(reader)
  const seedAccounts = [platformSeedAccount(platform), ...scenario.seed_accounts]
  for (const account of seedAccounts)
    await systemCommand(runtime, (ctx) => createSeedAccount(ctx, account, installedAt))
  const random = createSeededRandom(`${name} ${seed}`)
  const seeded: Runtime = { ...runtime, random, mint: seededIds(random), commits_lazily: true }
  const { now } = await readClock(runtime)
  const context = openScenarioContext(seeded, { from: now, platform, drain: () => drain(seeded) })
  const finish = await scenario.build(context)
  await context.pass(scenario.history_seconds - ((await readClock(runtime)).now - now))
  await finish?.()
  for (const person of Object.values(seedPeople(platform))) {
    if (seedAccounts.some(({ id }) => id === person.account_id)) await ensureAdminUser(seeded, person)
  }
  await drain(seeded)
  await releaseClock(reader)
  await drain(seeded)
  // This commit is synchronous, so it also flushes the lazy commits before it.
  await writeWorld(reader, { scenario: name, seed, ids: context.ids })
  const accounts: LoadedScenario['accounts'] = []
  for (const { id } of seedAccounts) accounts.push({ id, token: await ensureAdminToken(runtime, id) })
  const clock = await readClock(runtime)
  return { object: 'loaded_scenario', scenario: name, seed, now: clock.now, accounts, ids: context.ids }
}
