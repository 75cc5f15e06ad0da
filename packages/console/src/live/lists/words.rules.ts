/** Texts of cells. Pure. */

/** A resource inside another, or who did something. */
export type NamedMember = {
  readonly alias?: string | undefined
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly id?: string | null | undefined
  readonly type?: string | undefined
}

/** What people call it; its id where it has no name. */
export function wordOf({ alias, name, email, id, type }: NamedMember): string {
  return alias || name || email || id || type || '–'
}

/** `2.5 %`. */
export function percentText(percent: number): string {
  return `${Number(percent.toFixed(2))} %`
}
