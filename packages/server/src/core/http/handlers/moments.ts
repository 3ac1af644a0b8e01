import { parseMoment } from '@botstead/contract'

/** Converts a validated `Moment`. Returns null and undefined unchanged. */
export const toDate = <T extends string | null | undefined>(text: T) =>
  (typeof text === 'string' ? parseMoment(text)! : text) as T extends string ? Date : T
