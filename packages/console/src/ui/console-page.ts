/** A page of the console, as an area declares it. */
import type { RouteComponent } from '@tanstack/react-router'

/** A path below /console, where `$id` is a parameter, and what is shown there. */
export type ConsolePage = { readonly path: string; readonly component: RouteComponent }
