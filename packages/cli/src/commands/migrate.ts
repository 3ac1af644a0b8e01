// `botstead migrate`: the database, brought up to date apart from a start.
import { migrateDatabase } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'

export async function migrate(): Promise<void> {
  await onThisMachine((config) => migrateDatabase(config, { onProgress: (text) => console.error(`${text} …`) }))
  console.log('The database is up to date')
}
