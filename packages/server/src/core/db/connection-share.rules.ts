/** How many connections to the database a process opens. Workers share what a replica would open alone. Pure. */

/** The most connections of each kind. */
type ConnectionShare = {
  readonly transactions: number
  /** For the reads of accounts. They are opened as they are needed. */
  readonly account_reads: number
}

/** Connections for reads that belong to no account. */
export const ownReadersMax = 2

const ofReplica: ConnectionShare = { transactions: 20, account_reads: 6 }
/** With fewer, a process could not decide orders beside requests, and no account would get a second reader. */
const ofWorker: ConnectionShare = { transactions: 6, account_reads: 3 }

/** The share of one of so many workers. */
export function connectionShare(workers: number): ConnectionShare {
  if (workers === 1) return ofReplica
  return {
    transactions: Math.max(ofWorker.transactions, Math.round(ofReplica.transactions / workers)),
    account_reads: Math.max(ofWorker.account_reads, Math.round(ofReplica.account_reads / workers)),
  }
}

/** All connections that replicas open together, without the few that last for a moment. */
export function connectionsNeeded({ replicas, workers }: { replicas: number; workers: number }): number {
  const { transactions, account_reads } = connectionShare(workers)
  return replicas * workers * (transactions + ownReadersMax + account_reads)
}

/** How many commands may use the connections at a time, so that reconcilers and order batches always have some. */
export function commandsMax(transactions: number): number {
  return Math.floor(transactions * 0.8)
}
