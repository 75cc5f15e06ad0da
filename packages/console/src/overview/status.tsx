/** What stands above the board: what one has in sentences, what needs somebody, and the first steps. */
import type { Sku } from '@bourse/sdk'
import type { OpenTicket } from '../market/book/trade-link.tsx'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { StatusLine } from './status-line.tsx'

type HomeStatusProps = { skus: readonly Sku[]; onTrade: OpenTicket }

/** All of it; each part only where it has something to say. */
export function Status({ skus, onTrade }: HomeStatusProps) {
  return (
    <>
      <StatusLine skus={skus} onTrade={onTrade} />
      <Attention onTrade={onTrade} />
      <FirstSteps />
    </>
  )
}
