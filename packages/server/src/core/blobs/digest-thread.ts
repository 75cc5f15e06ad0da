/** The program of a thread that hashes bytes. Only `readDigestInThread` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { type DigestSource, readDigest } from './digest.ts'

parentPort?.postMessage(await readDigest(workerData as DigestSource))
