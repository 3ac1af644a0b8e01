// `botstead migrate`: applies database migrations without starting the server.
import { migrateDatabase } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'

export async function runMigrate({ json }: { json?: boolean }): Promise<void> {
  await onThisMachine((config) =>
    migrateDatabase(config, { onProgress: (text) => console.error(`${text} …`) }),
  )
  console.log(json ? JSON.stringify({ upToDate: true }) : 'The database is up to date')
}
