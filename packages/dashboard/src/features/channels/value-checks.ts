// Checks of pasted values, as the guide of a channel states them.
import type { ChannelGuide } from '@botstead/contract'
import { texts } from '../../texts/texts.ts'

/** Returns the mistake in a value, with the remedy; null if it may be right. */
export function findProblem(
  checks: ChannelGuide['checks'],
  setting: string,
  value: unknown,
): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  const text = value.trim()
  const ofSetting = checks.filter((one) => one.setting === setting)
  const findBroken = (given: string) => ofSetting.find((one) => isBroken(one, given))
  const problem = findBroken(text)?.problem ?? null
  const compact = text.replaceAll(/\s/g, '')
  // Copied with a line break, or with a word beside it.
  return problem !== null && compact !== text && !findBroken(compact)
    ? texts.channels.spaced
    : problem
}

const isBroken = ({ right, wrong }: ChannelGuide['checks'][number], text: string) =>
  right === undefined ? new RegExp(wrong ?? '').test(text) : !new RegExp(right).test(text)
