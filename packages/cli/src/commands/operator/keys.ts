// `botstead keys`: replaces the master key while servers run.
import { finishRotation, rotateMasterKey } from '@botstead/server'
import { ownCommand } from '../../own-command.ts'
import { onThisMachine } from '../../server/on-this-machine.ts'

export async function rotateKeys({
  both = false,
  json,
}: {
  both?: boolean
  json?: boolean
}): Promise<void> {
  const { file, refused } = await onThisMachine((config) =>
    rotateMasterKey(config, { both }),
  )
  if (json) return console.log(JSON.stringify({ file, refused }))
  console.log(
    file
      ? `The new master key is in ${file}; keep a copy apart from the backups of the database`
      : 'The new master key is valid',
  )
  if (refused) console.log('The previous master key is no longer valid')
  else
    console.log(
      'The previous master key is still valid: give the new one to all servers, restart them one by ' +
        `one, then run "${ownCommand} keys finish" with it`,
    )
}

export async function finishKeys({ json }: { json?: boolean }): Promise<void> {
  const refused = await onThisMachine(finishRotation)
  if (json) return console.log(JSON.stringify({ refused }))
  console.log(
    refused
      ? 'The previous master key is no longer valid'
      : 'There is no other master key',
  )
}
