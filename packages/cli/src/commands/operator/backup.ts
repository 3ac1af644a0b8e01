// `botstead backup`: writes the whole installation to one file.
import { backUpToFile } from '@botstead/server'
import { onThisMachine } from '../../server/on-this-machine.ts'
import { formatSize, openProgress } from '../../terminal/progress.ts'

export async function runBackup(
  file: string,
  { withKey = false, json }: { withKey?: boolean; json?: boolean },
): Promise<void> {
  const progress = openProgress()
  const onProgress = progress.adding((part, bytes) => `${part}, ${formatSize(bytes)}`)
  const result = await onThisMachine((config) =>
    backUpToFile(config, file, { withKey, onProgress }),
  ).finally(progress.end)
  if (json) return console.log(JSON.stringify({ file, ...result }))
  console.log(
    `Wrote ${file}: ${result.parts} parts, ${formatSize(result.bytes)} before compression, signed by ` +
      `${result.signer}`,
  )
  console.log(withKey ? keyInside : keyApart)
}

const keyInside =
  'THE FILE CONTAINS THE KEYS: it gives access to every secret and account. Protect it like the keys.'
const keyApart =
  'The file does not contain the keys: keep a copy of keys/master.key and keys/chat.key elsewhere. ' +
  'Without the master key the backup cannot be restored.'
