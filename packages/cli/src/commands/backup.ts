// `botstead backup`: the whole installation as one file.
import { backUpToFile } from '@botstead/server'
import { onThisMachine } from '../on-this-machine.ts'
import { openProgress, sizeOf } from '../progress.ts'

export async function backUp(
  file: string,
  { withKey = false, json }: { withKey?: boolean; json?: boolean },
): Promise<void> {
  const progress = openProgress()
  const onProgress = progress.adding((part, bytes) => `${part}, ${sizeOf(bytes)}`)
  const made = await onThisMachine((config) => backUpToFile(config, file, { withKey, onProgress })).finally(
    progress.end,
  )
  if (json) return console.log(JSON.stringify({ file, ...made }))
  console.log(
    `Wrote ${file}: ${made.parts} parts, ${sizeOf(made.bytes)} before packing, signed by ${made.signer}`,
  )
  console.log(withKey ? keyInside : keyApart)
}

const keyInside =
  'THE KEYS ARE IN IT: whoever has this file can read every secret and act as anybody. Keep it as you keep them.'
const keyApart =
  'The keys are not in it: keep a copy of keys/master.key and keys/chat.key elsewhere. Without the master key no secret in this file can be read, by nobody, and it cannot be restored.'
