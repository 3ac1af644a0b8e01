// `botstead upgrade-database`: moves the embedded database to another major version of PostgreSQL.
import { upgradeDatabase } from '@botstead/server'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { formatSize, openProgress } from '../../terminal/progress.ts'

export async function runUpgradeDatabase({
  programs,
  json,
}: {
  programs?: string
  json?: boolean
}): Promise<void> {
  const progress = openProgress()
  const onProgress = progress.adding((table, bytes) => `${table}, ${formatSize(bytes)}`)
  const result = await onThisMachine((config) =>
    upgradeDatabase(config, { ...(programs && { programs }), onProgress }),
  ).finally(progress.end)
  if (json) return console.log(JSON.stringify(result ?? { upToDate: true }))
  if (!result)
    return console.log('The database already has the version that comes with Botstead')
  const { from, to, kept, tables, rows } = result
  console.log(
    `Upgraded the database from PostgreSQL ${from} to ${to}: ${rows} rows in ${tables} tables. The old ` +
      `database stays in ${kept}: delete it when the new one works.`,
  )
}
