import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const eventPages: readonly ConsolePage[] = []
