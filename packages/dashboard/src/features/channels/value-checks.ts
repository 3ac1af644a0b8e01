// Checks of pasted values, as the guide of a channel states them.
import type { ChannelGuide } from '@botstead/contract'

/** Returns the mistake in a value, with the remedy; null if it may be right. */
export function findProblem(
  checks: ChannelGuide['checks'],
  setting: string,
  value: unknown,
): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  const text = value.trim()
  const isBroken = ({ right, wrong }: ChannelGuide['checks'][number]) =>
    right === undefined ? new RegExp(wrong ?? '').test(text) : !new RegExp(right).test(text)
  return checks.find((one) => one.setting === setting && isBroken(one))?.problem ?? null
}
