/**
 * Loads worlds. All of it happens while requests and the reconcilers of this process are kept out: the tables are wiped
 * in one transaction that no command of the old world outlives, then the scenario is played in seeded randomness on a
 * clock that stands still between its steps, and at the end goes on with real time.
 */
import type { LoadedScenario, ScenarioName } from '@bourse/api/sandbox/scenarios.ts'
import { monotonicMilliseconds, pause, wallMilliseconds } from '../../core/base/clock.ts'
import { createSeededRandom } from '../../core/base/random.ts'
import { type Db, isUnavailable, unavailable } from '../../core/db/db.ts'
import { systemCommand } from '../../core/work/command.ts'
import { readInstalledAt } from '../../core/work/installation.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { beginCursorGeneration } from '../../events/cursor-keys.service.ts'
import { ensureAdminToken } from '../../iam/accounts/bootstrap.service.ts'
import { forgetCallers } from '../../iam/tokens/gate.service.ts'
import { sweepImages } from '../../images/image-upkeep.service.ts'
import { refreshFaults } from '../faults/fault-injector.service.ts'
import { readClock } from '../world/clock.service.ts'
import { createSeedAccount, platformSeedAccount, seededIds } from '../world/seed-accounts.service.ts'
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

/** Which world is wanted, and the id that its platform account gets. */
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

/** Wipes everything and loads a world. */
export function loadWorld(runtime: Runtime, request: WorldRequest): Promise<LoadedScenario> {
  return change(runtime, async (owner, drain) => {
    if (await hasClock(owner)) await wipe(runtime, owner, request)
    else await placeClock(owner, behind(request))
    return runScenario(runtime, request, drain)
  })
}

/** Loads a world unless one is there already, whole; what was broken off is wiped first. */
export async function ensureWorld(runtime: Runtime, request: WorldRequest): Promise<void> {
  if (await findWorld(runtime)) return
  await change(runtime, async (owner, drain) => {
    // Another replica that started at the same moment may have done it meanwhile.
    if (await findLoaded(owner)) return
    if (await hasClock(owner)) await wipe(runtime, owner, request)
    else await placeClock(owner, behind(request))
    await runScenario(runtime, request, drain)
  })
}

/** The world that was loaded last; undefined while none is complete. */
export function findWorld({ database }: Runtime): Promise<WorldRow | undefined> {
  return findLoaded(database.reader)
}

type Drain = Parameters<Parameters<Runtime['suspendReconcilers']>[0]>[0]

/** Keeps everything else still and out while the world is changed. */
async function change<T>(runtime: Runtime, work: (owner: Db, drain: Drain) => Promise<T>): Promise<T> {
  try {
    return await changeWorld(runtime, () =>
      runtime.suspendReconcilers((drain) =>
        runtime.database.asOwner(async (owner) => {
          await acquireWorldLock(owner)
          const done = await work(owner, drain)
          // Requests of before may have found meanwhile that nobody is who they were.
          forgetCallers(runtime)
          return done
        }),
      ),
    )
  } catch (error) {
    throw isUnavailable(error) ? unavailable() : error
  }
}

/** A whole minute before now, by as much as the scenario has happened already. */
function behind({ scenario }: WorldRequest): number {
  return scenarioRegistry[scenario].history_seconds * 1000
}

async function wipe(runtime: Runtime, owner: Db, request: WorldRequest): Promise<void> {
  const along = async () => {
    await beginCursorGeneration(owner, Math.floor(wallMilliseconds() / 1000))
    await placeClock(owner, behind(request))
  }
  const deadline = monotonicMilliseconds() + wipeMilliseconds
  while (!(await tryWipe(owner, along))) {
    if (monotonicMilliseconds() > deadline) throw unavailable()
    await pause(pollMilliseconds)
  }
  forgetCallers(runtime)
  // A database that was said to be down would keep the new world from happening.
  await refreshFaults(runtime)
  // What the images of before held belongs to nobody now. A store that does not answer is swept later.
  await sweepImages(runtime).catch((error) => runtime.log.warn({ err: error }, 'The store of images was not swept.'))
}

async function runScenario(runtime: Runtime, request: WorldRequest, drain: Drain): Promise<LoadedScenario> {
  const { scenario: name, seed, platform } = request
  const { reader } = runtime.database
  const scenario = scenarioRegistry[name]
  const installed_at = await readInstalledAt(reader)
  const seed_accounts = [platformSeedAccount(platform), ...scenario.seed_accounts]
  for (const account of seed_accounts)
    await systemCommand(runtime, (ctx) => createSeedAccount(ctx, account, installed_at))
  const random = createSeededRandom(`${name} ${seed}`)
  const seeded: Runtime = { ...runtime, random, mint: seededIds(random), commits_lazily: true }
  const { now } = await readClock(runtime)
  const context = openScenarioContext(seeded, { from: now, platform, drain: () => drain(seeded) })
  const finish = await scenario.build(context)
  await context.pass(scenario.history_seconds - ((await readClock(runtime)).now - now))
  await finish?.()
  await drain(seeded)
  await releaseClock(reader)
  await drain(seeded)
  // This commit waits for the disk, and for all before it.
  await writeWorld(reader, { scenario: name, seed, ids: context.ids })
  const accounts: LoadedScenario['accounts'] = []
  for (const { id } of seed_accounts) accounts.push({ id, token: await ensureAdminToken(runtime, id) })
  const clock = await readClock(runtime)
  return { object: 'loaded_scenario', scenario: name, seed, now: clock.now, accounts, ids: context.ids }
}
