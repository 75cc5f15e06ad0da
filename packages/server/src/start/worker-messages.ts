/** What a replica with several processes and its workers tell each other. Types only. */

import type { Draw } from '../core/http/rate-exchange.ts'

/** From a worker. */
export type WorkerMessage =
  | { readonly kind: 'serving'; readonly url: string; readonly metrics_url: string | undefined }
  /** Why it did not start. Its log has a line about it. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** It was asked for the metrics of all, and has these itself. */
  | { readonly kind: 'scraped'; readonly id: number; readonly page: string }
  /** The page that it was asked for. */
  | { readonly kind: 'page'; readonly id: number; readonly page: string }
  | DrawsMessage

/** To a worker. */
export type ParentMessage =
  | { readonly kind: 'stop'; readonly signal: string }
  | { readonly kind: 'collect'; readonly id: number }
  /** The metrics of all, for the one that was asked. */
  | { readonly kind: 'joined'; readonly id: number; readonly page: string }
  | DrawsMessage

/** What one worker drew from rate buckets, for all others. */
type DrawsMessage = { readonly kind: 'draws'; readonly draws: readonly Draw[] }
