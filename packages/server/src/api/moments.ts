import { parseMoment } from '@botstead/contract'

/** Converts a text that the contract has checked (`Moment`). Null and undefined stay what they are. */
export const momentOf = <T extends string | null | undefined>(text: T) =>
  (typeof text === 'string' ? parseMoment(text)! : text) as T extends string ? Date : T
