// `botstead keys`: another master key takes over, while servers run.
import { finishRotation, rotateMasterKey } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'

export async function rotateKeys({ both = false, json }: { both?: boolean; json?: boolean }): Promise<void> {
  const { file, refused } = await onThisMachine((config) => rotateMasterKey(config, { both }))
  if (json) return console.log(JSON.stringify({ file, refused }))
  console.log(
    file
      ? `The new master key is in ${file}: keep a copy of it, apart from the backups of the database`
      : 'The new master key is good',
  )
  if (refused) console.log('The one before is refused')
  else
    console.log(
      'The one before is good, too: give the new one to all servers, restart them one by one, then call botstead keys finish with it',
    )
}

export async function finishKeys({ json }: { json?: boolean }): Promise<void> {
  const refused = await onThisMachine(finishRotation)
  if (json) return console.log(JSON.stringify({ refused }))
  console.log(refused ? 'The master key before this one is refused' : 'There is no other master key')
}
