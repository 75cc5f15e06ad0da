import { performance } from 'node:perf_hooks'

/** What the work below takes in milliseconds on a machine of 2026 with nothing else to do. */
const usual = { loop: 75, round_trips: 15 }
const roundTrips = 50
const variable = 'BOURSE_MACHINE_FACTOR'

/** How many times slower this machine is than a usual one, at least 1. Measured once a run, for all its processes. */
export function machineFactor(): number {
  process.env[variable] ??= String(factorOf(loopMilliseconds() / usual.loop))
  return Number(process.env[variable])
}

/** Measures the machine with its database. `roundTrip`: a query that only comes and goes. */
export async function measureMachine(roundTrip: () => Promise<unknown>): Promise<void> {
  const loop = loopMilliseconds()
  const trips = await roundTripsMilliseconds(roundTrip)
  process.env[variable] = String(factorOf(Math.max(loop / usual.loop, trips / usual.round_trips)))
}

/** Milliseconds of 50 round trips, one after the other. */
export async function roundTripsMilliseconds(roundTrip: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let trip = 0; trip < roundTrips; trip++) await roundTrip()
  return performance.now() - began
}

/** Milliseconds of a fixed loop. */
export function loopMilliseconds(): number {
  const began = performance.now()
  let sum = 0
  for (let step = 0; step < 3e7; step++) sum = (sum + step * 7) | 0
  // Without a use of the sum, the loop may be left out.
  if (sum === 1) throw new Error('The loop is wrong.')
  return performance.now() - began
}

function factorOf(measured: number): number {
  return Math.max(1, Math.round(measured * 10) / 10)
}
