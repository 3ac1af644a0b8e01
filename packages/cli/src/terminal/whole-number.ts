import { UsageError } from '../failure.ts'

export function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(
      `${option} must be a whole number from 1 to 999999999, not "${text}"`,
    )
  return Number(text)
}

/** Without the option, there is no limit. */
export const parseLimit = (text: string | undefined): number =>
  text === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--limit', text)
