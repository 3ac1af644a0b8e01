// `botstead retention`: how long a server keeps data of a bot.
import {
  type Retention,
  type RetentionCounts,
  type RetentionDays,
  type RetentionKind,
  retentionKinds,
} from '@botstead/contract'
import { UsageError } from '../../failure.ts'
import { openBot } from '../../server/admin.ts'
import type { Connecting } from '../../server/connection.ts'
import { inWords } from '../../terminal/printable.ts'

type RetentionOptions = Connecting & { bot?: string; json?: boolean; dryRun?: boolean }

export async function runGetRetention({
  json,
  ...options
}: RetentionOptions): Promise<void> {
  print(await openBot(options).platform.getRetention({}), json)
}

export async function runSetRetention(
  changes: string[],
  { json, dryRun, ...options }: RetentionOptions,
): Promise<void> {
  const { platform } = openBot(options)
  const { rules } = await platform.getRetention({})
  const body = changes.reduce(withChange, rules)
  if (!dryRun) return print(await platform.setRetention({ body }), json)
  const { counts } = await platform.countRetention({ body })
  console.log(json ? JSON.stringify(counts) : `Would delete now: ${toText(counts)}`)
}

/** Throws UsageError unless the change is `<kind>=<days>` or `<kind>=none`. */
function withChange(rules: RetentionDays, change: string): RetentionDays {
  const [kind, days, ...more] = change.split('=') as [RetentionKind, ...string[]]
  if (!retentionKinds.includes(kind) || more.length > 0)
    throw new UsageError(
      `"${change}" is not <kind>=<days>; kinds: ${retentionKinds.join(', ')}`,
    )
  const { [kind]: _, ...others } = rules
  if (days === 'none') return others
  if (!/^\d{1,5}$/.test(days ?? '') || Number(days) === 0)
    throw new UsageError(`"${change}" needs a number of days, or none`)
  return { ...others, [kind]: Number(days) }
}

function print(retention: Retention, json: boolean | undefined) {
  if (json) return console.log(JSON.stringify(retention))
  const { rules, limits } = retention
  for (const kind of retentionKinds)
    console.log(
      `${kind.padEnd(16)} ${(rules[kind] ? `${rules[kind]} days` : '-').padEnd(12)}` +
        (limits[kind] ? `at most ${limits[kind]} days here` : ''),
    )
}

const toText = (counts: RetentionCounts) =>
  Object.entries(counts)
    .filter(([, { count }]) => count > 0)
    .map(([kind, { count, hasMore }]) => `${count}${hasMore ? '+' : ''} ${inWords(kind)}`)
    .join(', ') || 'nothing'
