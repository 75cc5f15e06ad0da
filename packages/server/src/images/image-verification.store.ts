import { type Db, statement } from '../core/db/db.ts'

/** An image to verify. */
export type Unverified = { image_id: string; size_bytes: number }

// By the real clock: a sandbox may move its own clock while bytes are read. A server that dies leaves its claim, which
// another one may take when it has lapsed.
const claimNext = statement<Unverified>(
  'images.claim_unverified',
  `update image_uploads u
   set verification_until = bourse_real_now() + $1
   from images i
   where i.id = u.image_id
     and u.image_id = (
       select v.image_id
       from images j
       join image_uploads v on v.image_id = j.id
       where j.state = 'verifying'
         and j.deleted_at is null
         and v.verification_until < bourse_real_now()
         and ($2::text is null or v.image_id = $2)
       order by v.verification_until, v.image_id
       limit 1
       for update of v skip locked)
   returning u.image_id, i.size_bytes`,
)
const extendClaim = statement<never>(
  'images.extend_claim',
  `update image_uploads
   set verification_until = bourse_real_now() + $2
   where image_id = $1`,
)

/** Claims an image for some seconds: this one, or the one that has waited longest. Undefined if there is none. */
export function claimUnverified(db: Db, seconds: number, imageId: string | null): Promise<Unverified | undefined> {
  return db.row(claimNext, [seconds, imageId])
}

/** Extends a claim to some seconds from now. */
export async function putClaim(db: Db, imageId: string, seconds: number): Promise<void> {
  await db.run(extendClaim, [imageId, seconds])
}
