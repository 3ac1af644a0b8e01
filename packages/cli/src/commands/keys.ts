// `botstead keys`: another master key takes over, while servers run.
import { ConfigError, finishRotation, readConfig, rotateMasterKey, StartError } from '@botstead/server'
import { Failure } from '../failure.ts'

export async function rotateKeys({ both = false }: { both?: boolean }): Promise<void> {
  const { file, refused } = await sentence(() => rotateMasterKey(readConfig(process.env), { both }))
  console.log(file ? `The new master key is in ${file}: keep a copy of it, apart from the backups of the database` : 'The new master key is good')
  if (refused) console.log('The one before is refused')
  else console.log('The one before is good, too: give the new one to all servers, restart them one by one, then call botstead keys finish with it')
}

export async function finishKeys(): Promise<void> {
  const refused = await sentence(() => finishRotation(readConfig(process.env)))
  console.log(refused ? 'The master key before this one is refused' : 'There is no other master key')
}

const sentence = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    throw error instanceof ConfigError || error instanceof StartError ? new Failure(error.message) : error
  })
