import {
  connectionsExhausted,
  databaseReadOnly,
  diskFull,
  primaryKilled,
  primaryRestarted,
  standbyBehind,
} from './databases.ts'
import type { ChaosKind } from './kind.ts'
import { clientsHalfOpen, databaseCut, databaseDelayed, databaseHalfOpen } from './networks.ts'
import { noisyAccount } from './noise.ts'
import { clockWrong, replicaKilled, replicaStopped, rollingRestart } from './replicas.ts'

/** All kinds of faults by their names, in the order of the report. */
export const kinds = {
  'replica-killed': replicaKilled,
  'replica-stopped': replicaStopped,
  'rolling-restart': rollingRestart,
  'clock-wrong': clockWrong,
  'noisy-account': noisyAccount,
  'clients-half-open': clientsHalfOpen,
  'database-cut': databaseCut,
  'database-delayed': databaseDelayed,
  'database-half-open': databaseHalfOpen,
  'connections-exhausted': connectionsExhausted,
  'database-read-only': databaseReadOnly,
  'disk-full': diskFull,
  'primary-restarted': primaryRestarted,
  'primary-killed': primaryKilled,
  'standby-behind': standbyBehind,
} as const satisfies Readonly<Record<string, ChaosKind>>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as KindName[]
