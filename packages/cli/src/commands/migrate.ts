// `botstead migrate`: the database, brought up to date apart from a start.
import { ConfigError, DatabaseError, migrateDatabase, readConfig, StartError } from '@botstead/server'
import { Failure } from '../failure.ts'

export async function migrate(): Promise<void> {
  try {
    await migrateDatabase(readConfig(process.env), { onProgress: (text) => console.error(`${text} …`) })
    console.log('The database is up to date')
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof StartError) throw new Failure(error.message)
    throw error
  }
}
